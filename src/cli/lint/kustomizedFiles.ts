import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { kustomizationNames, kustomizedFilesOf, type KustomizedFiles as Listed } from '../../manifest/index.ts';

/** Folders whose kustomizations are remembered: enough for those around the files of the moment. */
const mostFolders = 1000;

/** Tells what the kustomizations near a file list it as. Reads each folder's kustomization once for its files. */
export class KustomizedFiles {
  readonly #known = new Map<string, ReadonlyMap<string, keyof Listed>>();

  /** Undefined for a file that none of them lists. */
  listOf(path: string): keyof Listed | undefined {
    // What is listed stands beside its kustomization or a little below it.
    let folder = dirname(path);
    for (let level = 0; level < 4; level++) {
      const list = this.#listedBy(folder).get(path);
      if (list !== undefined) return list;
      const parent = dirname(folder);
      if (parent === folder) break;
      folder = parent;
    }
    return undefined;
  }

  #listedBy(folder: string): ReadonlyMap<string, keyof Listed> {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    if (this.#known.size >= mostFolders) this.#known.clear();
    const listed = readListed(folder);
    this.#known.set(folder, listed);
    return listed;
  }
}

function readListed(folder: string): ReadonlyMap<string, keyof Listed> {
  for (const name of kustomizationNames) {
    const text = textIfThere(join(folder, name));
    if (text === undefined) continue;
    const { patches, resources } = kustomizedFilesOf(text);
    const entry = (list: keyof Listed) => (path: string) => [resolve(folder, path), list] as const;
    return new Map([...resources.map(entry('resources')), ...patches.map(entry('patches'))]);
  }
  return new Map();
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not there, or not to be read: then nothing is known of what it lists.
    return undefined;
  }
}
