import { parse } from 'yaml';
import {
  type AdmissionRequest,
  admit,
  type CatalogueEntry,
  type FieldError,
  isAtLeast,
  judge,
  judgeWorkload,
  type KubernetesMinor,
  kubernetesMinors,
} from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { createManifestSession, type Finding, toYaml } from '../../src/manifest/index.ts';
import { topicOf } from '../../src/manifest/pages.ts';
import { identity } from '../admission/requests.ts';

/**
 * The pages about the API server's rules, docs/rules/kubernetes. Why a rule is and its example are written by hand; what
 * it says and how it answers is put in here, the latter as measured on the example.
 */

/** A rule of a page, or several that are one to its reader. */
export interface Section {
  readonly codes: readonly string[];
  /** Why, and the example, as they stand on the page. */
  readonly body: string;
  /** The link to the page of Kubernetes, if the section has one of its own. */
  readonly more: string | undefined;
  /** Rules that can't but be broken by the example as well. */
  readonly companions: readonly string[];
  /** Absent for what no request can break. */
  readonly example: Example | undefined;
}

/** Manifests, or what matters of them. */
export interface Example {
  /** What is stored when the others are sent as updates. */
  readonly stored: string | undefined;
  readonly wrong: string;
  readonly right: string;
  /** What the server refuses of the wrong one. */
  readonly errorsIn: (version: KubernetesMinor) => readonly FieldError[];
}

export interface RulePage {
  readonly title: string;
  /** What stands above the sections. */
  readonly intro: string;
  readonly sections: readonly Section[];
}

export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

const navigation = '[All rules by field](../kubernetes.md)';
const silencing = '[How to silence it](../README.md#silencing-a-finding).';

/** Reads a page; what is put in here may be missing from it. */
export function readPage(text: string): RulePage {
  const [head = '', ...sections] = text.split(/^## /m);
  const [title = '', ...intro] = head.split('\n');
  return {
    title: title.replace('# ', ''),
    intro: intro.join('\n').replace(navigation, '').trim(),
    sections: sections.map(readSection),
  };
}

function readSection(text: string): Section {
  const [heading = '', ...lines] = text.split('\n');
  const codes = heading.replaceAll(/<[^>]*>/g, '').split(', ');
  const blocks = lines
    .join('\n')
    .trim()
    .split(/\n{2,}/);
  const [together = ''] = blocks.filter((block) => block.startsWith('Comes together with '));
  const isPutIn = (block: string): boolean =>
    /^(?:> |Refused|Comes together with |More on )/.test(block) ||
    codes.some((code) => block.startsWith(`- ${code}: `));
  return {
    codes,
    body: blocks.filter((block) => !isPutIn(block)).join('\n\n'),
    more: blocks.map(linkIn).find((link) => link !== undefined),
    companions: together.replaceAll(/\([^)]*\)/g, '').match(/[a-z]+(?:-[a-z]+)+/g) ?? [],
    example: readExample(text),
  };
}

/** The sentence that leads to a page of Kubernetes. */
function linkIn(block: string): string | undefined {
  return /More on [^\n]*?\]\(https:[^)]*\)\./.exec(block)?.[0];
}

function readExample(body: string): Example | undefined {
  const diff = /^```diff\n([\s\S]*?)^```$/m.exec(body)?.[1];
  if (diff === undefined) return undefined;
  const without = (sign: string): string =>
    diff
      .split('\n')
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const stored = /^```yaml\n([\s\S]*?)^```$/m.exec(body)?.[1];
  const known = new Map<KubernetesMinor, readonly FieldError[]>();
  const example: Example = {
    stored,
    wrong: without('+'),
    right: without('-'),
    errorsIn(version) {
      const errors = known.get(version) ?? errorsOf(requestOf(example, 'wrong', version), version);
      known.set(version, errors);
      return errors;
    },
  };
  return example;
}

/** The page with everything put in. */
export function renderPage({ title, intro, sections }: RulePage, catalogue: Catalogue): string {
  const more = linkIn(intro) ?? '';
  const parts = sections.map((section) => renderSection(section, more, catalogue));
  return `${[`# ${title}`, intro, navigation, ...parts].join('\n\n')}\n`;
}

function renderSection(section: Section, pageMore: string, catalogue: Catalogue): string {
  const { codes, body, more = pageMore } = section;
  const heading = codes.length === 1 ? codes.join() : codes.map((code) => `<a id="${code}"></a>${code}`).join(', ');
  const entries = codes.flatMap((code) => catalogue.get(code) ?? []);
  const sayings = new Set(entries.map(({ says }) => says));
  const answers = renderAnswers(section, entries, catalogue);
  return [`## ${heading}`, `> ${[...sayings].join(' ')}`, body, ...answers, `${more} ${silencing}`].join('\n\n');
}

/** How the example of a rule was answered. */
interface Answer {
  readonly code: string;
  readonly what: string;
  /** On which operations and in which versions; begins with a space or comma, or is empty. */
  readonly when: string;
}

function renderAnswers(
  { example, companions }: Section,
  entries: readonly CatalogueEntry[],
  catalogue: Catalogue,
): readonly string[] {
  if (example === undefined) return ['Refused only in theory.'];
  const links = companions.map(
    (code) => `[${code}](${topicOf(catalogue.get(code) ?? { code, source: '' })}.md#${code})`,
  );
  const together = links.length === 0 ? [] : [`Comes together with ${links.join(', ')}.`];
  const answers = entries.map((entry) => answerOf(entry, example));
  const [first, ...others] = answers;
  if (first === undefined) return [];
  if (others.length === 0)
    return [`Refused${first.when}${first.when.includes(', ') ? ',' : ''} as ${first.what}.`, ...together];
  const isSame = others.every(({ when }) => when === first.when);
  const rows = answers.map(({ code, what, when }) => `- ${code}:${isSame ? '' : `${when},`} ${what}`);
  return [`Refused${isSame ? first.when : ''}:`, rows.join('\n'), ...together];
}

function answerOf(entry: CatalogueEntry, example: Example): Answer {
  const fields = fieldsOf(entry, example).map((field) => `\`${field}\``);
  const version = shownIn(entry, example);
  const [error] = errorsIn(example, entry, version);
  const said = error === undefined || error.message === '' ? '' : `: ${codeSpan(error.message)}`;
  return {
    code: entry.code,
    what: `${entry.type} at ${fields.join(', ')}${said}`,
    when: `${operationsOf(example, entry.code, version)}${versionsOf(minorsThatRaise(entry, example))}`,
  };
}

/**
 * Where an example has its fault, as the server prints it, but without numbers; of an example that shows a pod, from the
 * pod's spec on.
 */
export function fieldsOf(entry: CatalogueEntry, example: Example): readonly string[] {
  const start = isOfPod(example.wrong) ? /^spec\.template\.(?:spec\.)?/ : /^/;
  const fields = errorsIn(example, entry, shownIn(entry, example)).map(({ field }) => field.replace(start, ''));
  return [...new Set(fields.map((field) => field.replaceAll(/\[\d+\]/g, '[]')))];
}

function errorsIn(example: Example, { code }: CatalogueEntry, version: KubernetesMinor): readonly FieldError[] {
  return example.errorsIn(version).filter(({ rule }) => rule === code);
}

/** In one line; the server repeats long values. */
function codeSpan(message: string): string {
  const text = message.replaceAll(/x{50,}/g, 'x…x').replaceAll(/(?:\d+,){50,}/g, '0,2,…,');
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function versionsOf(minors: readonly KubernetesMinor[]): string {
  const [first, last] = [minors[0], minors.at(-1)];
  if (first === undefined || last === undefined || minors.length === kubernetesMinors.length) return '';
  if (last === kubernetesMinors.at(-1)) return `, from Kubernetes ${first} on`;
  return first === kubernetesMinors[0]
    ? `, up to Kubernetes ${last}`
    : `, only in Kubernetes ${[...new Set([first, last])].join(' to ')}`;
}

/** The requests in which a rule is heard; of Pods, Deployments and StatefulSets only the creation is judged. */
function operationsOf(example: Example, code: string, version: KubernetesMinor): string {
  const { operation, object } = requestOf(example, 'wrong', version);
  const sent = asObject(object);
  if (operation !== 'create') return ` on ${operation.replace('-', ' ')}`;
  if (sent['apiVersion'] !== 'batch/v1') return '';
  const old = storedOf(asObject(requestOf(example, 'right', version).object), version);
  const others = (['update', 'status-update'] as const).filter((one) =>
    errorsOf({ operation: one, object: merged(generatedOf(old), sent), old }, version).some(
      ({ rule }) => rule === code,
    ),
  );
  const names = ['create', ...others.map((one) => one.replace('-', ' '))];
  return ` on ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
}

/** What a server has added to a stored object, and who sends it again leaves as it is. */
function generatedOf({ metadata = {}, spec }: JsonObject): JsonObject {
  const { selector, manualSelector, template } = asObject(spec);
  if (selector === undefined || manualSelector === true) return { metadata };
  return { metadata, spec: { selector, template: { metadata: asObject(template)['metadata'] } } };
}

function errorsOf(request: AdmissionRequest, version: KubernetesMinor): readonly FieldError[] {
  const object = asObject(request.object);
  const kind = object['kind'];
  if (kind === 'Pod' || kind === 'Deployment' || kind === 'StatefulSet')
    return judgeWorkload(object, kind, { version }).errors;
  return judge(request, { version }).errors;
}

function minorsThatRaise({ code }: CatalogueEntry, example: Example): readonly KubernetesMinor[] {
  return kubernetesMinors.filter((version) => example.errorsIn(version).some(({ rule }) => rule === code));
}

/** The version in which an example shows a rule: 1.35, or the first that raises it. */
export function shownIn(entry: CatalogueEntry, example: Example): KubernetesMinor {
  const minors = minorsThatRaise(entry, example);
  return minors.find((minor) => minor === '1.35') ?? minors[0] ?? '1.35';
}

/** True if the rule exists in the version. */
export function holdsIn({ since, until }: CatalogueEntry, version: KubernetesMinor): boolean {
  return (since === undefined || isAtLeast(version, since)) && (until === undefined || isAtLeast(until, version));
}

const settings = { controllerName: 'delegated-jobs.dev/reconciler', knownControllers: ['example.com/most-free-gpus'] };

/** What the linter says to one side of an example. */
export function findingsOf(example: Example, side: 'wrong' | 'right', version: KubernetesMinor): readonly Finding[] {
  const request = requestOf(example, side, version);
  const session = createManifestSession(request.operation === 'create' ? {} : { requestFor: () => request });
  return session.check(toYaml(manifestOf(example[side])), { version, ...settings }).findings;
}

/**
 * The request that one side of an example stands for: the creation, or with something stored the update, of a manifest;
 * or the update of a status, if it has one.
 */
function requestOf(example: Example, side: 'wrong' | 'right', version: KubernetesMinor): AdmissionRequest {
  const object = manifestOf(example[side]);
  const isStatus = isJsonObject(object['status']);
  if (example.stored === undefined && !isStatus) return { operation: 'create', object };
  const { status: _status, ...rest } = object;
  const old = storedOf(example.stored === undefined ? rest : manifestOf(example.stored), version);
  return { operation: isStatus ? 'status-update' : 'update', object: merged(old, object, true), old };
}

/** A manifest as its server keeps it, with what the manifest itself says about the server's own fields. */
function storedOf(manifest: JsonObject, version: KubernetesMinor): JsonObject {
  const { stored = manifest } = admit({ operation: 'create', object: manifest }, { version, identity });
  return merged(stored, manifest, true);
}

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'main' }] };
const jobSpec = { template: { spec: podSpec } };
const servedPods = {
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main' }] } },
};

/** What an example leaves out, by its kind. */
const bases: Readonly<Record<string, JsonObject>> = {
  Job: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'report' }, spec: jobSpec },
  CronJob: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly' },
    spec: { schedule: '@daily', jobTemplate: { spec: jobSpec } },
  },
  Pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'report' }, spec: podSpec },
  Deployment: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: servedPods },
  StatefulSet: { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec: servedPods },
};
const topKeys: ReadonlySet<string> = new Set(['kind', 'metadata', 'spec', 'status']);

function read(part: string): JsonObject {
  return asObject(parse(spelledOut(part), { version: '1.1' }));
}

function isOfPod(part: string): boolean {
  return !Object.keys(read(part)).every((key) => topKeys.has(key));
}

/** The whole manifest that an example shows a part of; a part with none of an object's keys is of a Job's pod. */
function manifestOf(part: string): JsonObject {
  const given = read(part);
  const own: JsonObject = isOfPod(part) ? { spec: { template: { spec: given } } } : given;
  return asObject(withImages(merged(bases[String(own['kind'] ?? 'Job')] ?? {}, own)));
}

/**
 * A text without its short forms: `<20 characters>`, `<120 times [>`, `<0,2 to 20>`, and a line with `# 20 of these` at
 * its end, in which `<n>` counts from 0.
 */
export function spelledOut(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const times = Number(/# (\d+) of these$/.exec(line)?.[1] ?? 1);
      return Array.from({ length: times }, (_one, index) => line.replaceAll('<n>', String(index)));
    })
    .join('\n')
    .replaceAll(/<(\d+) characters>/g, (_all, count) => 'x'.repeat(Number(count)))
    .replaceAll(/<(\d+) times (.)>/g, (_all, count, one) => one.repeat(Number(count)))
    .replaceAll(/<(\d+),(\d+) to (\d+)>/g, (_all, ...numbers) => steps(...numbers.slice(0, 3).map(Number)));
}

function steps(first = 0, second = 1, last = 0): string {
  const count = Math.floor((last - first) / (second - first)) + 1;
  return Array.from({ length: count }, (_one, index) => first + index * (second - first)).join();
}

/** Maps are merged, all else is replaced; null takes out what is stored, as with `kubectl apply`. */
function merged(base: JsonObject, own: JsonObject, takesOut = false): JsonObject {
  const both: Record<string, JsonValue | undefined> = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const before = base[key];
    if (value === null && takesOut) delete both[key];
    else both[key] = isJsonObject(value) ? merged(isJsonObject(before) ? before : {}, value, takesOut) : value;
  }
  return both;
}

/** Containers have an image where an example doesn't show it. */
function withImages(value: JsonValue | undefined, key = ''): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.map((item): JsonValue => {
      const inner = withImages(item) ?? null;
      const lacksImage = /ontainers$/.test(key) && isJsonObject(inner) && !('image' in inner);
      return lacksImage ? { ...inner, image: 'registry.example/report:1' } : inner;
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withImages(one, name)]));
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
