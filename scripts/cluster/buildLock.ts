import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sleep, systemClock } from '../../src/base/index.ts';

const retryAfterMs = 500;

/**
 * Runs `work` while no other process of this machine runs one under the same `path`, a file that names the holder.
 * A holder that died is passed over. `onWait` is called once if there is somebody to wait for.
 */
export async function withLock<T>(path: string, onWait: (pid: number) => void, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let hasWaited = false;
  for (let holder = await take(path); holder !== undefined; holder = await take(path)) {
    if (!hasWaited) onWait(holder);
    hasWaited = true;
    await sleep(systemClock, retryAfterMs, new AbortController().signal);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Takes the lock and returns undefined, or returns the process that has it. */
async function take(path: string): Promise<number | undefined> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return undefined;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (Number.isInteger(holder) && holder > 0 && isAlive(holder)) return holder;
  // Two waiters may both come to this conclusion and both go on: a build done twice, harmless as each result is
  // moved into place in one step.
  await rm(path, { force: true });
  return take(path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** True for an error of Node's with this code, `ENOENT` for example. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
