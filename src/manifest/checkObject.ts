import {
  type AdmissionRequest,
  assumedIdentity,
  type FieldError,
  judge,
  judgeMetadata,
  judgeWorkload,
  type WorkloadOptions,
} from '../admission/index.ts';
import { isJsonObject, type JsonArray, type JsonValue, once, type Pieces } from '../base/index.ts';
import { isAboutChange, tellDifference } from './changes.ts';
import { crdVerdict } from './crd/index.ts';
import type { DocumentFinding } from './finding.ts';
import { explain, type FixSubject, fixesFor, placeMeant } from './fixes/index.ts';
import { asHeld, heldBy } from './heldObjects.ts';
import type { WorkloadKind } from './kinds.ts';
import { placeOf } from './locate.ts';
import type { FoundObject } from './objects.ts';
import { queueFor, queuesFor } from './queues.ts';
import { isTellingPlace, type RuleSubject, rules } from './rules/index.ts';
import { isFilledInLater, isPartial } from './scope.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { type ManifestNode, nodeAt } from './yaml/nodes.ts';

/** Asked in one go: each takes microseconds, but for the first objects that an engine ever looks at. */
const rulesOfPiece = 8;

/**
 * All that is wrong with one object: what the API server refuses, then what our own rules say. Unordered. Pauses behind the
 * engine's verdict and between the rules.
 */
export function* checkObject(
  found: FoundObject,
  text: string,
  settings: ManifestSettings,
  options: SessionOptions,
): Pieces<DocumentFinding[]> {
  const { node, apiVersion, kind, value } = found;
  const { controllerName, knownControllers = [] } = settings;
  const controllers = new Set([...(controllerName === undefined ? [] : [controllerName]), ...knownControllers]);
  const isPiece = settings.isPartial === true || isPieceOf(kind, node);
  const request = options.requestFor?.(value, kind, isPiece);
  // What a piece lacks, the stored object has.
  const isJudgedAsPiece = isPiece && request === undefined;
  const queues = queuesFor(value, settings.clusterQueues);
  const subject: RuleSubject = {
    root: node,
    value,
    apiVersion,
    kind,
    text,
    version: settings.version,
    isPartial: isPiece,
    unlistedVersion: settings.unlistedVersion,
    queues,
    queue: queueFor(kind, value, queues),
    ownController: controllerName,
    controllers,
    sent: isJsonObject(request?.object) ? request.object : value,
    crdVerdict: once(() => {
      const { object = value, old } = request ?? {};
      return crdVerdict(
        apiVersion,
        kind.kind,
        isJsonObject(object) ? object : value,
        isJsonObject(old) ? old : undefined,
      );
    }),
    ...(request?.old === undefined ? {} : { old: request.old }),
  };
  const findings =
    kind.podTemplate === undefined
      ? creationFindings(subject, isPiece, settings.isResource === true, options)
      : yield* engineFindings(subject, request ?? { operation: 'create', object: value }, isJudgedAsPiece, options);
  yield;
  for (let index = 0; index < rules.length; index += rulesOfPiece) {
    askRules(index, subject, findings, options);
    yield;
  }
  // Nothing is stored of what an operator has yet to make, or not under that name.
  const { requestFor: _requestFor, ...optionsOfHeld } = options;
  for (const held of heldBy(found)) {
    findings.push(...asHeld(held, yield* checkObject(held.object, text, settings, optionsOfHeld), findings));
  }
  return findings;
}

/** Whether the text holds but a patch of an object. */
function isPieceOf({ podTemplate, judged }: WorkloadKind, root: ManifestNode): boolean {
  if (judged === undefined) return isPartial(root, podTemplate);
  return isPartial(root, judged.template, judged.name !== 'Pod');
}

/** Asks the rules of a piece, without a function for each that nearly always has nothing to say. */
function askRules(from: number, subject: RuleSubject, findings: DocumentFinding[], options: SessionOptions): void {
  for (const { code, severity, source, url, check } of rules.slice(from, from + rulesOfPiece)) {
    try {
      for (const breach of check(subject)) {
        const marked = subject.text.slice(breach.span.start, breach.span.end);
        // A script has names of its own.
        if (isFilledInLater(marked) && !/\s/.test(marked)) continue;
        findings.push({ code, severity, source, ...(url === undefined ? {} : { url }), ...breach });
      }
    } catch (error) {
      options.onRuleFailure?.(code, error);
    }
  }
}

/** One rule that throws must not silence the others. */
function guarded(code: string, options: SessionOptions, run: () => void): void {
  try {
    run();
  } catch (error) {
    options.onRuleFailure?.(code, error);
  }
}

function* engineFindings(
  subject: RuleSubject,
  request: AdmissionRequest,
  isPiece: boolean,
  options: SessionOptions,
): Pieces<DocumentFinding[]> {
  const { root, text } = subject;
  const { errors, warnings } = judge(request, {
    version: subject.version,
    // A server stops at what it can't decode; somebody who is typing wants to know the rest as well.
    isBeyondDecoding: true,
    ...(options.onRuleFailure === undefined ? {} : { onRuleFailure: options.onRuleFailure }),
  });
  const findings: DocumentFinding[] = [];
  for (const error of withoutMisplaced(withoutEchoes(errors, root), subject)) {
    yield;
    if (isPiece && !standsInText(root, error)) continue;
    guarded(error.rule, options, () => findings.push(engineFinding({ ...subject, error }, request)));
  }
  if (!isPiece) findings.push(...warnings.map((warning) => headerFinding(warning, root, text)));
  return findings;
}

/** Of other kinds the engine judges the creation: all of Kubernetes' own, of others the metadata. */
function creationFindings(
  subject: RuleSubject,
  isPiece: boolean,
  isResource: boolean,
  options: SessionOptions,
): DocumentFinding[] {
  const { kind, root, sent, version } = subject;
  const engineOptions = {
    version,
    ...(options.onRuleFailure === undefined ? {} : { onRuleFailure: options.onRuleFailure }),
  };
  const { errors, warnings } =
    kind.judged === undefined
      ? { errors: judgeMetadata(sent, engineOptions), warnings: [] }
      : judgeWorkload(sent, kind.judged.name, engineOptions);
  const findings: DocumentFinding[] = [];
  const told = withoutEchoes([...errors, ...embeddedMetadataErrors(subject, engineOptions)], root);
  for (const error of withoutMisplaced(told, subject)) {
    if ((isPiece && !standsInText(root, error)) || isToldByRules(error)) continue;
    if (isResource && error.rule === 'apps-selector-required') continue;
    guarded(error.rule, options, () => findings.push(engineFinding({ ...subject, error }, { object: sent })));
  }
  if (!isPiece) findings.push(...warnings.map((warning) => headerFinding(warning, root, subject.text)));
  return findings;
}

/** The server holds metadata of objects within others against the same rules, but for their names. */
function embeddedMetadataErrors({ kind, sent }: RuleSubject, options: WorkloadOptions): readonly FieldError[] {
  const components = kind.kind === 'AppWrapper' && isJsonObject(sent['spec']) ? sent['spec']['components'] : undefined;
  if (!isList(components)) return [];
  return components.flatMap((component, index) => {
    const template = isJsonObject(component) ? component['template'] : undefined;
    if (!isJsonObject(template)) return [];
    const prefix = ['spec', 'components', index, 'template'] as const;
    return judgeMetadata(template, options)
      .filter(({ rule }) => rule !== 'name-required' && rule !== 'name-format')
      .map((error) => ({
        ...error,
        field: `spec.components[${index}].template.${error.field}`,
        at: [...prefix, ...error.at],
      }));
  });
}

function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** A misplaced `managedBy` is told with the place where it belongs. */
function isToldByRules({ type, at }: FieldError): boolean {
  return type === 'Unknown' && at.at(-1) === 'managedBy' && isTellingPlace(at);
}

/** Errors that only follow from others, and say nothing that those don't. */
const follows: Readonly<Record<string, readonly string[]>> = {
  'apps-template-selected': ['apps-selector-required'],
  'name-for-indexes': ['name-required', 'name-format'],
};

/** Where the server puts the name of a Job, as a label that nobody wrote. */
const generatedLabels = 'spec.template.labels';

/**
 * Each error once (on an update the server asks the rules of the spec twice); none about a value of the wrong type but
 * that it is one: to the rules behind, such a value is missing; and none about a value that isn't there yet.
 */
function withoutEchoes(errors: readonly FieldError[], root: ManifestNode): readonly FieldError[] {
  const wrongTypes = new Set(errors.filter(({ type }) => type === 'TypeInvalid').map(({ at }) => JSON.stringify(at)));
  const broken = new Set(errors.map(({ rule }) => rule));
  const seen = new Set<string>();
  return errors.filter((error) => {
    const { field, type, message, at, rule } = error;
    const key = JSON.stringify([field, type, message]);
    if (seen.has(key) || (type !== 'TypeInvalid' && wrongTypes.has(JSON.stringify(at)))) return false;
    if (follows[rule]?.some((other) => broken.has(other)) === true) return false;
    if (rule === 'label-format' && field === generatedLabels && broken.has('name-format')) return false;
    if (isAboutLater(error, root)) return false;
    if (rule === 'apps-selector-readable' && errors.some((other) => isWithin(other, at) && isAboutLater(other, root)))
      return false;
    seen.add(key);
    return true;
  });
}

/** None about a field that is missing but stands there under another name or at another place: that is told. */
function withoutMisplaced(errors: readonly FieldError[], subject: RuleSubject): readonly FieldError[] {
  const unknown = errors.filter(({ type }) => type === 'Unknown');
  if (unknown.length === 0) return errors;
  const meant = new Set(unknown.map((error) => JSON.stringify(placeMeant({ ...subject, error }))));
  return errors.filter(
    ({ type, at }) => type === 'Unknown' || !meant.has(JSON.stringify(at)) || nodeAt(subject.root, at) !== undefined,
  );
}

function isAboutLater({ type, at, message }: FieldError, root: ManifestNode): boolean {
  if (type === 'Unknown') return false;
  const node = nodeAt(root, at);
  return isFilledInLater(message) || (node?.kind === 'scalar' && isFilledInLater(node.value));
}

function isWithin({ at }: FieldError, path: FieldError['at']): boolean {
  return at.length > path.length && path.every((step, index) => at[index] === step);
}

/** Whether an error is about a written value alone: not about something left out, nor about two that don't go together. */
function standsInText(root: ManifestNode, { at, type, rule }: FieldError): boolean {
  if (nodeAt(root, at) === undefined) return false;
  // `$patch` and its like are Kustomize's and kubectl's own.
  if (at.some((step) => typeof step === 'string' && step.startsWith('$'))) return false;
  return type === 'TypeInvalid' || type === 'Unknown' || type === 'NotSupported' || /-(?:negative|format)$/.test(rule);
}

function engineFinding(subject: FixSubject, request: Pick<AdmissionRequest, 'object' | 'old'>): DocumentFinding {
  const { error, root, text } = subject;
  const explanation = explain(subject);
  const change = isAboutChange(error.rule) ? tellDifference(request, error.at) : undefined;
  // Of what is missing, the server says nothing but that.
  const said =
    error.message === '' ? 'Required value' : error.message.replaceAll(assumedIdentity.uid, 'the UID that it will get');
  return {
    span: placeOf(root, error.at, error.type === 'Unknown' ? 'key' : 'value', text),
    severity: 'error',
    code: error.rule,
    message: explanation === undefined ? said : `${explanation} (API server: ${said})`,
    ...(change === undefined ? {} : { change }),
    field: error.field,
    type: error.type,
    // What is refused while decoding stands in no catalogue.
    ...(error.type === 'Unknown' || error.type === 'TypeInvalid' ? { source: 'Kubernetes, strict decoding' } : {}),
    fixes: fixesFor(subject),
  };
}

/** Where the server leaves out a step of the path: in a claim of a StatefulSet, that to its spec. */
const shortenedPath = /^(spec\.volumeClaimTemplates\[\d+\])(?=\.resources\.)/;

/** A `Warning` header of the API server. Its text begins with the path that it is about. */
function headerFinding(header: string, root: ManifestNode, text: string): DocumentFinding {
  const message = header.replace(shortenedPath, '$1.spec');
  const field = /^([A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*|\[[^\]]*\])*): /.exec(message)?.[1];
  const path = [...(field ?? '').matchAll(/\[(\d+)\]|\[([^\]]*)\]|([A-Za-z][A-Za-z0-9]*)/g)].map(
    ([, index, key, name]) => (index === undefined ? (key ?? name ?? '') : Number(index)),
  );
  return {
    span: placeOf(root, path, 'value', text),
    severity: 'warning',
    code: 'api-server-warning',
    message: field === undefined ? message : message.slice(field.length + 2),
    ...(field === undefined ? {} : { field }),
    source: 'H1–H6',
  };
}
