/**
 * `npm run test:cluster [-- FILTER…]`: what needs a real Kubernetes. Builds kube-apiserver, kube-controller-manager,
 * etcd, the verdict oracles and the ecosystem's webhooks where the cache lacks them, bundles the product and runs the
 * tests of test/cluster and test/conformance. Without Go and without what it would build, it says what isn't covered; in
 * CI that is a failure.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kubernetesMinors } from '../../src/admission/index.ts';
import { describeError, isJsonObject } from '../../src/base/index.ts';
import { buildProduct } from '../build.ts';
import { run } from '../host/process.ts';
import { controlPlanePrograms, oracleProgram } from './binaries.ts';
import { GoMissingError, type Report } from './goBuild.ts';
import { webhookGroups, webhookProgram } from './webhooks.ts';

const root = join(import.meta.dirname, '..', '..');
const report: Report = (line) => console.error(line);

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const isCi = Boolean(process.env['CI']);

/** True if everything is there that the tests start. */
async function bringPrograms(): Promise<boolean> {
  try {
    await controlPlanePrograms(report);
    for (const minor of kubernetesMinors) await oracleProgram(minor, report);
    for (const group of webhookGroups) await webhookProgram(group, report);
    return true;
  } catch (error) {
    if (!(error instanceof GoMissingError)) throw error;
    const verdict = isCi ? 'Failed, as this is CI (the variable CI is set): not covered is' : 'Not covered:';
    console.log(`${verdict} everything that needs a real Kubernetes (test:cluster). ${error.message}`);
    return false;
  }
}

async function runTests(filters: readonly string[]): Promise<Counts> {
  const output = join(root, 'build', 'cluster.json');
  await mkdir(join(root, 'build'), { recursive: true });
  // What an earlier run left must not pass for this one's.
  await rm(output, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const config = ['--config', 'test/cluster/vitest.config.ts'];
  // The counts decide; an exit code says nothing about a suite in which nothing ran.
  const isClean = await run('vitest', ['run', ...config, ...reporters, ...filters], { cwd: root, show: true }).then(
    () => true,
    () => false,
  );
  const result: unknown = JSON.parse(await readFile(output, 'utf8'));
  const count = (name: string): number => (isJsonObject(result) ? Number(result[name]) : 0);
  const [passed, failed] = [count('numPassedTests'), count('numFailedTests')];
  return { passed, failed: isClean && passed > 0 ? failed : Math.max(failed, 1) };
}

async function main(): Promise<boolean> {
  if (!(await bringPrograms())) return !isCi;
  await buildProduct();
  const { passed, failed } = await runTests(process.argv.slice(2));
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 2;
}
