import type { AdmissionRequest } from '../admission/index.ts';
import { type FieldErrorType, judge, type KubernetesMinor, type Verdict } from '../admission/index.ts';
import type { Finding } from './finding.ts';
import { placeOf } from './locate.ts';
import type { ManifestObject } from './manifestCheck.ts';
import { objectsIn } from './objects.ts';
import { cutDocuments } from './yaml/documents.ts';
import { readYaml } from './yaml/readYaml.ts';
import { LineIndex, type TextRange } from './yaml/text.ts';

/** What a real API server answered to a dry run, next to what we say of the same write. */

export interface ServerAnswer {
  readonly operation: 'create' | 'update';
  /** `v1.35.4` */
  readonly serverVersion: string;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  /** Absent: it would take the object. */
  readonly refusal?: ServerRefusal;
}

export interface ServerRefusal {
  /**
   * 'validation': its own rules refuse the object. 'decoding': it can't read it. 'policy': something else in the cluster
   * is against it (a webhook, a quota, a right, a missing namespace), of which we know nothing.
   */
  readonly by: 'validation' | 'decoding' | 'policy';
  readonly message: string;
  readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
}

/** One thing that the server said, at its place in the text. */
export interface AnswerLine {
  readonly range: TextRange;
  readonly severity: 'error' | 'warning';
  readonly field?: string;
  readonly message: string;
}

/**
 * Puts the server's answer where it belongs in the text: at our own finding for the same field where there is one, else
 * at the field itself, else at what names the object.
 */
export function placeAnswer(
  text: string,
  object: ManifestObject,
  answer: ServerAnswer,
  findings: readonly Finding[],
): readonly AnswerLine[] {
  const locate = locatorOf(text, object, findings);
  const warnings = answer.warnings.map((warning): AnswerLine => {
    const [field, message] = splitField(warning);
    return { range: locate(field), severity: 'warning', ...(field === undefined ? {} : { field }), message };
  });
  return [...complaintsOf(answer.refusal).map((one) => lineOf(one, locate)), ...warnings];
}

interface Complaint {
  readonly field?: string;
  readonly type?: FieldErrorType;
  readonly message: string;
}

function lineOf({ field, message }: Complaint, locate: (field: string | undefined) => TextRange): AnswerLine {
  return {
    range: locate(field),
    severity: 'error',
    ...(field === undefined ? {} : { field }),
    message: shortened(message),
  };
}

/** Some messages print a whole pod template as Go would: of those, both ends tell enough. */
function shortened(message: string): string {
  return message.length <= 400 ? message : `${message.slice(0, 120)} … ${message.slice(-200)}`;
}

const types: Readonly<Record<string, FieldErrorType>> = {
  FieldValueRequired: 'Required',
  FieldValueInvalid: 'Invalid',
  FieldValueNotSupported: 'NotSupported',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'TooLong',
  FieldValueTooMany: 'TooMany',
  FieldValueDuplicate: 'Duplicate',
  FieldValueNotFound: 'NotFound',
  FieldValueTypeInvalid: 'TypeInvalid',
};

/** The single complaints of a refusal. What can't be decoded comes as one text, without causes. */
function complaintsOf(refusal: ServerRefusal | undefined): readonly Complaint[] {
  if (refusal === undefined) return [];
  const { by, causes, message } = refusal;
  if (by === 'decoding') {
    const parts = [
      ...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"|json: cannot unmarshal .*? of type \S+/g),
    ];
    if (parts.length === 0) return [{ message }];
    return parts.map(([part, field]) => {
      const path = field ?? /Go struct field [A-Za-z]+\.(\S+)/.exec(part)?.[1];
      return { message: part, type: field === undefined ? 'TypeInvalid' : 'Unknown', ...(path && { field: path }) };
    });
  }
  if (causes.length === 0) return [{ message }];
  return causes.map(({ field, reason, message: words }) => {
    const type = types[reason];
    return { ...(field === '' ? {} : { field }), ...(type === undefined ? {} : { type }), message: words || message };
  });
}

function locatorOf(
  text: string,
  object: ManifestObject,
  findings: readonly Finding[],
): (field: string | undefined) => TextRange {
  const isOurs = ({ document, range }: Finding): boolean =>
    document === object.document &&
    object.range.start.offset <= range.start.offset &&
    range.end.offset <= object.range.end.offset;
  const known = new Map(findings.filter(isOurs).map(({ field, range }) => [field, range]));
  const slice = cutDocuments(text).find(({ index }) => index === object.document);
  const root = slice && readYaml(slice.text).root;
  const found = root?.kind === 'map' ? [...objectsIn(root)] : [];
  const start = object.range.start.offset - (slice?.span.start ?? 0);
  const node = found.find((one) => one.node.span.start === start)?.node;
  const lines = new LineIndex(text);
  return (field) => {
    const exact = field === undefined ? undefined : known.get(field);
    if (exact !== undefined) return exact;
    if (field === undefined || node === undefined || slice === undefined) return object.kindRange;
    const span = placeOf(node, segmentsOf(field), 'value', slice.text);
    return lines.range({ start: span.start + slice.span.start, end: span.end + slice.span.start });
  };
}

/** `spec.template.spec.containers[0].env[1]`, `metadata.labels[example.com/a]` */
function segmentsOf(field: string): readonly (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(([, index, key, name]) =>
    index === undefined ? (key ?? name ?? '') : Number(index),
  );
}

function splitField(warning: string): readonly [string | undefined, string] {
  const field = /^([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+|\[[^\]]*\])*): /.exec(warning)?.[1];
  return field === undefined ? [undefined, warning] : [field, warning.slice(field.length + 2)];
}

/** Where server and engine don't say the same; both empty lists never occur. */
export interface Disagreement {
  readonly onlyServer: readonly string[];
  readonly onlyOurs: readonly string[];
}

/**
 * What the engine says of the very write that the server answered to, and where the two differ. Undefined where they
 * agree, or where something that we know nothing of stood in the way.
 */
export function compareAnswers(
  request: AdmissionRequest,
  answer: ServerAnswer,
  version: KubernetesMinor,
): { readonly verdict: Verdict; readonly disagreement?: Disagreement } {
  const verdict = judge(request, { version });
  const { refusal } = answer;
  if (refusal?.by === 'policy') return { verdict };
  const ours = verdict.errors.map((error) => keyOf(error));
  const theirs = complaintsOf(refusal).map((complaint) => keyOf(complaint));
  const onlyServer = [...new Set(theirs)].filter((one) => !ours.includes(one));
  const onlyOurs = [...new Set(ours)].filter((one) => !theirs.includes(one));
  // A server stops at the first value that it can't read; that we name more of them is no difference.
  const isFirstOnly = refusal?.by === 'decoding' && onlyServer.length === 0 && theirs.length > 0;
  if (onlyServer.length === 0 && (onlyOurs.length === 0 || isFirstOnly)) return { verdict };
  return { verdict, disagreement: { onlyServer, onlyOurs } };
}

function keyOf({ field = '', type, message }: Complaint): string {
  // The texts of decoding are the same to the letter; those of rules differ in the values that they print.
  if (type === 'Unknown' || type === 'TypeInvalid') return message;
  return `${field}: ${type ?? message}`;
}

export interface ReportFacts {
  readonly object: ManifestObject;
  readonly answer: ServerAnswer;
  readonly verdict: Verdict;
  readonly disagreement: Disagreement | undefined;
  readonly version: KubernetesMinor;
  readonly extensionVersion: string;
}

/** Both answers and the object as Markdown, for an issue. Values of environment variables are left out. */
export function reportOf(facts: ReportFacts, toYaml: (object: object) => string): string {
  const { object, answer, verdict, disagreement, version, extensionVersion } = facts;
  const list = (lines: readonly string[], none: string): string =>
    lines.length === 0 ? none : lines.map((line) => `- ${line}`).join('\n');
  const theirs = complaintsOf(answer.refusal).map(({ field, message }) =>
    shortened(field === undefined ? message : `\`${field}\`: ${message}`),
  );
  return [
    `# ${object.kind}: the cluster and Delegated Jobs differ`,
    `Delegated Jobs ${extensionVersion}, judging as Kubernetes ${version}. The cluster runs ${answer.serverVersion}. Dry run: ${answer.operation}.`,
    ...(disagreement === undefined
      ? []
      : [
          `## Only the cluster says\n\n${list(disagreement.onlyServer, 'Nothing.')}`,
          `## Only Delegated Jobs says\n\n${list(disagreement.onlyOurs, 'Nothing.')}`,
        ]),
    `## The cluster\n\n${list(theirs, 'Accepted.')}`,
    `## Delegated Jobs\n\n${list(
      verdict.errors.map(({ field, type, message, rule }) => `\`${field}\`: ${type}: ${message} (${rule})`),
      'Accepted.',
    )}`,
    `## The object\n\nValues of environment variables are left out. Look through the rest before you publish it.\n\n\`\`\`yaml\n${toYaml(withoutSecrets(object.value))}\`\`\``,
  ].join('\n\n');
}

function withoutSecrets(object: unknown): object {
  const walk = (value: unknown, isEnv: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, isEnv));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        // kubectl keeps a copy of all of it in there.
        .filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration')
        .map(([key, member]) => [key, isEnv && key === 'value' ? '(left out)' : walk(member, key === 'env')]),
    );
  };
  const result = walk(object, false);
  return typeof result === 'object' && result !== null ? result : {};
}
