/**
 * Paths of files by patterns, as VS Code and .gitignore write them: `**`, `*`, `?` and `{a,b}`. A repository brings both
 * the patterns and the names of its files, so the effort grows with the product of their lengths and no faster, which no
 * regular expression of JavaScript promises.
 */

/** Whether a path with `/` between its parts, relative to the workspace, is one that the pattern means. */
export function matchesGlob(path: string, glob: string): boolean {
  // A pattern without a folder means files of that name wherever they are.
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return endsOf(anchored, path, new Set([0])).has(path.length);
}

/** The tokens in the order in which they are tried: what is none of them stands for itself. */
const token = /\*\*\/|\/\*\*$|\*\*|\*|\?|\{[^{}]*\}|[\s\S]/g;

type Places = ReadonlySet<number>;

/** Where in the path a match of the pattern can end that begins at one of `starts`. */
function endsOf(glob: string, path: string, starts: Places): Places {
  let places = starts;
  for (const [part] of glob.matchAll(token)) places = endsOfToken(part, path, places);
  return places;
}

function endsOfToken(part: string, path: string, starts: Places): Places {
  switch (part) {
    case '**/':
      return behindFolders(path, starts);
    case '/**':
      return stretched(path, oneOn(path, oneOn(path, starts, isSlash), isAny), isAny);
    case '**':
      return stretched(path, starts, isAny);
    case '*':
      return stretched(path, starts, isInName);
    case '?':
      return oneOn(path, starts, isInName);
  }
  if (part.length === 1) return oneOn(path, starts, (character) => character === part);
  const branches = part.slice(1, -1).split(',');
  return new Set(branches.flatMap((branch) => [...endsOf(branch, path, starts)]));
}

type IsMeant = (character: string | undefined) => boolean;
const isAny: IsMeant = () => true;
const isSlash: IsMeant = (character) => character === '/';
const isInName: IsMeant = (character) => character !== '/';

/** Behind one character. */
function oneOn(path: string, starts: Places, isMeant: IsMeant): Places {
  return new Set([...starts].filter((at) => at < path.length && isMeant(path[at])).map((at) => at + 1));
}

/** Behind any number of characters, none included. */
function stretched(path: string, starts: Places, isMeant: IsMeant): Places {
  const ends = new Set(starts);
  for (let at = 0; at < path.length; at++) if (ends.has(at) && isMeant(path[at])) ends.add(at + 1);
  return ends;
}

/** Behind any number of folders with their slashes, none included. */
function behindFolders(path: string, starts: Places): Places {
  const ends = new Set(starts);
  let hasName = false;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '/') {
      if (hasName) ends.add(at + 1);
      hasName = false;
    } else if (ends.has(at)) hasName = true;
  }
  return ends;
}
