import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * What the repo's programs bring (a VS Code, Kubernetes binaries) is kept per version in the user's cache folder, not in
 * the clone: a second clone is quick, and nothing is fetched twice.
 */
export function cacheFolder(...parts: string[]): string {
  const base =
    process.env['XDG_CACHE_HOME'] ||
    (process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches')
      : process.platform === 'win32'
        ? (process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
        : join(homedir(), '.cache'));
  return join(base, 'delegated-jobs', ...parts);
}

/**
 * Makes `folder` by `fill`, which works in a folder beside it that is renamed when all is there: what exists is whole,
 * however an earlier try ended, and two that try at once don't meet.
 */
export async function makeOnce(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    await fill(draft);
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Somebody else was quicker; theirs is as good.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
