import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder in which this repository keeps what it built or fetched for its checks, shared by all clones of a user.
 * It need not exist yet. `XDG_CACHE_HOME` wins on every platform.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return join(userCacheFolder(env, platform), 'delegated-jobs');
}

function userCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg) return xdg;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.cache');
}
