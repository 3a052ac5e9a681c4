import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from '../../src/manifest/globs.ts';

/** The same as a regular expression, whose effort may explode with the number of stars. */
function expressionOf(glob: string): string {
  return glob.replaceAll(/\*\*\/|\/\*\*$|\*\*|\*|\?|\{[^{}]*\}|[\s\S]/g, (part) => {
    const known: Readonly<Record<string, string>> = {
      '**/': '(?:[^/]+/)*',
      '/**': '/.+',
      '**': '.*',
      '*': '[^/]*',
      '?': '[^/]',
    };
    if (part.length > 1 && part.startsWith('{'))
      return `(?:${part.slice(1, -1).split(',').map(expressionOf).join('|')})`;
    return known[part] ?? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
}

test('means what the regular expression means', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '/**', '?', '{a,*b}', '{/**,b}', '{', '.');
  const globs = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
  const names = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 });
  const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(paths, globs, (path, glob) => {
      const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
      expect(matchesGlob(path, glob)).toBe(new RegExp(`^${expressionOf(anchored)}$`).test(path));
    }),
    { numRuns: 5_000 },
  );
});

// With a regular expression each of these takes longer than anybody waits.
test.each([
  ['stars in a name', 'a'.repeat(250), `${'*a'.repeat(100)}b`],
  ['folders', 'a/'.repeat(100).concat('a'), `${'**/'.repeat(60)}b`],
  ['branches', 'a'.repeat(250), `${'{a,*}'.repeat(60)}b`],
])('a pattern of many %s comes to an end', (_name, path, glob) => {
  expect(matchesGlob(path, glob)).toBe(false);
  expect(matchesGlob(path, glob.replace(/b$/, '*'))).toBe(true);
});
