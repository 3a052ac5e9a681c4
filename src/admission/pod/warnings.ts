import { goQuote } from '../decode/goQuote.ts';
import type { Context } from '../rule.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast } from '../version.ts';
import { amountOf } from './amounts.ts';
import { appArmorPrefix, containerSeccompPrefix, podSeccompKey } from './annotations.ts';
import { containersOf } from './context.ts';
import { formatIp, parseIp } from './ip.ts';
import { portWarnings } from './portWarnings.ts';
import { formatQuantity, isWhole } from './quantity.ts';
import { repeated } from './repeated.ts';
import { nodeLabelWarnings, podAffinityWarnings, spreadWarnings } from './schedulingWarnings.ts';
import type { Container, PodSpec, PodTemplate, ResourceList, SecurityProfile } from './types.ts';
import { volumeWarnings } from './volumeWarnings.ts';

/** What is accepted in a pod or its template but may surprise. Source: Kubernetes 1.35, pod warnings (H4). */

const deprecatedAnnotations: readonly (readonly [key: string, message: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

/** The warnings about a template whose place the server prints as `field` (`spec.template`). */
export function podTemplateWarnings(template: PodTemplate, field: string, context: Context): readonly string[] {
  return warningsAt(`${field}.`, template, appArmorWarnings, context);
}

/**
 * The warnings about a pod itself. `sent` is the pod before its annotations became fields; among the warnings the server
 * puts what it says of the name, `aboutName`.
 */
export function podWarnings(
  pod: PodTemplate,
  sent: PodTemplate,
  aboutName: readonly string[],
  context: Context,
): readonly string[] {
  const { spec = {}, metadata: { annotations = {} } = {} } = sent;
  const containers = spec.os?.name === 'windows' ? [] : containersOf(spec);
  return [
    ...containers.flatMap(({ container }) => appArmorWarnings(spec, container, annotations, 'metadata.annotations')),
    ...aboutName,
    ...warningsAt('', pod, () => [], context),
  ];
}

function warningsAt(
  prefix: string,
  template: PodTemplate,
  profileWarnings: ProfileWarnings,
  context: Context,
): readonly string[] {
  const spec = template.spec ?? {};
  const place = `${prefix}spec`;
  const annotationPlace = `${prefix}metadata.annotations`;
  const annotations = template.metadata?.annotations ?? {};
  return [
    ...nodeLabelWarnings(spec, place, context.version),
    ...spreadWarnings(spec, `${place}.topologySpreadConstraints`),
    ...deprecatedAnnotations.flatMap(([key, message]) => annotationWarning(annotations, annotationPlace, key, message)),
    ...volumeWarnings(spec.volumes ?? [], `${place}.volumes`),
    ...repetitionWarnings(spec, place),
    ...fractionWarnings('memory', spec.overhead, `${place}.overhead`),
    ...fractionWarnings('ephemeral-storage', spec.overhead, `${place}.overhead`),
    ...(spec.securityContext?.seccompProfile === undefined
      ? annotationWarning(annotations, annotationPlace, podSeccompKey, useSeccompField)
      : []),
    ...containersOf(spec).flatMap(({ list, index, container }) => [
      ...seccompWarnings(container, annotations, annotationPlace),
      ...profileWarnings(spec, container, annotations, annotationPlace),
      ...containerWarnings(container, `${place}.${list}[${index}]`),
    ]),
    ...portWarnings(spec, place),
    ...gracePeriodWarnings(spec, place),
    ...podAffinityWarnings(spec.affinity?.podAffinity, `${place}.affinity.podAffinity`),
    ...podAffinityWarnings(spec.affinity?.podAntiAffinity, `${place}.affinity.podAntiAffinity`),
    ...addressWarnings(spec, place, context.version),
  ];
}

type Annotations = Readonly<Record<string, string>>;
const useSeccompField = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function annotationWarning(annotations: Annotations, place: string, key: string, message: string): string[] {
  return key in annotations ? [`${place}[${key}]: ${message}`] : [];
}

function seccompWarnings({ name = '', securityContext }: Container, annotations: Annotations, place: string): string[] {
  if (securityContext?.seccompProfile !== undefined) return [];
  return annotationWarning(annotations, place, `${containerSeccompPrefix}${name}`, useSeccompField);
}

type ProfileWarnings = (spec: PodSpec, container: Container, annotations: Annotations, place: string) => string[];

function appArmorWarnings(spec: PodSpec, container: Container, annotations: Annotations, place: string): string[] {
  const { name = '', securityContext } = container;
  const key = `${appArmorPrefix}${name}`;
  if (securityContext?.appArmorProfile !== undefined) return [];
  if (says(annotations[key] ?? '', spec.securityContext?.appArmorProfile)) return [];
  return annotationWarning(annotations, place, key, 'deprecated since v1.30; use the "appArmorProfile" field instead');
}

/** Whether an AppArmor annotation means exactly this profile. */
function says(annotation: string, profile: SecurityProfile | undefined): boolean {
  switch (profile?.type) {
    case 'Unconfined':
      return annotation === 'unconfined' && profile.localhostProfile === undefined;
    case 'RuntimeDefault':
      return annotation === 'runtime/default' && profile.localhostProfile === undefined;
    case 'Localhost':
      return (profile.localhostProfile ?? '') !== '' && annotation === `localhost/${profile.localhostProfile}`;
    default:
      return false;
  }
}

function repetitionWarnings(spec: PodSpec, place: string): string[] {
  const { hostAliases = [], imagePullSecrets = [] } = spec;
  const warnings: string[] = [];
  for (const [index, ip] of repeated(hostAliases.map((alias) => alias.ip ?? ''))) {
    warnings.push(`${place}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`);
  }
  const secrets = imagePullSecrets.map(({ name = '' }) => name);
  for (const [index, name] of repeated(secrets)) {
    warnings.push(`${place}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`);
  }
  for (const [index, name] of secrets.entries()) {
    if (name === '') warnings.push(`${place}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
  return warnings;
}

function gracePeriodWarnings({ terminationGracePeriodSeconds = 0 }: PodSpec, place: string): string[] {
  if (terminationGracePeriodSeconds >= 0) return [];
  return [`${place}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function fractionWarnings(name: string, list: ResourceList | undefined, place: string): string[] {
  const amount = amountOf(list?.[name]);
  if (amount === undefined || isWhole(amount)) return [];
  const text = goQuote(formatQuantity(amount));
  return [`${place}[${name}]: fractional byte value ${text} is invalid, must be an integer`];
}

function containerWarnings(container: Container, place: string): string[] {
  const { limits, requests } = container.resources ?? {};
  return [
    ...['memory', 'ephemeral-storage'].flatMap((name) => [
      ...fractionWarnings(name, limits, `${place}.resources.limits`),
      ...fractionWarnings(name, requests, `${place}.resources.requests`),
    ]),
    ...hiddenVariableWarnings(container, `${place}.env`),
  ];
}

/** A later variable of the same name hides the earlier one, unless its value builds on it. */
function hiddenVariableWarnings({ env = [] }: Container, place: string): string[] {
  const warnings: string[] = [];
  for (const [index, name] of repeated(env.map((variable) => variable.name ?? ''))) {
    const { value = '', valueFrom } = env[index] ?? {};
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) continue;
    const quoted = goQuote(name);
    warnings.push(`${place}[${index}]: hides previous definition of ${quoted}, which may be dropped when using apply`);
  }
  return warnings;
}

function addressWarnings(spec: PodSpec, place: string, version: KubernetesMinor): string[] {
  return [
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarning(address, `${place}.dnsConfig.nameservers[${index}]`, version),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip = '' }, index) =>
      addressWarning(ip, `${place}.hostAliases[${index}].ip`, version),
    ),
  ];
}

function addressWarning(text: string, place: string, version: KubernetesMinor): string[] {
  const ip = parseIp(text);
  if (ip === undefined) return [];
  const standard = formatIp(ip);
  if (ip.hasLeadingZeros || ip.isMapped) {
    const verdict = isAtLeast(version, '1.36') ? 'is' : 'will be considered';
    const when = isAtLeast(version, '1.36') ? '' : ' in a future Kubernetes release';
    return [`${place}: non-standard IP address ${goQuote(text)} ${verdict} invalid${when}: use "${standard}"`];
  }
  if (!ip.isIPv6 || standard === text) return [];
  return [`${place}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format ("${standard}")`];
}
