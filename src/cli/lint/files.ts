import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { describeError } from '../../base/index.ts';
import { kustomizationNames, patchFilesOf } from '../../manifest/index.ts';

/** A text to check, or why there is none. */
export type LintInput =
  | {
      readonly kind: 'text';
      /** As it is printed: the argument, or the path below a folder that was one. */
      readonly name: string;
      /** Absent for standard input. */
      readonly path?: string;
      readonly text: string;
      /** Named on the command line, not met in a folder. */
      readonly isNamed: boolean;
    }
  | { readonly kind: 'unreadable'; readonly name: string; readonly path: string; readonly message: string };

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Reads what the arguments name: files, folders (all manifests below, in the order of their names), `-`. */
export async function* lintInputs(
  names: readonly string[],
  cwd: string,
  stdin: AsyncIterable<string>,
): AsyncGenerator<LintInput> {
  for (const name of names) {
    if (name === '-') {
      yield { kind: 'text', name, text: await textOf(stdin), isNamed: true };
      continue;
    }
    const path = resolve(cwd, name);
    const kind = await kindOfPath(path);
    if (kind === 'file') yield await readInput(name, path, true);
    else if (kind === 'folder') yield* folderInputs(name, path);
    else yield { kind: 'unreadable', name, path, message: kind };
  }
}

/** 'file', 'folder', or the reason why it is neither. */
async function kindOfPath(path: string): Promise<string> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return isMissing(error)
      ? 'there is no such file or folder. Check the path; it is taken from the working directory.'
      : `${describeError(error)}. Check that you may read it.`;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function* folderInputs(name: string, path: string): AsyncGenerator<LintInput> {
  const entries = await readdir(path, { withFileTypes: true });
  // By code unit, so that the order is the same everywhere.
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const child = join(path, entry.name);
    const childName = join(name, entry.name);
    // Links to folders are not followed: they may lead in circles.
    if (entry.isDirectory()) yield* folderInputs(childName, child);
    else if (extensions.has(extname(entry.name).toLowerCase())) yield await readInput(childName, child, false);
  }
}

async function readInput(name: string, path: string, isNamed: boolean): Promise<LintInput> {
  try {
    const bytes = await readFile(path);
    // Strict, so that a file in another encoding is not silently changed by a fix; the byte order mark stays.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: 'text', name, path, text, isNamed };
  } catch (error) {
    const message =
      error instanceof TypeError
        ? 'the file is not UTF-8. Save it as UTF-8: nothing else is a manifest to kubectl.'
        : `${describeError(error)}. Check that you may read it.`;
    return { kind: 'unreadable', name, path, message };
  }
}

async function textOf(stdin: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of stdin) text += chunk;
  return text;
}

/** Tells which files a kustomization near them lists as patches. Reads each folder's kustomization once. */
export class PatchFiles {
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  async has(path: string): Promise<boolean> {
    // A patch stands beside its kustomization or a little below it.
    let folder = dirname(path);
    for (let level = 0; level < 4; level++) {
      if ((await this.#patchesOf(folder)).has(path)) return true;
      const parent = dirname(folder);
      if (parent === folder) break;
      folder = parent;
    }
    return false;
  }

  #patchesOf(folder: string): Promise<ReadonlySet<string>> {
    const known = this.#known.get(folder) ?? readPatches(folder);
    this.#known.set(folder, known);
    return known;
  }
}

async function readPatches(folder: string): Promise<ReadonlySet<string>> {
  for (const name of kustomizationNames) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (text !== undefined) return new Set(patchFilesOf(text).map((path) => resolve(folder, path)));
  }
  return new Set();
}
