import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KubernetesMinor } from '../../src/admission/index.ts';
import { oracleProgram } from '../cluster/binaries.ts';
import type { Report } from '../cluster/goBuild.ts';

/** What a minor's own code says of the feature gates that it knows: whether each is on by default. */
export async function gatesOf(minor: KubernetesMinor, report: Report): Promise<ReadonlyMap<string, boolean>> {
  const { stdout } = await promisify(execFile)(await oracleProgram(minor, report), ['--gates'], { maxBuffer: 1 << 24 });
  const defaults: Readonly<Record<string, boolean>> = JSON.parse(stdout);
  return new Map(Object.entries(defaults));
}
