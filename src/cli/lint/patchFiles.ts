import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { kustomizationNames, patchFilesOf } from '../../manifest/index.ts';

/** Folders whose kustomizations are remembered: enough for those around the files of the moment. */
const mostFolders = 1000;

/** Tells which files a kustomization near them lists as patches. Reads each folder's kustomization once for its files. */
export class PatchFiles {
  readonly #known = new Map<string, ReadonlySet<string>>();

  has(path: string): boolean {
    // A patch stands beside its kustomization or a little below it.
    let folder = dirname(path);
    for (let level = 0; level < 4; level++) {
      if (this.#patchesOf(folder).has(path)) return true;
      const parent = dirname(folder);
      if (parent === folder) break;
      folder = parent;
    }
    return false;
  }

  #patchesOf(folder: string): ReadonlySet<string> {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    if (this.#known.size >= mostFolders) this.#known.clear();
    const patches = readPatches(folder);
    this.#known.set(folder, patches);
    return patches;
  }
}

function readPatches(folder: string): ReadonlySet<string> {
  for (const name of kustomizationNames) {
    const text = textIfThere(join(folder, name));
    if (text !== undefined) return new Set(patchFilesOf(text).map((path) => resolve(folder, path)));
  }
  return new Set();
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not there, or not to be read: then nothing is known of patches.
    return undefined;
  }
}
