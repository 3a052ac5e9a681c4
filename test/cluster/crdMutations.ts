import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';

/** An object that differs from a valid one in one place. */
export interface Mutation {
  readonly name: string;
  readonly object: JsonObject;
}

type Path = readonly (string | number)[];

/** What may go wrong with a value: another type, another word, nothing at all. */
const replacements: readonly (readonly [name: string, value: JsonValue])[] = [
  ['a text', 'surprise'],
  ['an empty text', ''],
  ['a number', 7],
  ['a negative number', -3],
  ['a fraction', 1.5],
  ['a huge number', 5_000_000_000],
  ['true', true],
  ['null', null],
  ['a list', ['surprise']],
  ['an empty list', []],
  ['a map', { surprise: 'surprise' }],
  ['an empty map', {}],
];

/**
 * Every single change of a valid object: an unknown field in each map, each field left out, each value replaced, each
 * list with its first item twice. The object's own type stays, and of metadata, which is the same for all kinds, all but
 * what each kind's server has to look at by itself.
 */
export function mutationsOf(object: JsonObject): readonly Mutation[] {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object;
  const noPath = { ...(isJsonObject(metadata) ? metadata : {}), generateName: 'a/-' };
  return [
    { name: 'metadata.generateName: no piece of a path', object: { ...object, metadata: noPath } },
    ...mutations(rest, []).map(({ name, object: changed }) => ({ name, object: { ...object, ...changed } })),
  ];
}

function mutations(value: JsonValue, path: Path): readonly Mutation[] {
  const root = (inner: JsonValue, name: string): Mutation => ({ name, object: isJsonObject(inner) ? inner : {} });
  return changesOf(value, path).map(({ name, value: changed }) => root(changed, name));
}

interface Change {
  readonly name: string;
  readonly value: JsonValue;
}

/** All changes of a value, those of its parts included. */
function changesOf(value: JsonValue, path: Path): readonly Change[] {
  const place = path.join('.');
  if (isJsonObject(value)) {
    const entries = Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, member] as const],
    );
    return [
      { name: `${place}: an unknown field`, value: { ...value, surprise: 1 } },
      ...entries.flatMap(([key, member]) => {
        const { [key]: _left, ...without } = value;
        const below = [...path, key];
        return [
          { name: `${below.join('.')}: left out`, value: without },
          ...replacements.map(([name, other]) => ({
            name: `${below.join('.')}: ${name}`,
            value: { ...value, [key]: other },
          })),
          ...changesOf(member, below).map((change) => ({ ...change, value: { ...value, [key]: change.value } })),
        ];
      }),
    ];
  }
  if (!Array.isArray(value)) return [];
  const items: readonly JsonValue[] = value;
  const [first] = items;
  return [
    ...(first === undefined ? [] : [{ name: `${place}: its first item twice`, value: [...items, first] }]),
    ...items.flatMap((item, index) =>
      changesOf(item, [...path, index]).map((change) => ({ ...change, value: items.with(index, change.value) })),
    ),
  ];
}
