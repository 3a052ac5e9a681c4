import { readdirSync, readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';

/** Valid manifests of every kind, and what becomes of them by single changes. */

const folder = new URL('../fixtures/manifest/ecosystem/valid/', import.meta.url);

/** Every valid object with the kind that it is of, in the order of the files. */
export const validObjects: readonly { readonly key: string; readonly value: JsonObject }[] = readdirSync(
  folder,
).flatMap((file) => {
  const { documents } = createManifestSession().check(readFileSync(new URL(file, folder), 'utf8'), { version: '1.35' });
  return documents.flatMap(({ objects }) =>
    objects.map(({ apiVersion, kind, value }) => ({ key: `${kind} ${apiVersion}`, value })),
  );
});

/** The first valid object of a kind: `JobSet jobset.x-k8s.io/v1alpha2`, or its kind alone where that is enough. */
export function valid(kind: string): JsonObject {
  const found = validObjects.find(({ key }) => key === kind || key.startsWith(`${kind} `));
  if (found === undefined) throw new Error(`There is no valid ${kind}.`);
  return found.value;
}

/** A copy with another value at a path (`spec.containers.0.image`); undefined takes out what stands there. */
export function withValue(object: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const changed = changedAt(object, path.split('.'), value);
  return isJsonObject(changed) ? changed : {};
}

function changedAt(
  holder: JsonValue | undefined,
  [step = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  if (Array.isArray(holder)) {
    const items: readonly JsonValue[] = holder;
    const index = Number(step);
    if (rest.length > 0) return items.with(index, changedAt(items[index], rest, value));
    return value === undefined
      ? items.toSpliced(index, 1)
      : items.toSpliced(index, index < items.length ? 1 : 0, value);
  }
  const members = isJsonObject(holder) ? holder : {};
  const { [step]: before, ...others } = members;
  if (rest.length === 0 && value === undefined) return others;
  return { ...members, [step]: rest.length === 0 ? value : changedAt(before, rest, value) };
}
