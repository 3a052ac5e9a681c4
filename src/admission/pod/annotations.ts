import { isJsonObject, type JsonObject } from '../../base/index.ts';
import { below } from '../path.ts';
import { type Check, type Complaint, rule } from '../rule.ts';
import { all } from '../structure.ts';
import { containersOf, type PodContext } from './context.ts';
import { deletionCostKey, isDeletionCost } from './deletionCost.ts';
import { descendingPathFaults } from './filePaths.ts';
import { about, aboutEach } from './ruleShapes.ts';
import { tolerations } from './toleration.ts';
import type { PodSpec, SecurityProfile, Toleration } from './types.ts';

/** Annotations that once were, or still are, fields of the pod. Source: Kubernetes 1.35, core validation, annotations. */

const source = 'G1';
type Annotations = Readonly<Record<string, string>>;

const mirrorKey = 'kubernetes.io/config.mirror';
const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';

/** The annotation that once was the pod's seccompProfile. */
export const podSeccompKey = 'seccomp.security.alpha.kubernetes.io/pod';

/** With a container's name: the annotation that once was its seccompProfile. */
export const containerSeccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

/** With a container's name: the annotation that once was its appArmorProfile. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const localhostPrefix = 'localhost/';

const mirrorNeedsNode = rule<Annotations, unknown, PodContext>({
  code: 'mirror-pod-node',
  type: 'Invalid',
  source,
  says: 'The mirror of a static pod has a node.',
  refuses: (annotations, _owner, { spec }) =>
    mirrorKey in annotations &&
    (spec.nodeName ?? '') === '' && [
      {
        at: [{ key: mirrorKey }],
        message: about(annotations[mirrorKey] ?? '', 'must set spec.nodeName if mirror pod annotation is set'),
      },
    ],
});

const deletionCost = rule<Annotations, unknown, PodContext>({
  code: 'deletion-cost',
  type: 'Invalid',
  source,
  says: 'The cost of deletion is a whole number of 32 bits.',
  refuses: (annotations, _owner, { tolerances }) =>
    !tolerances.badDeletionCost &&
    !isDeletionCost(annotations) && [
      {
        at: [{ key: deletionCostKey }],
        message: about(annotations[deletionCostKey] ?? '', 'must be a 32bit integer'),
      },
    ],
});

function seccompFaults(profile: string): readonly string[] {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return [];
  if (!profile.startsWith(localhostPrefix)) return [about(profile, 'must be a valid seccomp profile')];
  const file = profile.slice(localhostPrefix.length);
  return aboutEach(file, descendingPathFaults(file));
}

const seccomp = rule<Annotations>({
  code: 'seccomp-annotation',
  type: 'Invalid',
  source,
  says: 'A seccomp annotation names a profile.',
  refuses: (annotations) => {
    const complaints: Complaint[] = [];
    for (const key in annotations) {
      if (key !== podSeccompKey && !key.startsWith(containerSeccompPrefix)) continue;
      for (const message of seccompFaults(annotations[key] ?? '')) complaints.push({ at: [key], message });
    }
    return complaints;
  },
});

const appArmorContainer = rule<Annotations, unknown, PodContext>({
  code: 'app-armor-annotation-container',
  type: 'Invalid',
  source,
  says: "An AppArmor annotation is for one of the pod's containers.",
  refuses: (annotations, _owner, { spec }) => {
    const complaints: Complaint[] = [];
    let names: ReadonlySet<string> | undefined;
    for (const key in annotations) {
      if (!key.startsWith(appArmorPrefix)) continue;
      const name = key.slice(appArmorPrefix.length);
      names ??= new Set(Array.from(containersOf(spec), ({ container }) => container.name ?? ''));
      if (!names.has(name)) complaints.push({ at: [{ key }], message: about(name, 'container not found') });
    }
    return complaints;
  },
});

const appArmorFormat = rule<Annotations>({
  code: 'app-armor-annotation',
  type: 'Invalid',
  source,
  says: 'An AppArmor annotation names a profile.',
  refuses: (annotations) => {
    const complaints: Complaint[] = [];
    for (const key in annotations) {
      const profile = annotations[key] ?? '';
      const isFine = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localhostPrefix);
      if (!key.startsWith(appArmorPrefix) || isFine) continue;
      const message = about(profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
      complaints.push({ at: [{ key }], message });
    }
    return complaints;
  },
});

const tolerationsReadable = all(
  rule<string>({
    code: 'tolerations-annotation',
    type: 'Invalid',
    source,
    says: 'The annotation with tolerations is a list of them in JSON.',
    refuses: (text) =>
      tolerationsIn(text) === undefined && about(tolerationsKey, 'is not a list of tolerations in JSON'),
  }),
);

const tolerationFields = ['key', 'operator', 'value', 'effect'] as const;

/** The tolerations that a text holds, names of fields in any case; undefined if it doesn't hold such a list. */
function tolerationsIn(text: string): readonly Toleration[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not JSON at all: the rule says so.
    return undefined;
  }
  if (parsed === null) return [];
  if (!Array.isArray(parsed)) return undefined;
  const found: Toleration[] = [];
  for (const item of parsed) {
    const one = item === null ? {} : isJsonObject(item) && tolerationIn(item);
    if (one === false || one === undefined) return undefined;
    found.push(one);
  }
  return found;
}

function tolerationIn(item: JsonObject): Toleration | undefined {
  const values = new Map(Object.entries(item).map(([key, value]) => [key.toLowerCase(), value ?? undefined]));
  const texts = tolerationFields.map((field) => [field, values.get(field)] as const);
  if (texts.some(([, value]) => value !== undefined && typeof value !== 'string')) return undefined;
  const seconds = values.get('tolerationseconds');
  if (seconds !== undefined && !Number.isInteger(seconds)) return undefined;
  const given = texts.filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(typeof seconds === 'number' && { tolerationSeconds: seconds }) };
}

const tolerationsAnnotation: Check<Annotations, unknown, PodContext> = {
  run: (annotations, _owner, context, path, judgement) => {
    const text = annotations?.[tolerationsKey];
    if (text === undefined || text === '') return;
    tolerationsReadable.run(text, annotations, context, path, judgement);
    tolerations.run(tolerationsIn(text), annotations, context, below(path, tolerationsKey), judgement);
  },
  visit: tolerationsReadable.visit,
};

/** What the annotations of a template mean for its pods. */
export const podAnnotations = all<Annotations, unknown, PodContext>(
  mirrorNeedsNode,
  tolerationsAnnotation,
  deletionCost,
  seccomp,
  appArmorContainer,
  appArmorFormat,
);

/** Where an annotation says something else than the field beside it: the part of the field that differs. */
function difference(
  annotation: string,
  profile: SecurityProfile,
  isDefault: (text: string) => boolean,
): string | undefined {
  switch (profile.type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? undefined : 'type';
    case 'RuntimeDefault':
      return isDefault(annotation) ? undefined : 'type';
    case 'Localhost': {
      if (!annotation.startsWith(localhostPrefix)) return 'type';
      return annotation.slice(localhostPrefix.length) === profile.localhostProfile ? undefined : 'localhostProfile';
    }
    default:
      return undefined;
  }
}

const isSeccompDefault = (text: string): boolean => text === 'runtime/default' || text === 'docker/default';

/** Where both say something, the seccomp annotations and fields agree. */
export const seccompAgrees = rule<PodSpec, unknown, PodContext>({
  code: 'seccomp-agrees',
  type: 'Forbidden',
  source,
  says: 'A seccomp annotation and the field beside it agree.',
  refuses: (spec, _template, { template }) => {
    const annotations = template.metadata?.annotations;
    if (annotations === undefined) return false;
    const complaints: Complaint[] = [];
    const compare = (key: string, profile: SecurityProfile | undefined, at: readonly (string | number)[]): void => {
      const annotation = annotations[key];
      if (profile === undefined || annotation === undefined) return;
      const field = difference(annotation, profile, isSeccompDefault);
      if (field === undefined) return;
      const message = `seccomp ${field === 'type' ? 'type' : 'profile'} in annotation and field must match`;
      complaints.push({ at: [...at, 'securityContext', 'seccompProfile', field], message });
    };
    compare(podSeccompKey, spec.securityContext?.seccompProfile, []);
    for (const { list, index, container } of containersOf(spec)) {
      const key = `${containerSeccompPrefix}${container.name ?? ''}`;
      compare(key, container.securityContext?.seccompProfile, [list, index]);
    }
    return complaints;
  },
});

/** Where both say something, the AppArmor annotations and fields agree. The field of the pod counts for each container. */
export const appArmorAgrees = rule<PodSpec, unknown, PodContext>({
  code: 'app-armor-agrees',
  type: 'Forbidden',
  source,
  says: 'An AppArmor annotation and the field beside it agree.',
  refuses: (spec, _template, { template }) => {
    const annotations = template.metadata?.annotations;
    if (annotations === undefined || spec.os?.name === 'windows') return false;
    const complaints: Complaint[] = [];
    for (const { list, index, container } of containersOf(spec)) {
      const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
      const annotation = annotations[`${appArmorPrefix}${container.name ?? ''}`];
      if (profile === undefined || annotation === undefined) continue;
      const field = difference(annotation, profile, (text) => text === 'runtime/default');
      if (field === undefined) continue;
      const message = `apparmor ${field === 'type' ? 'type' : 'profile'} in annotation and field must match`;
      complaints.push({ at: [list, index, 'securityContext', 'appArmorProfile', field], message });
    }
    return complaints;
  },
});
