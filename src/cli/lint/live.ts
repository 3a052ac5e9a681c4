import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AdmissionRequest, admit, type KubernetesMinor } from '../../admission/index.ts';
import { describeError, isJsonObject, type JsonObject } from '../../base/index.ts';
import { applied, createManifestSession, type ManifestSettings, nameOf } from '../../manifest/index.ts';
import { UsageError } from '../io.ts';

/** How a file meets what is stored. */
export type LiveMode = 'apply' | 'replace' | 'status';

/** The stored objects, and what a file's objects ask of them. */
export interface LiveObjects {
  readonly requestFor: (object: JsonObject) => AdmissionRequest | undefined;
}

/** Reads the objects that are stored: a file of any number of them, in any order. */
export async function readLive(
  name: string,
  mode: LiveMode,
  cwd: string,
  settings: ManifestSettings,
): Promise<LiveObjects> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, name), 'utf8');
  } catch (error) {
    throw new UsageError(`--live ${name}: ${describeError(error)}. It takes a file that holds the stored object.`);
  }
  const { documents } = createManifestSession().check(text, settings);
  const broken = documents.find(({ problem }) => problem !== undefined)?.problem;
  if (broken !== undefined) {
    const { line, column } = broken.range.start;
    throw new UsageError(
      `--live ${name}:${line + 1}:${column + 1}: ${broken.message} It takes the stored object as kubectl prints it with -o yaml.`,
    );
  }
  const stored = documents.flatMap(({ objects }) => objects.map(({ value }) => asStored(value, settings.version)));
  if (stored.length === 0) {
    throw new UsageError(
      `--live ${name}: it holds no object of a kind that is known here. Save one with kubectl get -o yaml.`,
    );
  }
  return {
    requestFor(object) {
      const old = counterpart(object, stored);
      if (old === undefined) return undefined;
      if (mode === 'status') return { operation: 'status-update', object, old };
      return { operation: 'update', object: mode === 'replace' ? object : applied(old, object), old };
    },
  };
}

/** A manifest that no server has seen yet is completed as it would be: with a UID, a selector, the generated labels. */
function asStored(object: JsonObject, version: KubernetesMinor): JsonObject {
  const metadata = object['metadata'];
  if (isJsonObject(metadata) && typeof metadata['uid'] === 'string') return object;
  const identity = {
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: '2000-01-01T00:00:00Z',
    nameSuffix: 'xxxxx',
  };
  const { stored } = admit({ operation: 'create', object }, { version, identity });
  if (stored === undefined) return object;
  return object['status'] === undefined ? stored : { ...stored, status: object['status'] };
}

/** The stored object of the same kind and name; the only one of its kind whatever its name. */
function counterpart(object: JsonObject, stored: readonly JsonObject[]): JsonObject | undefined {
  const ofKind = stored.filter((other) => other['kind'] === object['kind'] && groupOf(other) === groupOf(object));
  const { name, namespace } = nameOf(object);
  const sameName = ofKind.filter((other) => nameOf(other).name === name);
  return (
    sameName.find((other) => nameOf(other).namespace === namespace) ??
    sameName[0] ??
    (ofKind.length === 1 ? ofKind[0] : undefined)
  );
}

function groupOf(object: JsonObject): string {
  return String(object['apiVersion']).split('/')[0] ?? '';
}
