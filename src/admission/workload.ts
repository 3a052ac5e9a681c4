import { isJsonObject, type JsonObject } from '../base/index.ts';
import { cleaned } from './clean.ts';
import { decode } from './decode/index.ts';
import { type Deployment, deploymentSpec, withDeadline } from './deployment.ts';
import { dnsLabelFaults, generatedLabelFaults, generateNameFaults } from './formats.ts';
import { judgeInPath, type MetadataContext, objectMeta } from './metadata.ts';
import type { ObjectMeta } from './objects.ts';
import { rootPath } from './path.ts';
import {
  defaultPodTemplate,
  mostWarnings,
  ownPodSpec,
  type PodSpec,
  type PodTemplate,
  podTemplate,
  preparedPod,
  withoutGatedFields,
} from './pod/index.ts';
import { assumedIdentity, metadataForCreate } from './prepare.ts';
import { type Check, type Context, judgementFor, type OnRuleFailure, rule } from './rule.ts';
import { type StatefulSet, statefulSetSpec, withoutGatedUpdate } from './statefulSet.ts';
import { fields } from './structure.ts';
import type { FieldError, KubernetesMinor, Verdict } from './verdict.ts';
import { deploymentWarnings, ownPodWarnings, statefulSetWarnings } from './warnings.ts';

/**
 * What the server says to the kinds beside Jobs and CronJobs that hold pods, on their creation, and what it refuses of
 * anybody's metadata. Updates of these kinds aren't judged here.
 */

/** The kinds beside Jobs and CronJobs that are known here. */
export type WorkloadName = 'Pod' | 'Deployment' | 'StatefulSet';

export interface WorkloadOptions {
  readonly version: KubernetesMinor;
  readonly onRuleFailure?: OnRuleFailure;
}

/** What the server says to the creation of such an object, also behind what can't be decoded. Never throws. */
export function judgeWorkload(object: JsonObject, kind: WorkloadName, options: WorkloadOptions): Verdict {
  const { version, onRuleFailure = () => undefined } = options;
  const faults = decode(object, { version, kind });
  const decoded = cleaned(
    object,
    faults.map(({ at }) => at),
  );
  try {
    const judged = judgeDecoded(decoded, kind, version, onRuleFailure);
    const errors = [...faults, ...judged.errors];
    const isAllowed = errors.length === 0;
    return { allowed: isAllowed, errors, warnings: isAllowed ? judged.warnings().slice(0, mostWarnings) : [] };
  } catch (error) {
    // Completing runs outside the guard that each rule has; a fault there is ours as well.
    onRuleFailure('engine', error);
    return { allowed: faults.length === 0, errors: faults, warnings: [] };
  }
}

/** Everything refused of the metadata alone, which is alike for all kinds, custom resources among them. */
export function judgeMetadata(object: JsonObject, { version, onRuleFailure }: WorkloadOptions): readonly FieldError[] {
  const { metadata } = object;
  const bare = { apiVersion: 'v1', kind: 'Pod', ...(metadata !== undefined && { metadata }) };
  const faults = decode(bare, { version, kind: 'Pod' });
  const decoded = cleaned(
    bare,
    faults.map(({ at }) => at),
  );
  const judgement = judgementFor(version, onRuleFailure ?? (() => undefined));
  const own = metadataForCreate(metadataOf(decoded), assumedIdentity);
  objectMeta.run(own, undefined, metadataContext(version), rootPath('metadata'), judgement);
  judgeInPath({ metadata: own }, version, judgement);
  return [...faults, ...judgement.errors];
}

interface Judged {
  readonly errors: readonly FieldError[];
  readonly warnings: () => readonly string[];
}

function judgeDecoded(
  decoded: JsonObject,
  kind: WorkloadName,
  version: KubernetesMinor,
  onRuleFailure: OnRuleFailure,
): Judged {
  const judgement = judgementFor(version, onRuleFailure);
  const metadata = metadataForCreate(metadataOf(decoded), assumedIdentity);
  const check = kind === 'StatefulSet' ? statefulSetMetadata : objectMeta;
  check.run(metadata, undefined, metadataContext(version), rootPath('metadata'), judgement);
  const context: Context = { version, operation: 'create' };
  const spec = rootPath('spec');
  if (kind === 'Pod') {
    const sent = completed({ ...asPod(decoded), metadata }, version);
    const pod = preparedPod(sent, version);
    podTemplate.run(pod, undefined, { ...context, isPod: true }, undefined, judgement);
    ownPodSpec.run(pod.spec, undefined, context, spec, judgement);
    judgeInPath({ metadata }, version, judgement);
    return {
      errors: withoutRepeats(judgement.errors.map(underMetadata)),
      warnings: () => ownPodWarnings(pod, sent, context),
    };
  }
  const { errors } = judgement;
  if (kind === 'Deployment') {
    const own = withDeadline(withTemplate(asDeployment(decoded).spec ?? {}, version));
    deploymentSpec.run(own, undefined, context, spec, judgement);
    judgeInPath({ metadata }, version, judgement);
    return { errors, warnings: () => deploymentWarnings({ metadata, spec: own }, context) };
  }
  const own = withoutGatedUpdate(withTemplate(asStatefulSet(decoded).spec ?? {}, version), version);
  statefulSetSpec.run(own, undefined, context, spec, judgement);
  judgeInPath({ metadata }, version, judgement);
  return { errors, warnings: () => statefulSetWarnings({ metadata, spec: own }, context) };
}

/** A pod, or the template of one, as it is judged on creation. */
function completed(pod: PodTemplate, version: KubernetesMinor): PodTemplate {
  const { restartPolicy, ...spec } = pod.spec ?? {};
  const always: PodSpec = { ...spec, restartPolicy: restartPolicy || 'Always' };
  return withoutGatedFields(defaultPodTemplate({ ...pod, spec: always }, version), undefined, version);
}

function withTemplate<T extends { readonly template?: PodTemplate }>(spec: T, version: KubernetesMinor): T {
  return { ...spec, template: completed(spec.template ?? {}, version) };
}

/** The server leaves `metadata` out of the paths in a template, not in those of a pod. */
function underMetadata(error: FieldError): FieldError {
  if (error.at[0] !== 'metadata' || error.field.startsWith('metadata')) return error;
  return { ...error, field: `metadata.${error.field.replace(/^\./, '')}` };
}

/** Labels and annotations are looked at as an object's and as a pod's. */
function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const keys = errors.map(({ field, message }) => `${field}\n${message}`);
  return errors.filter((_error, index) => keys.indexOf(keys[index] ?? '') === index);
}

function metadataContext(version: KubernetesMinor): MetadataContext {
  return { version, operation: 'create', judgesNames: true };
}

const labelNamed = rule<string, ObjectMeta, MetadataContext>({
  code: 'stateful-set-name',
  type: 'Invalid',
  source: 'Kubernetes 1.35, apps validation',
  says: "A StatefulSet's name is a DNS label: its pods and their hosts are called by it.",
  // What is no subdomain either has been complained about.
  refuses: (name) => (/^[a-z0-9.-]*$/.test(name) && name.length <= 253 && name !== '' ? dnsLabelFaults(name) : false),
});

const labelPrefix = rule<string, ObjectMeta, MetadataContext>({
  code: 'stateful-set-generate-name',
  type: 'Invalid',
  source: 'Kubernetes 1.35, apps validation',
  says: 'The generateName of a StatefulSet is the beginning of a DNS label.',
  // What begins no subdomain either has been complained about.
  refuses: (prefix) => prefix !== '' && generateNameFaults(prefix).length === 0 && generatedLabelFaults(prefix),
});

const labelName = fields<ObjectMeta, MetadataContext>({ name: labelNamed, generateName: labelPrefix });

/** The metadata of a StatefulSet. */
export const statefulSetMetadata: Check<ObjectMeta, unknown, MetadataContext> = {
  run: (value, owner, context, path, judgement) => {
    objectMeta.run(value, owner, context, path, judgement);
    labelName.run(value, owner, context, path, judgement);
  },
  visit(visit) {
    objectMeta.visit(visit);
    labelName.visit(visit);
  },
};

function metadataOf(object: JsonObject): ObjectMeta {
  const { metadata } = object;
  return isJsonObject(metadata) ? asMetadata(metadata) : {};
}

// The wire edge: decoding has told, and cleaning removed, what doesn't have the type that these interfaces state.
function asMetadata(metadata: JsonObject): ObjectMeta {
  return metadata as ObjectMeta;
}

function asPod(object: JsonObject): PodTemplate {
  return object as PodTemplate;
}

function asDeployment(object: JsonObject): Deployment {
  return object as Deployment;
}

function asStatefulSet(object: JsonObject): StatefulSet {
  return object as StatefulSet;
}
