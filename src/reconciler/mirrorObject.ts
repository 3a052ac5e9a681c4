import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Job } from '../kube/index.ts';
import { type DispatchRecord, isOurKey, mirrorKeys } from './record.ts';

/**
 * Builds the mirror: the Job as its author wrote it, minus what belongs to the management cluster alone. Works on raw
 * JSON, so that fields newer than this program are carried along.
 */

/** Written by the API server into every Job and its template: the worker's own server fills them anew. */
const generatedLabels: ReadonlySet<string> = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
]);

/**
 * Domains whose labels and annotations mean something to a tool of the management cluster: copied, they would make a
 * GitOps agent prune the mirror, or a queue take it over. A name covers its subdomains.
 */
const managementDomains: readonly string[] = [
  'argocd.argoproj.io',
  'batch.kubernetes.io',
  'cattle.io',
  'cli-utils.sigs.k8s.io',
  'config.k8s.io',
  'config.kubernetes.io',
  'configmanagement.gke.io',
  'configsync.gke.io',
  'fluxcd.io',
  'helm.sh',
  'k14s.io',
  'karmada.io',
  'kubectl.kubernetes.io',
  'kueue.x-k8s.io',
  'kustomize.toolkit.fluxcd.io',
  'meta.helm.sh',
  'open-cluster-management.io',
];

/** Single keys of the same sort, in a domain whose other keys are the author's own. */
const managementKeys: ReadonlySet<string> = new Set(['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by']);

/** Fields of the spec that concern the management Job only, or that the worker's server must fill itself. */
const managementFields: ReadonlySet<string> = new Set([
  'managedBy',
  'selector',
  'ttlSecondsAfterFinished',
  'suspend',
  'template',
]);

/**
 * Fields of the spec that may change on a live Job and are followed, so they are no part of the hash.
 * Source: Kubernetes 1.35, batch validation, mutable fields (C1, C4).
 */
const followedFields: ReadonlySet<string> = new Set([
  'parallelism',
  'completions',
  'backoffLimit',
  'activeDeadlineSeconds',
]);

/** The object to create on the worker; always suspended: it is started once its UID is on record. */
export function buildMirror(
  origin: Job,
  record: Pick<DispatchRecord, 'attempt' | 'mirrorName'>,
  originCluster: string,
): JsonObject {
  const { name, namespace = '', uid, labels, annotations } = origin.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: record.mirrorName,
      namespace,
      labels: {
        ...authorsOwn(labels),
        [mirrorKeys.originCluster]: originCluster,
        [mirrorKeys.originUid]: uid,
        [mirrorKeys.attempt]: String(record.attempt),
      },
      annotations: {
        ...authorsOwn(annotations),
        [mirrorKeys.originName]: `${namespace}/${name}`,
        [mirrorKeys.specHash]: specHash(origin),
      },
    },
    spec: { ...mirrorSpec(origin), suspend: true },
  };
}

/** The part of the spec that the mirror takes from its origin, unknown fields included; without `suspend`. */
function mirrorSpec(origin: Job): JsonObject {
  const spec: Record<string, JsonValue | undefined> = {};
  for (const [key, value] of fieldsOf(origin.spec)) if (!managementFields.has(key)) spec[key] = value;
  spec['template'] = mirrorTemplate(origin.spec.template);
  return spec;
}

function mirrorTemplate(template: JsonObject): JsonObject {
  const { metadata, ...rest } = template;
  if (!isJsonObject(metadata)) return template;
  const { labels, ...otherMetadata } = metadata;
  if (!isJsonObject(labels)) return template;
  const kept = Object.fromEntries(Object.entries(labels).filter(([key]) => !generatedLabels.has(key)));
  const all = Object.keys(kept).length > 0 ? { ...otherMetadata, labels: kept } : otherMetadata;
  return Object.keys(all).length > 0 ? { metadata: all, ...rest } : rest;
}

/**
 * Names what the mirror was built from: two Jobs with the same hash differ in followed fields and metadata at most.
 * Sixteen hexadecimal digits over the canonical JSON.
 */
export function specHash(origin: Job): string {
  const fixed = Object.fromEntries(fieldsOf(mirrorSpec(origin)).filter(([key]) => !followedFields.has(key)));
  return createHash('sha256').update(canonicalJson(fixed)).digest('hex').slice(0, 16);
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** Labels or annotations that the Job's author meant for whoever runs it. */
function authorsOwn(entries: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => isAuthorsOwn(key)));
}

function isAuthorsOwn(key: string): boolean {
  if (generatedLabels.has(key) || managementKeys.has(key) || isOurKey(key)) return false;
  const slash = key.indexOf('/');
  if (slash < 0) return true;
  const domain = key.slice(0, slash);
  return !managementDomains.some((known) => domain === known || domain.endsWith(`.${known}`));
}

/** The raw fields of a typed object. */
function fieldsOf(value: unknown): [string, JsonValue | undefined][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/**
 * What a server would run as the mirror must be run by its built-in controller (A9): a webhook may have put `managedBy`
 * back. Answers why it would not run, or undefined.
 */
export function whyNotRunnable(mirror: Job): string | undefined {
  const { managedBy, selector } = mirror.spec;
  if (managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller') {
    return `on the worker, spec.managedBy is "${managedBy}"`;
  }
  return selector === undefined ? 'the worker gave the mirror no pod selector' : undefined;
}
