import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Composer, isAlias, isMap, isPair, isScalar, isSeq, Parser } from 'yaml';
import { atOnce } from '../../src/base/index.ts';
import { parseInPieces, parseOptions } from '../../src/manifest/yaml/parseInPieces.ts';
import { mangled, manifests, scalars } from './mangled.ts';

/** However small the parts in which a text is composed, what comes of it is what the parser makes of it in one go. */
function check(text: string, charactersOfPiece: number): void {
  const [document] = [...new Composer(parseOptions).compose(new Parser().parse(text), true, text.length)];
  const { contents, errors } = atOnce(parseInPieces(text, charactersOfPiece));
  expect({ contents: plain(contents), errors: errors.map(plainError) }).toEqual({
    contents: plain(document?.contents ?? undefined),
    errors: document?.errors.map(plainError),
  });
}

const plainError = ({ code, message, pos }: { code: string; message: string; pos: unknown }) => ({
  code,
  message,
  pos,
});

/** All that is read of a node. */
function plain(node: unknown): unknown {
  if (isPair(node)) return { key: plain(node.key), value: plain(node.value) };
  if (isAlias(node)) return { alias: node.source, range: node.range };
  if (isScalar(node)) {
    const { source, type, tag, anchor, range } = node;
    return { source, type, tag, anchor, range };
  }
  if (!isMap(node) && !isSeq(node)) return node;
  const { tag, anchor, range, flow } = node;
  return { kind: isMap(node) ? 'map' : 'list', tag, anchor, range, flow, items: node.items.map(plain) };
}

const anchors = [
  'a: &x\n  b: &y 1\n  c:\n  - &z {d: *y}\n  - e\nf: *x\ng:\n  <<: *x\n  h: [*z, &u v]\n',
  '- &a\n  - b: c\n    d: e\n- *a\n-\n  f: &\n    g: h\n  i: ! \n    j: k\n# l\n',
  '? - a\n  - b\n: - c\n  - d: e\n    # f\n    g: h\n# i\n',
  'a: !!set\n  ? b\n  ? c\nd: !!omap\n  - e: f\n  - g: h\n',
];

const json = [
  '{"a": {"b": [1, 2, {"c": "d"}], "e": [[3], [4, 5]]}, "f": [], "g": {}}',
  '{\n  "a": [\n    {"b": 1},\n    {"c": {\n      "d": [1,\n 2]}}\n  ],\n  "e": "f"\n}\n',
  'a: [b, {c: d, e: [f, g]},\n  h: i, [j]]\nk: {l: {m: n}, o: [p,\n  q]}\n',
];

test.each([1, 12, 100])('in parts of %i characters it reads what people write', (charactersOfPiece) => {
  for (const text of [...manifests, ...scalars, ...anchors, ...json]) check(text, charactersOfPiece);
});

test('in small parts it reads whatever else somebody types', () => {
  const text = fc.oneof(mangled(manifests), mangled(scalars), mangled(anchors), mangled(json));
  fc.assert(
    fc.property(text, fc.constantFrom(1, 12, 100), (typed, charactersOfPiece) => check(typed, charactersOfPiece)),
    { numRuns: 1500 },
  );
});
