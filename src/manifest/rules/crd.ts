import type { FieldError } from '../../admission/index.ts';
import { type CrdFault, crdShapeOf } from '../crd/index.ts';
import { explain, fixesFor } from '../fixes/index.ts';
import { pathText, placeOf } from '../locate.ts';
import { nodeAt, stringAt } from '../yaml/nodes.ts';
import { isTellingPlace } from './placement.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/**
 * What the CRD of a kind refuses: kube-apiserver itself holds objects against it, whether or not the operator runs. Its
 * say on `managedBy` has rules of its own, on all kinds alike.
 */

const unknownFieldRule: Rule = {
  code: 'crd-unknown-field',
  severity: 'error',
  says: "A field that a kind's CRD doesn't know is refused by a client that validates strictly, as kubectl does, and silently dropped for any other.",
  source: 'The CRDs of the kinds; Kubernetes, field validation',
  url: 'https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation',
  check: (subject) =>
    breaches(subject, 'field', ({ at }) => {
      if (at.at(-1) === 'managedBy' && isTellingPlace(at)) return undefined;
      return 'There is no such field here.';
    }),
};

const wrongTypeRule: Rule = {
  code: 'crd-wrong-type',
  severity: 'error',
  says: "A value must have the type that the kind's CRD gives its field.",
  source: 'The CRDs of the kinds',
  check: (subject) => breaches(subject, 'type', () => 'The value has the wrong type.'),
};

const requiredRule: Rule = {
  code: 'crd-required',
  severity: 'error',
  says: "A field that the kind's CRD requires must be there.",
  source: 'The CRDs of the kinds',
  check: (subject) =>
    subject.isPartial
      ? []
      : breaches(subject, 'required', ({ at }) =>
          isFilledIn(subject, at) ? undefined : `'${String(at.at(-1))}' is missing here.`,
        ),
};

/**
 * What the operator's webhook fills in before the server holds the object against the CRD, where nothing stands or where
 * an empty string does. Source: JobSet 0.12 and LeaderWorkerSet 0.8, defaulting webhooks.
 */
const filledIn: Readonly<Record<string, { readonly missing: RegExp; readonly empty?: RegExp }>> = {
  JobSet: { missing: /^spec\.failurePolicy\.rules\.\d+\.name$/ },
  LeaderWorkerSet: {
    missing: /^spec\.networkConfig\.subdomainPolicy$/,
    empty: /^spec\.(?:leaderWorkerTemplate\.restartPolicy|rolloutStrategy\.type)$/,
  },
};

function isFilledIn({ kind, root }: RuleSubject, at: CrdFault['at']): boolean {
  const own = Object.hasOwn(filledIn, kind.kind) ? filledIn[kind.kind] : undefined;
  const places = stringAt(root, at) === '' ? own?.empty : own?.missing;
  return places?.test(at.join('.')) === true;
}

const valueRule: Rule = {
  code: 'crd-value',
  severity: 'error',
  says: "A value must be one of those that the kind's CRD lists, and keep its bounds and patterns.",
  source: 'The CRDs of the kinds',
  check: (subject) =>
    breaches(subject, 'value', ({ allowed, at }) => {
      if (isFilledIn(subject, at)) return undefined;
      return allowed === undefined ? 'The CRD does not allow this value.' : `One of ${quoted(allowed)} belongs here.`;
    }),
};

const duplicateRule: Rule = {
  code: 'crd-duplicate',
  severity: 'error',
  says: "Two items of a list must not have the same key, where the kind's CRD makes the list a map.",
  source: 'The CRDs of the kinds',
  check: (subject) => breaches(subject, 'duplicate', () => 'An earlier item of this list has the same key.'),
};

const ruleRule: Rule = {
  code: 'crd-rule',
  severity: 'error',
  says: "Fields must go together as the rules in the kind's CRD (CEL) say.",
  source: 'The CRDs of the kinds',
  check: (subject) =>
    subject.isPartial
      ? []
      : breaches(subject, 'rule', ({ allowed, at }) => {
          if (isOwnManagedBy(subject, at)) return undefined;
          return allowed === undefined ? 'The CRD has a rule against this.' : `One of ${quoted(allowed)} belongs here.`;
        }),
};

const immutableRule: Rule = {
  code: 'crd-immutable',
  severity: 'error',
  says: "Fields that the kind's CRD makes immutable keep the value that is stored: to change it, delete and create.",
  source: 'The CRDs of the kinds',
  check: (subject) =>
    breaches(subject, 'change', ({ at }) =>
      isOwnManagedBy(subject, at) ? undefined : 'What is stored here cannot be changed: delete and create the object.',
    ),
};

const rangeRule: Rule = {
  code: 'crd-out-of-range',
  severity: 'warning',
  says: "The API server stores a number that the operator's own type can't hold; the operator then can't read the object, nor any list that it is in.",
  source: 'Kubernetes, apiextensions-apiserver: integer formats are not checked; Go, encoding/json',
  check: (subject) =>
    breaches(
      subject,
      'range',
      ({ message }) => `${message}: the API server takes it, but the operator can't read the object any more.`,
    ),
};

function quoted(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}

function isOwnManagedBy({ kind }: RuleSubject, at: CrdFault['at']): boolean {
  return kind.managedBy !== undefined && pathText(at) === pathText(kind.managedBy.path);
}

/** Faults of one topic. `words` says each to people, or answers undefined for those that another rule tells. */
function breaches(
  subject: RuleSubject,
  about: CrdFault['about'],
  words: (fault: CrdFault) => string | undefined,
): readonly Breach[] {
  const verdict = subject.crdVerdict();
  const faults = verdict?.faults.filter((fault) => fault.about === about && isNews(fault, verdict.faults)) ?? [];
  if (verdict === undefined || faults.length === 0) return [];
  const shape = crdShapeOf(subject.apiVersion, subject.kind.kind);
  return faults.flatMap((fault) => {
    const plainly = words(fault);
    if (plainly === undefined) return [];
    const field = fault.field ?? pathText(fault.at);
    const error: FieldError = { field, type: fault.type, message: fault.message, at: fault.at, rule: `crd-${about}` };
    const fixSubject = { ...subject, error, shape };
    const said = explain(fixSubject) ?? plainly;
    const answer = fault.message === '' ? `${fault.type} value` : fault.message;
    const mark = about === 'field' || nodeAt(subject.root, fault.at) === undefined ? 'key' : 'value';
    return [
      {
        span: placeOf(subject.root, fault.at, mark, subject.text),
        field,
        message: about === 'range' ? said : `${said} (CRD of ${verdict.release}: ${answer})`,
        ...(about !== 'range' && { type: fault.type }),
        source: `CRD of ${verdict.release}`,
        fixes: fixesFor(fixSubject),
      },
    ];
  });
}

/** Not where the number is refused anyway. */
function isNews(fault: CrdFault, all: readonly CrdFault[]): boolean {
  if (isDirective(fault)) return false;
  if (fault.about !== 'range') return true;
  return !all.some((other) => other.about === 'value' && pathText(other.at) === pathText(fault.at));
}

/** `$patch` and its like are Kustomize's and kubectl's own. */
function isDirective({ at }: CrdFault): boolean {
  return at.some((step) => typeof step === 'string' && step.startsWith('$'));
}

export const crdRules: readonly Rule[] = [
  unknownFieldRule,
  wrongTypeRule,
  requiredRule,
  valueRule,
  duplicateRule,
  ruleRule,
  immutableRule,
  rangeRule,
];
