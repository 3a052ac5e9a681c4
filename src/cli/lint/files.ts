import { closeSync, constants, createReadStream, type Dirent, openSync, type Stats, writeSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { describeError } from '../../base/index.ts';
import { largestText } from './readText.ts';

/** What is to be checked, or why it can't be. Plain data: it goes to threads. */
export type LintTarget =
  | {
      readonly kind: 'file';
      /** As it is printed: the argument, or the path below a folder that was one. */
      readonly name: string;
      readonly path: string;
      /** Named on the command line, not met in a folder. */
      readonly isNamed: boolean;
    }
  /** Standard input, or a pipe that was named. */
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'unreadable'; readonly name: string; readonly path?: string; readonly message: string };

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Finds what the arguments name: files, folders (all manifests below, in the order of their names), pipes, `-`. */
export async function* lintTargets(
  names: readonly string[],
  cwd: string,
  stdin: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<LintTarget> {
  for (const name of names) {
    if (name === '-') {
      yield await readStream(name, stdin);
      continue;
    }
    const path = resolve(cwd, name);
    const found = await lookAt(path);
    if (typeof found === 'string') yield { kind: 'unreadable', name, path, message: found };
    else if (found.isDirectory()) yield* folderTargets(name, path);
    else if (found.isFile()) yield { kind: 'file', name, path, isNamed: true };
    else if (found.isFIFO()) yield await readPipe(name, path, signal);
    else yield { kind: 'unreadable', name, path, message: noFile };
  }
}

const noFile = 'it is no file, no folder and no pipe. Name a file, or pass the text through standard input with -.';

/** What there is at a path, or why that can't be told. */
async function lookAt(path: string): Promise<Stats | string> {
  try {
    return await stat(path);
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
        return 'there is no such file or folder. Check the path; it is taken from the working directory.';
      case 'ELOOP':
        return 'it is a link that leads back to itself. Correct or remove it.';
      default:
        return `${describeError(error)}. Check that you may read it.`;
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function* folderTargets(name: string, path: string): AsyncGenerator<LintTarget> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    yield { kind: 'unreadable', name, path, message: `${describeError(error)}. Check that you may read the folder.` };
    return;
  }
  // By code unit, so that the order is the same everywhere.
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const child = join(path, entry.name);
    const childName = join(name, entry.name);
    if (entry.isDirectory()) yield* folderTargets(childName, child);
    else if (!extensions.has(extname(entry.name).toLowerCase())) continue;
    else if (entry.isFile()) yield { kind: 'file', name: childName, path: child, isNamed: false };
    else yield* oddEntry(childName, child);
  }
}

/** A link, a pipe, or what a file system tells nothing of beforehand. */
async function* oddEntry(name: string, path: string): AsyncGenerator<LintTarget> {
  const found = await lookAt(path);
  if (typeof found === 'string') {
    const message = found.startsWith('there is no')
      ? 'it is a link to a file that is not there. Correct or remove it.'
      : found;
    yield { kind: 'unreadable', name, path, message };
  } else if (found.isFile()) yield { kind: 'file', name, path, isNamed: false };
  // Links to folders are not followed: they may lead in circles.
  else if (!found.isDirectory()) {
    const message = 'it is no file: reading it might never end. Move it away, or name it if it is a pipe to read from.';
    yield { kind: 'unreadable', name, path, message };
  }
}

async function readStream(name: string, chunks: AsyncIterable<string>): Promise<LintTarget> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > largestText) {
      return {
        kind: 'unreadable',
        name,
        message: `more than ${largestText >> 20} MiB came. Pass it in several pieces.`,
      };
    }
  }
  return { kind: 'text', name, text };
}

/** Opening and reading a pipe wait for a writer, and would hold back the end of the process. */
async function readPipe(name: string, path: string, signal: AbortSignal): Promise<LintTarget> {
  signal.throwIfAborted();
  let ownEnd: number | undefined;
  // So when it is to end, we are the writer that is waited for.
  const letGo = (): void => {
    ownEnd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    writeSync(ownEnd, '\n');
  };
  signal.addEventListener('abort', letGo);
  try {
    return await readStream(name, createReadStream(path, { encoding: 'utf8', signal }));
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'unreadable', name, path, message: `${describeError(error)}. Check that you may read it.` };
  } finally {
    signal.removeEventListener('abort', letGo);
    if (ownEnd !== undefined) closeSync(ownEnd);
  }
}
