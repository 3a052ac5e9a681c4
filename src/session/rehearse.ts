import type { JsonObject } from '../base/index.ts';
import {
  explainKubeError,
  jobs,
  type KubeApi,
  KubeError,
  type KubeErrorKind,
  type KubeObject,
  type ResourceType,
} from '../kube/index.ts';
import type { LiveKey } from './liveObjects.ts';

const cronJobs: ResourceType = { group: 'batch', version: 'v1', plural: 'cronjobs' };

/** The resource type of an object that a text may speak of. */
export function resourceOf({ kind }: Pick<LiveKey, 'kind'>): ResourceType {
  return kind === 'Job' ? jobs : cronJobs;
}

/** The object as the cluster has it now; undefined where there is none. Rejects with `KubeError`. */
export async function readLive(api: KubeApi, key: LiveKey, signal: AbortSignal): Promise<JsonObject | undefined> {
  try {
    const { namespace, name } = key;
    return await api.get<KubeObject & JsonObject>(resourceOf(key), { namespace, name }, signal);
  } catch (error) {
    if (error instanceof KubeError && (error.kind === 'not-found' || error.kind === 'namespace-missing'))
      return undefined;
    throw error;
  }
}

/** A write that is to be tried without being carried out. */
export interface Rehearsal {
  readonly kind: LiveKey['kind'];
  readonly namespace: string;
  readonly body: JsonObject;
  /** The name of the stored object that is replaced; absent for a creation. */
  readonly replaces?: string;
}

/** What the API server said to it. */
export interface RehearsalAnswer {
  readonly operation: 'create' | 'update';
  /** `v1.35.4` */
  readonly serverVersion: string;
  /** `1.35` */
  readonly serverMinor: string;
  readonly warnings: readonly string[];
  /** Absent: it would be taken. */
  readonly refusal?: {
    /** The server's own rules, its decoder, or something else in the cluster. */
    readonly by: 'validation' | 'decoding' | 'policy';
    readonly message: string;
    readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  };
}

/** Refusals that are an answer about the object; everything else means that there was none. */
const answers: Readonly<Partial<Record<KubeErrorKind, 'validation' | 'decoding' | 'policy'>>> = {
  invalid: 'validation',
  'bad-request': 'decoding',
  forbidden: 'policy',
  'quota-exceeded': 'policy',
  'admission-denied': 'policy',
  'namespace-missing': 'policy',
  'already-exists': 'policy',
  conflict: 'policy',
  'not-found': 'policy',
  'too-large': 'policy',
};

/** Asks the API server by a dry run, as strictly as kubectl does. Nothing is stored. Rejects where it can't be asked. */
export async function rehearse(api: KubeApi, rehearsal: Rehearsal, signal: AbortSignal): Promise<RehearsalAnswer> {
  const { namespace, body, replaces } = rehearsal;
  const type = resourceOf(rehearsal);
  const { minor, gitVersion } = await api.serverVersion(signal);
  const operation = replaces === undefined ? 'create' : 'update';
  const answer = { operation, serverVersion: gitVersion, serverMinor: minor } as const;
  const options = { dryRun: true, fieldManager: 'delegated-jobs', fieldValidation: 'Strict' } as const;
  try {
    const { warnings } =
      replaces === undefined
        ? await api.create(type, namespace, body, options, signal)
        : await api.replace(type, { namespace, name: replaces }, body, options, signal);
    return { ...answer, warnings };
  } catch (error) {
    const by = error instanceof KubeError ? answers[error.kind] : undefined;
    if (!(error instanceof KubeError) || by === undefined) throw error;
    const message = by === 'policy' ? explainKubeError(error).what : error.message;
    return { ...answer, warnings: [], refusal: { by, message, causes: error.causes } };
  }
}
