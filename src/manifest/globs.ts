/** Paths of files by patterns, as VS Code and .gitignore write them: `**`, `*`, `?` and `{a,b}`. */

/** Whether a path with `/` between its parts, relative to the workspace, is one that the pattern means. */
export function matchesGlob(path: string, glob: string): boolean {
  // A pattern without a folder means files of that name wherever they are.
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return new RegExp(`^${expressionOf(anchored)}$`).test(path);
}

/** The tokens in the order in which they are tried: what is none of them stands for itself. */
const token = /\*\*\/|\/\*\*$|\*\*|\*|\?|\{[^{}]*\}|[\s\S]/g;

function expressionOf(glob: string): string {
  return glob.replaceAll(token, (part) => {
    switch (part) {
      case '**/':
        return '(?:[^/]+/)*';
      case '/**':
        return '/.+';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      default:
        return part.startsWith('{') && part.endsWith('}')
          ? `(?:${part.slice(1, -1).split(',').map(expressionOf).join('|')})`
          : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    }
  });
}
