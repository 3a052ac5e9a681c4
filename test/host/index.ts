import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { activated, extensionId } from './support.ts';

/**
 * Entry of the suite inside VS Code: the extension host calls `run`, which resolves when every test has ended and
 * rejects when one failed. What happened is left in the file that the launcher names.
 */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: false });
  // The bundle holds the test files, so there is nothing for Mocha to load: its globals are put up by hand.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  const isTrusted = process.env['DELEGATED_JOBS_SUITE_TRUSTED'] === '1';
  await import('./authoring.ts');
  await import('./findings.ts');
  if (isTrusted) {
    await import('./clusters.ts');
    await import('./live.ts');
  } else await import('./untrusted.ts');
  const lines: string[] = [];
  let passed = 0;
  let failed = 0;
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on('pass', (test) => {
        passed++;
        lines.push(`  ✓ ${test.fullTitle()}`);
      })
      .on('fail', (test, error: Error) => {
        failed++;
        lines.push(`  ✗ ${test.fullTitle()}\n    ${error.stack ?? error.message}`);
      });
  });
  const file = process.env['DELEGATED_JOBS_SUITE_RESULT'];
  if (file) writeFileSync(file, JSON.stringify({ passed, failed, lines, activationMs: await activationMs() }));
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** What activation costs in this host: loading the bundle anew, the median of nine times, and the run of `activate`. */
async function activationMs(): Promise<number> {
  const folder = vscode.extensions.getExtension(extensionId)?.extensionPath ?? '';
  const bundle = join(folder, 'dist', 'extension.cjs');
  const load = createRequire(bundle);
  const times = Array.from({ length: 9 }, () => {
    delete load.cache[bundle];
    const start = performance.now();
    load(bundle);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return (times[4] ?? Number.NaN) + (await activated()).activatedInMs;
}
