import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/index.ts';
import { jsonPatch, mergePatch, patchMediaType } from '../../src/sandbox/patch.ts';
import { strategicMerge } from '../../src/sandbox/strategicMerge.ts';

describe('a strategic merge patch', () => {
  function check(target: JsonObject, patch: JsonObject, expected: JsonObject): void {
    expect(strategicMerge(target, patch)).toEqual(expected);
  }

  const containers = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ];

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['sets, adds and removes fields', { a: 1, b: 2 }, { a: 3, b: null, c: 4 }, { a: 3, c: 4 }],
    ['merges objects', { a: { x: 1, y: 2 } }, { a: { y: null, z: 3 } }, { a: { x: 1, z: 3 } }],
    ['replaces a list without a key', { args: ['x'] }, { args: ['y'] }, { args: ['y'] }],
    [
      'merges an item by its key',
      { containers },
      { containers: [{ name: 'b', image: '2' }] },
      {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '2' },
        ],
      },
    ],
    [
      'puts a new item first',
      { containers },
      { containers: [{ name: 'c', image: '3' }] },
      { containers: [{ name: 'c', image: '3' }, ...containers] },
    ],
    [
      'removes an item',
      { containers },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [containers[1] ?? {}] },
    ],
    [
      'replaces a keyed list',
      { containers },
      { containers: [{ $patch: 'replace' }, { name: 'z' }] },
      { containers: [{ name: 'z' }] },
    ],
    [
      'arranges a list as it is told',
      { containers },
      { containers: [{ name: 'a', image: '2' }], '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      {
        containers: [
          { name: 'b', image: '1' },
          { name: 'a', image: '2' },
        ],
      },
    ],
    [
      'joins finalizers as a set, new ones first',
      { finalizers: ['a'] },
      { finalizers: ['b', 'a'] },
      { finalizers: ['b', 'a'] },
    ],
    [
      'takes a finalizer away',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    ['replaces an object', { a: { x: 1 } }, { a: { $patch: 'replace', y: 2 } }, { a: { y: 2 } }],
    ['empties an object', { a: { x: 1 } }, { a: { $patch: 'delete' } }, { a: {} }],
    [
      'keeps only the keys that it names',
      { a: { x: 1, y: 2, z: 3 } },
      { a: { $retainKeys: ['x', 'z'], z: 4 } },
      { a: { x: 1, z: 4 } },
    ],
    [
      'leaves no orders in what it adds',
      {},
      { containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] },
      { containers: [{ name: 'b' }] },
    ],
  ])('%s', (_, target, patch, expected) => check(target, patch, expected));

  it('refuses an item without the key of its list', () => {
    expect(() => strategicMerge({ containers }, { containers: [{ image: 'x' }] })).toThrow(
      'does not contain declared merge key: name',
    );
  });
});

describe('a merge patch', () => {
  // The examples of RFC 7386, appendix A.
  it.each<[JsonValue, JsonValue, JsonValue]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j with %j is %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it('changes nothing when it is applied again', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const once = mergePatch(JSON.parse(JSON.stringify(target)), JSON.parse(JSON.stringify(patch)));
        expect(mergePatch(once, JSON.parse(JSON.stringify(patch)))).toEqual(once);
      }),
    );
  });
});

describe('a JSON patch', () => {
  function check(target: JsonValue, operations: readonly JsonObject[], expected: JsonValue): void {
    expect(jsonPatch(target, operations)).toEqual(expected);
  }

  it.each<[string, JsonValue, JsonObject[], JsonValue]>([
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['inserts into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['appends to a list', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['removes a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes from a list', { a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    ['replaces', { a: { b: 1 } }, [{ op: 'replace', path: '/a/b', value: 2 }], { a: { b: 2 } }],
    ['moves', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    ['copies', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    ['tests', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
    [
      'reads escapes',
      { 'a/b': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/m~0n' },
      ],
      {},
    ],
    ['replaces the whole', { a: 1 }, [{ op: 'add', path: '', value: { b: 2 } }], { b: 2 }],
  ])('%s', (_, target, operations, expected) => check(target, operations, expected));

  it.each<[string, JsonObject]>([
    ['a test that fails', { op: 'test', path: '/a', value: 2 }],
    ['a place that is not there', { op: 'remove', path: '/b' }],
    ['a parent that is not there', { op: 'add', path: '/b/c', value: 1 }],
    ['an index beyond the list', { op: 'add', path: '/l/9', value: 1 }],
    ['an unknown operation', { op: 'paint', path: '/a' }],
    ['a path that is no pointer', { op: 'remove', path: 'a' }],
    ['no value', { op: 'add', path: '/b' }],
  ])('is refused for %s', (_, operation) => {
    expect(() => jsonPatch({ a: 1, l: [] }, [operation])).toThrow();
  });
});

describe('the media type of a patch', () => {
  it('may have parameters', () => {
    expect(patchMediaType('application/merge-patch+json; charset=utf-8')).toBe('application/merge-patch+json');
  });

  it('is refused with a reason where the sandbox lacks it', () => {
    expect(() => patchMediaType('application/apply-patch+yaml')).toThrow('the sandbox has no server-side apply');
  });
});
