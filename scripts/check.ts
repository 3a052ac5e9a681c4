import { join } from 'node:path';
import { run } from './host/process.ts';

/** Types, then formatting and lint. `node scripts/check.ts` */
const root = join(import.meta.dirname, '..');

export async function check(): Promise<void> {
  await run('tsc', ['--pretty', 'false'], { cwd: root, show: true });
  await run('biome', ['check', '--error-on-warnings', '.'], { cwd: root, show: true });
}

if (import.meta.filename === process.argv[1]) await check();
