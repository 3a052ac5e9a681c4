import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AdmissionRequest } from '../../admission/index.ts';
import { describeError, type JsonObject } from '../../base/index.ts';
import {
  asStored,
  counterpart,
  createManifestSession,
  type LiveMode,
  type ManifestSettings,
  requestAgainst,
} from '../../manifest/index.ts';
import { UsageError } from '../io.ts';

/** What files are judged as changes of. Plain data: it goes to threads. */
export interface LiveObjects {
  readonly stored: readonly JsonObject[];
  readonly mode: LiveMode;
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
  return { stored, mode };
}

/** What an object asks of the stored one of its name; undefined where none is stored. */
export function liveRequest(object: JsonObject, { stored, mode }: LiveObjects): AdmissionRequest | undefined {
  const old = counterpart(object, stored);
  return old && requestAgainst(old, object, mode);
}
