import {
  byteLength,
  dnsLabelFaults,
  dnsSubdomainFaults,
  generateNameFaults,
  immutableMessage,
  labelValueFaults,
  lowerCase,
  pathPrefixFaults,
  qualifiedNameFaults,
} from './formats.ts';
import type { ObjectMeta, OwnerReference } from './objects.ts';
import { type Complaint, type Context, type Judgement, rule } from './rule.ts';
import { all, each, fields, printedAs } from './structure.ts';
import type { KubernetesMinor } from './verdict.ts';
import { isAtLeast } from './version.ts';

/** Metadata: names, labels, annotations, finalizers, owners. Source: Kubernetes 1.35, object meta validation. */

/** What metadata is judged in; the stored metadata is there on updates. */
export interface MetadataContext extends Context {
  readonly oldMetadata?: ObjectMeta;
  /** Names are judged on creation, and where the server repeats that on updates. */
  readonly judgesNames: boolean;
  /** The status of a CronJob is written without the look at finalizers that all other writes get. */
  readonly toleratesPlainFinalizers?: boolean;
}

type Strings = Readonly<Record<string, string>>;

const maxAnnotationBytes = 262144;
const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

const nameRequired = rule<string, ObjectMeta, MetadataContext>({
  code: 'name-required',
  type: 'Required',
  source: 'A2',
  says: 'An object needs a name, or a generateName to make one from.',
  evenIfAbsent: true,
  refuses: (name = '') => name === '' && 'name or generateName is required',
});

const nameFormat = rule<string, ObjectMeta, MetadataContext>({
  code: 'name-format',
  type: 'Invalid',
  source: 'A1',
  says: 'A name is a DNS subdomain: lower case letters, digits, dashes and dots, at most 253 characters.',
  refuses: (name, _metadata, { judgesNames }) => name !== '' && judgesNames && dnsSubdomainFaults(name),
});

const generateNameFormat = rule<string, ObjectMeta, MetadataContext>({
  code: 'generate-name-format',
  type: 'Invalid',
  source: 'A3',
  says: 'A generateName is the beginning of a DNS subdomain; a dash at its end is fine.',
  refuses: (prefix, _metadata, { operation, judgesNames }) => {
    if (prefix === '') return false;
    const faults = judgesNames ? generateNameFaults(prefix) : [];
    // The character before a dash at the end is not looked at as one of a DNS subdomain, but it is as one of a path.
    return judgesNames && operation === 'create' ? faults : [...pathPrefixFaults(prefix), ...faults];
  },
});

const namespaceFormat = rule<string>({
  code: 'namespace-format',
  type: 'Invalid',
  source: 'A4',
  says: 'A namespace is a DNS label.',
  refuses: (namespace) => namespace !== '' && dnsLabelFaults(namespace),
});

/** A complaint about one entry of a map or list that the server files under the whole. */
function faultOf(value: string, fault: string, within: string | number): Complaint {
  return { message: `${JSON.stringify(value)}: ${fault}`, within: [within] };
}

const labelFormat = rule<Strings>({
  code: 'label-format',
  type: 'Invalid',
  source: 'A7',
  says: 'A label key is `name` or `prefix/name`; its value has at most 63 letters, digits, dashes, underscores and dots.',
  refuses: (labels) => {
    const complaints: Complaint[] = [];
    for (const key in labels) {
      for (const fault of qualifiedNameFaults(key)) complaints.push(faultOf(key, fault, key));
      const value = labels[key] ?? '';
      for (const fault of labelValueFaults(value)) complaints.push(faultOf(value, fault, key));
    }
    return complaints;
  },
});

/** Labels, wherever they stand. */
export const labels = all<Strings, unknown, Context>(labelFormat);

// Annotation keys may have capitals where label keys may not: they are judged in lower case.
const annotationKey = rule<Strings>({
  code: 'annotation-key',
  type: 'Invalid',
  source: 'A8',
  says: 'An annotation key is `name` or `prefix/name`.',
  refuses: (annotations) => {
    const complaints: Complaint[] = [];
    for (const key in annotations) {
      for (const fault of qualifiedNameFaults(lowerCase(key))) complaints.push(faultOf(key, fault, key));
    }
    return complaints;
  },
});

const annotationsSize = rule<Strings>({
  code: 'annotations-size',
  type: 'TooLong',
  source: 'A8',
  says: 'All annotations together have at most 256 KiB.',
  refuses: (annotations) => {
    let bytes = 0;
    for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? '');
    return bytes > maxAnnotationBytes && `may not be more than ${maxAnnotationBytes} bytes`;
  },
});

/** Annotations, wherever they stand. */
export const annotations = all<Strings, unknown, Context>(annotationKey, annotationsSize);

const finalizerFormat = rule<readonly string[]>({
  code: 'finalizer-format',
  type: 'Invalid',
  source: 'A9',
  says: 'A finalizer is a qualified name.',
  refuses: (finalizers) =>
    finalizers.flatMap((finalizer, index) =>
      qualifiedNameFaults(finalizer).map((fault) => faultOf(finalizer, fault, index)),
    ),
});

const finalizersExclusive = rule<readonly string[]>({
  code: 'finalizers-exclusive',
  type: 'Invalid',
  source: 'A9',
  says: 'An object is either orphaning its dependents or waiting for them, not both.',
  refuses: (finalizers) =>
    finalizers.includes('orphan') &&
    finalizers.includes('foregroundDeletion') &&
    'finalizer orphan and foregroundDeletion cannot be both set',
});

const finalizerQualified = rule<string, readonly string[], MetadataContext>({
  code: 'finalizer-qualified',
  type: 'Invalid',
  source: 'A9',
  says: 'A finalizer without a domain is one of the standard ones.',
  refuses: (finalizer, _finalizers, { toleratesPlainFinalizers }) =>
    toleratesPlainFinalizers !== true &&
    !finalizer.includes('/') &&
    !standardFinalizers.has(finalizer) &&
    `${JSON.stringify(finalizer)}: name is neither a standard finalizer name nor is it fully qualified`,
});

const noNewFinalizers = rule<readonly string[], ObjectMeta, MetadataContext>({
  code: 'finalizers-closed',
  type: 'Forbidden',
  source: 'A11',
  says: 'An object that is being deleted gets no new finalizers.',
  refuses: (finalizers, _metadata, { oldMetadata }) => {
    if (oldMetadata?.deletionTimestamp === undefined) return false;
    const added = finalizers.filter((one) => oldMetadata.finalizers?.includes(one) !== true);
    return (
      added.length > 0 &&
      `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`
    );
  },
});

const ownerVersion = rule<string, OwnerReference>({
  code: 'owner-api-version',
  type: 'Invalid',
  source: 'A10',
  says: 'The apiVersion of an owner is `group/version` or `version`.',
  evenIfAbsent: true,
  refuses: (apiVersion = '', _owner, { version }) => {
    if (isAtLeast(version, '1.37') && apiVersion === '') return false;
    return versionOf(apiVersion) === '' && 'version must not be empty';
  },
});

/** A part of an owner reference that may not be empty: Invalid until 1.36, Required from 1.37 on. */
function notEmpty(code: string, says: string) {
  const facts = { source: 'A10', says, evenIfAbsent: true } as const;
  const refuses = (text = ''): false | string => text === '' && 'must not be empty';
  return [
    rule<string, OwnerReference>({ ...facts, code: `${code}-empty`, type: 'Invalid', until: '1.36', refuses }),
    rule<string, OwnerReference>({ ...facts, code: `${code}-required`, type: 'Required', since: '1.37', refuses }),
  ] as const;
}

const [, ownerVersionRequired] = notEmpty('owner-api-version', 'An owner reference names its apiVersion.');

// Only v1 Events are banned, those of events.k8s.io are not.
const ownerNotEvent = rule<OwnerReference>({
  code: 'owner-not-event',
  type: 'Invalid',
  source: 'A10',
  says: 'An Event owns nothing.',
  refuses: (owner) =>
    owner.apiVersion === 'v1' && owner.kind === 'Event' && '/v1, Kind=Event is disallowed from being an owner',
});

const oneController = rule<readonly OwnerReference[]>({
  code: 'owner-one-controller',
  type: 'Invalid',
  source: 'A10',
  says: 'At most one owner is the controller.',
  refuses: (owners) => {
    const complaints: Complaint[] = [];
    let first = '';
    for (const owner of owners) {
      if (owner.controller !== true) continue;
      const name = `${owner.kind ?? ''}/${owner.name ?? ''}`;
      if (first === '') first = name;
      else {
        complaints.push({
          message: `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${name}`,
        });
      }
    }
    return complaints;
  },
});

/** The version in `group/version` or `version`; empty if there is none, or if there are too many slashes. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return '';
  return parts[parts.length - 1] ?? '';
}

/** System metadata that the server has filled in before, so that only a contradiction is left to complain about. */
function immutable(code: string, says: string, field: keyof ObjectMeta) {
  return rule<string | number, ObjectMeta, MetadataContext>({
    code,
    type: 'Invalid',
    source: 'A11',
    says,
    evenIfAbsent: true,
    refuses: (value, _metadata, { operation, oldMetadata }) =>
      operation !== 'create' && value !== oldMetadata?.[field] && immutableMessage,
  });
}

/** The metadata of a Job or CronJob, after preparation, in every operation. */
export const objectMeta = fields<ObjectMeta, MetadataContext>({
  name: [nameRequired, nameFormat, immutable('name-immutable', 'An object keeps its name.', 'name')],
  generateName: generateNameFormat,
  namespace: [namespaceFormat, immutable('namespace-immutable', 'An object stays in its namespace.', 'namespace')],
  uid: immutable('uid-immutable', 'An object keeps its UID.', 'uid'),
  creationTimestamp: immutable('creation-immutable', 'An object keeps its time of creation.', 'creationTimestamp'),
  deletionTimestamp: immutable('deletion-immutable', 'Only a deletion sets the time of deletion.', 'deletionTimestamp'),
  deletionGracePeriodSeconds: immutable(
    'deletion-grace-immutable',
    'Only a deletion sets its grace period.',
    'deletionGracePeriodSeconds',
  ),
  labels,
  annotations,
  ownerReferences: [
    each<OwnerReference, MetadataContext>(
      printedAs<OwnerReference, readonly OwnerReference[], MetadataContext>(
        ({ version }) => (isAtLeast(version, '1.37') ? undefined : ''),
        fields<OwnerReference, MetadataContext>({
          apiVersion: [ownerVersion, ownerVersionRequired],
          kind: notEmpty('owner-kind', 'An owner reference names its kind.'),
          name: notEmpty('owner-name', 'An owner reference names its owner.'),
          uid: notEmpty('owner-uid', "An owner reference carries its owner's UID."),
        }),
        ownerNotEvent,
      ),
    ),
    oneController,
  ],
  finalizers: [
    noNewFinalizers,
    finalizerFormat,
    finalizersExclusive,
    each<string, MetadataContext>(finalizerQualified),
  ],
});

const metadataInPath = fields<{ readonly metadata?: ObjectMeta }, MetadataContext>({
  metadata: fields<ObjectMeta, MetadataContext>({ generateName: generateNameFormat }),
});

/** The server looks at a creation's metadata as pieces of a URL only if all rules of its kind hold. */
export function judgeInPath(
  object: { readonly metadata?: ObjectMeta },
  version: KubernetesMinor,
  judgement: Judgement,
): void {
  if (judgement.errors.length > 0) return;
  const context = { version, operation: 'create', judgesNames: false } as const;
  metadataInPath.run(object, undefined, context, undefined, judgement);
}
