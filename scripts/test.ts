import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { check } from './check.ts';
import { findChromium } from './host/browser.ts';
import { walkJourneys } from './host/journeys/index.ts';
import { walkThroughStart } from './host/newcomer.ts';
import { run } from './host/process.ts';
import { type HostRun, runHostSuite } from './host/suite.ts';
import { packageVsix } from './package.ts';

/**
 * All checks that need no Kubernetes: types, lint, unit and property tests, then the suite inside a real VS Code on the
 * development folder and on the packaged VSIX. `node scripts/test.ts [--unit | --host | --journeys [WORDS]]`; with WORDS only
 * the journeys whose names contain them.
 */
const root = join(import.meta.dirname, '..');
const report = (line: string): void => console.error(line);

async function inVsCode(): Promise<boolean> {
  const chromium = await findChromium(report);
  const file = join(root, 'build', 'suite.vsix');
  await packageVsix(file);
  const runs: readonly [string, Pick<HostRun, 'subject' | 'trusted'>][] = [
    ['the development folder', { subject: { kind: 'folder' }, trusted: true }],
    ['the packaged VSIX', { subject: { kind: 'vsix', file }, trusted: true }],
    ['the packaged VSIX in an untrusted workspace', { subject: { kind: 'vsix', file }, trusted: false }],
  ];
  let failed = 0;
  let passed = 0;
  for (const [name, hostRun] of runs) {
    console.log(`\nInside VS Code: ${name}`);
    const result = await runHostSuite({ ...hostRun, chromium, report });
    for (const line of result.lines) console.log(line);
    // A suite in which nothing ran has not passed.
    failed += result.passed === 0 ? Math.max(1, result.failed) : result.failed;
    passed += result.passed;
  }
  console.log("\nInside VS Code: a newcomer's first minutes with npm start");
  try {
    await walkThroughStart(chromium, join(root, 'build', 'pictures'));
    console.log('  ✓ from the marked problem to the completed Job');
    passed++;
  } catch (error) {
    console.log(
      `  ✗ from the marked problem to the completed Job\n    ${error instanceof Error ? error.stack : error}`,
    );
    failed++;
  }
  const journeys = await walk();
  passed += journeys.passed;
  failed += journeys.failed;
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

async function walk(words = ''): Promise<{ readonly passed: number; readonly failed: number }> {
  console.log('\nInside VS Code: journeys through a window');
  return await walkJourneys({
    chromium: await findChromium(report),
    pictures: join(root, 'build', 'pictures'),
    only: words,
    report: (line) => console.log(line),
  });
}

const [only, words] = process.argv.slice(2);
if (only === '--journeys') {
  await buildProduct();
  const { passed, failed } = await walk(words);
  process.exit(passed > 0 && failed === 0 ? 0 : 1);
}
if (only !== '--host') {
  await check();
  await run('vitest', ['run', '--reporter=default'], { cwd: root, show: true });
}
if (only !== '--unit' && !(await inVsCode())) process.exit(1);
