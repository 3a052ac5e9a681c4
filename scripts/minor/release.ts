import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { hasCode } from '../cluster/buildLock.ts';
import { GoMissingError } from '../cluster/goBuild.ts';

/** A release of Kubernetes: `1.38` and `1.38.0`. */
export interface Release {
  readonly minor: string;
  readonly version: string;
}

/** The release that was asked for, `v1.38.0` or `1.38.0`, or the newest of the minor. Asks the Go module proxy. */
export async function chooseRelease(minor: string, wanted: string | undefined): Promise<Release> {
  const all = await releases();
  const ofMinor = all.filter((version) => version.startsWith(`${minor}.`));
  const version = wanted === undefined ? ofMinor.at(-1) : wanted.replace(/^v/, '');
  if (version !== undefined && ofMinor.includes(version)) return { minor, version };
  const known = ofMinor.length > 0 ? `Its releases are ${ofMinor.join(', ')}.` : `The newest release is ${all.at(-1)}.`;
  throw new Error(`Kubernetes ${wanted ?? minor} is not released as a Go module. ${known}`);
}

/** All final releases, oldest first. */
async function releases(): Promise<readonly string[]> {
  const args = ['list', '-m', '-versions', '-json', 'k8s.io/kubernetes'];
  // Outside any module, so that none of ours decides.
  const options = { cwd: tmpdir(), env: { ...process.env, GOWORK: 'off', GO111MODULE: 'on' }, maxBuffer: 1 << 24 };
  const { stdout } = await promisify(execFile)('go', args, options).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) throw new GoMissingError('Go is needed and isn’t on the PATH: https://go.dev/dl');
    throw error;
  });
  const { Versions: versions = [] }: { Versions?: readonly string[] } = JSON.parse(stdout);
  return versions.flatMap((version) => /^v(1\.\d+\.\d+)$/.exec(version)?.[1] ?? []);
}
