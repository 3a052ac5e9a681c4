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

/** The release that was asked for, `v1.38.0` or `1.38.0`, or the newest of the minor that the Go module proxy lists. */
export async function chooseRelease(minor: string, wanted: string | undefined): Promise<Release> {
  if (wanted !== undefined) {
    const version = wanted.replace(/^v/, '');
    // A proxy may list fewer releases than it has: whether there is this one turns out when it is fetched.
    if (new RegExp(`^${minor.replace('.', '\\.')}\\.\\d+$`).test(version)) return { minor, version };
    throw new Error(`${wanted} is no release of Kubernetes ${minor}: ${minor}.0 is one, for example.`);
  }
  const all = await releases();
  const version = all.findLast((each) => each.startsWith(`${minor}.`));
  if (version !== undefined) return { minor, version };
  throw new Error(
    `The Go module proxy lists no release of Kubernetes ${minor}, and ${all.at(-1) ?? 'nothing'} as the newest. Name the release if there is one: node scripts/run.mjs minor ${minor} v${minor}.0`,
  );
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
