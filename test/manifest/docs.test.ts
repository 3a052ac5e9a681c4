import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeRules, ruleCatalogue } from '../../src/admission/index.ts';
import { createManifestSession, pagesByCode, readingCodes, readingMeanings, rules } from '../../src/manifest/index.ts';
import { kindNotServedCode } from '../../src/manifest/servedKinds.ts';
import { unlistedVersionCode } from '../../src/manifest/unlistedVersion.ts';
import {
  type Catalogue,
  fieldsOf,
  findingsOf,
  holdsIn,
  type RulePage,
  readPage,
  renderPage,
  shownIn,
  spelledOut,
} from './rulePages.ts';

/** The pages of docs/rules are checked against the rules: their examples are cases. */
const root = new URL('../../', import.meta.url);
const folder = new URL('docs/rules/', root);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const settings = {
  version: '1.35',
  unlistedVersion: '1.31',
  controllerName: 'delegated-jobs.dev/reconciler',
  clusterQueues: {
    defaultNamespace: 'default',
    byNamespace: {
      research: [
        { name: 'team-a', leadsToMultiKueue: true },
        { name: 'team-b', leadsToMultiKueue: false },
      ],
    },
  },
} as const;

/** The YAML blocks of a page by the word above each. */
function examples(page: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...page.matchAll(/^(\w+):\n\n```yaml\n([\s\S]*?)```$/gm)].map(([, name = '', text = '']) => [name, text]),
  );
}

function codesAndSeverities(text: string, stored: string | undefined): readonly string[] {
  const old =
    stored === undefined ? undefined : createManifestSession().check(stored, settings).documents[0]?.objects[0];
  const session = createManifestSession(
    old === undefined ? {} : { requestFor: (object) => ({ operation: 'update', object, old: old.value }) },
  );
  return session.check(text, settings).findings.map(({ code, severity }) => `${code} ${severity}`);
}

describe('each rule of ours has a page that is true', () => {
  test.each(rules)('$code', ({ code, severity, says, source }) => {
    const page = read(`${code}.md`);
    const head = `# ${code}\n\n${severity.charAt(0).toUpperCase()}${severity.slice(1)}. Source: ${source}.\n\n${says}\n`;
    expect(page.slice(0, head.length)).toBe(head);
    expect(page).toMatch(/\]\(https:\/\/[^)]+\)/);
    const { Stored, Wrong = '', Right = '' } = examples(page);
    expect(codesAndSeverities(Wrong, Stored)).toContain(`${code} ${severity}`);
    expect(codesAndSeverities(Right, Stored)).not.toContain(`${code} ${severity}`);
  });

  test('and each page has a rule, and a line in the index', () => {
    const others = ['README.md', 'kubernetes.md', 'reading.md'];
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && !others.includes(name));
    expect(pages.sort()).toEqual(rules.map(({ code }) => `${code}.md`).sort());
    const index = read('README.md');
    for (const { code, severity, says } of rules)
      expect(index).toContain(`| [${code}](${code}.md) | ${severity} | ${says} |`);
  });
});

const catalogue: Catalogue = new Map(ruleCatalogue().map((entry) => [entry.code, entry]));
const updates = process.env['UPDATE_GOLDEN'] === '1';

/** The pages about the API server's rules, in the order of the index. */
const pages = [...read('README.md').matchAll(/\]\((kubernetes\/[a-z-]+\.md)\)/g)].map(([, name = '']) => {
  const text = read(name);
  return { name, text, page: readPage(text) };
});

/** Rules that no request can break, because the server fills in what they ask for. */
const unreachable: ReadonlySet<string> = new Set([
  'failure-policy-condition-status-required',
  'http-path-required',
  'image-volume-pull-policy-required',
  'volume-source-required',
]);

describe('each rule of the API server has a section', () => {
  test('on one page, to which its findings lead', () => {
    const sections = pages.flatMap(({ name, page }) =>
      page.sections.flatMap(({ codes }) => codes.map((code) => `${name}#${code}`)),
    );
    const pageOf = pagesByCode();
    const targets = [...catalogue.keys()].map((code) => pageOf(code).replace(/^.*\/docs\/rules\//, ''));
    expect(sections.sort()).toEqual(targets.sort());
  });

  test('and each page is in the index, once', () => {
    const files = readdirSync(new URL('kubernetes/', folder)).map((name) => `kubernetes/${name}`);
    expect(pages.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  test.each(pages)('that tells how it answers: $name', ({ name, text, page }) => {
    const whole = renderPage(page, catalogue);
    if (updates) writeFileSync(new URL(name, folder), whole);
    expect(text).toBe(whole);
    for (const { codes, body } of page.sections) expect(body, codes.join()).toMatch(/^(?!```).{20}/);
  });

  const sections = pages.flatMap(({ page }) => page.sections.map((one) => ({ ...one, name: one.codes.join(', ') })));
  test.each(sections)('whose example shows just that: $name', ({ codes, companions, example }) => {
    expect(codes.filter((code) => unreachable.has(code))).toEqual(example === undefined ? codes : []);
    if (example === undefined) return;
    const entries = [...codes, ...companions].flatMap((code) => catalogue.get(code) ?? []);
    for (const entry of entries.slice(0, codes.length)) {
      const version = shownIn(entry, example);
      const broken = findingsOf(example, 'wrong', version).map(({ code }) => code);
      const holding = entries.filter((one) => holdsIn(one, version)).map(({ code }) => code);
      expect(holding).toContain(entry.code);
      expect([...new Set(broken)].filter((code) => code !== 'api-server-warning').sort()).toEqual(holding.sort());
      const left = findingsOf(example, 'right', version).map(({ code }) => code);
      expect(left.filter((code) => code !== 'api-server-warning')).toEqual([]);
    }
  });
});

describe('what is said while a text is read has a section', () => {
  const page = readPage(read('reading.md'));
  const says = (text: string) => [
    ...new Set(
      createManifestSession()
        .check(spelledOut(text), { version: '1.35' })
        .findings.map(({ code }) => code),
    ),
  ];

  test('under each name', () => {
    const others = ['api-server-warning', 'unused-suppression', unlistedVersionCode, kindNotServedCode];
    const codes = [...readingCodes, ...decodeRules, ...others];
    expect(page.sections.flatMap((section) => section.codes).sort()).toEqual(codes.sort());
    const pageOf = pagesByCode();
    for (const code of codes) expect(pageOf(code)).toMatch(new RegExp(`/docs/rules/reading\\.md#${code}$`));
  });

  test('whose meaning is told alike on the page and in logs', () => {
    expect([...readingMeanings.keys()].sort()).toEqual(page.sections.flatMap((section) => section.codes).sort());
    const told = [...read('README.md').matchAll(/\(reading\.md#(\S+)\) \| \w+ \| (.*) \|$/gm)];
    expect(told.map(([, code, says]) => [code, says])).toEqual([...readingMeanings]);
  });

  // Not of the text: where a request goes to, and what the cluster is.
  const ofOthers = new Set(['wrong-kind', 'wrong-api-version', unlistedVersionCode]);
  const sections = page.sections.filter(({ codes }) => !codes.some((code) => ofOthers.has(code)));
  test.each(sections)('whose example shows just that: $codes', ({ codes, example }) => {
    expect(says(example?.wrong ?? '')).toEqual(codes);
    expect(says(example?.right ?? '-')).toEqual([]);
  });
});

test.each([
  ['a rule of ours', 'metadata: {name: a, labels: {kueue.x-k8s.io/queue-name: Q}}', 'queue-name-format'],
  ['a rule of the API server', 'metadata: {name: A}', 'name-format'],
  ['a field that nobody knows', 'metadata: {name: a}\nstatuss: {}', 'unknown-field'],
  ['what no reader takes', 'metadata: {name: a', 'yaml-syntax'],
  ['what the API server warns of', 'metadata: {name: a.b}', 'api-server-warning'],
])('a finding leads to its page: %s', (_, line, code) => {
  const spec = 'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}';
  const text = `apiVersion: batch/v1\nkind: Job\n${line}\n${spec}\n`;
  const finding = createManifestSession()
    .check(text, settings)
    .findings.find((one) => one.code === code);
  const [, name = '', anchor] = /docs\/rules\/([^#]+)(?:#(.+))?$/.exec(finding?.url ?? '') ?? [];
  if (anchor === undefined) expect(read(name)).toContain(`# ${code}\n`);
  else expect(anchorsOf(read(name))).toContain(anchor);
});

test('no two rules have one name', () => {
  const codes = [...rules.map(({ code }) => code), ...catalogue.keys(), ...readingCodes, ...decodeRules];
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

describe('links lead somewhere', () => {
  const names = [
    'README.md',
    'docs/ci.md',
    'docs/rules/README.md',
    'docs/rules/kubernetes.md',
    'docs/rules/reading.md',
  ];
  const all = [
    ...names,
    ...pages.map(({ name }) => `docs/rules/${name}`),
    ...rules.map(({ code }) => `docs/rules/${code}.md`),
  ];
  test.each(all)('%s', (name) => {
    const from = new URL(name, root);
    const prose = readFileSync(from, 'utf8').replaceAll(/^```[\s\S]*?^```$|``.*?``|`[^`]*`/gm, '');
    const links = [...prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const target = new URL(link, from);
      const anchor = target.hash.slice(1);
      target.hash = '';
      const text = readFileSync(target, 'utf8');
      return anchor !== '' && !anchorsOf(text).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** What a fragment can name in a page: ids, and headings as GitHub turns them into some. */
function anchorsOf(text: string): ReadonlySet<string> {
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/<[^>]*>|[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...ids, ...headings]);
}

test('the list of what Kubernetes refuses is complete', () => {
  const whole = listOf(pages);
  if (updates) writeFileSync(new URL('kubernetes.md', folder), whole);
  expect(read('kubernetes.md')).toBe(whole);
});

/** Each rule by the fields in which its example breaks it. */
function listOf(all: readonly { readonly name: string; readonly page: RulePage }[]): string {
  const tables = all.map(({ name, page }) => {
    const rows = page.sections.flatMap(({ codes, example }) =>
      codes.map((code) => {
        const entry = catalogue.get(code);
        const fields = entry === undefined || example === undefined ? [] : fieldsOf(entry, example);
        const shown = fields.map((field) => `\`${field}\``).join(', ');
        return `| ${shown} | <a id="${code}"></a>[${code}](${name}#${code}) | ${entry?.says} | ${entry?.source} |`;
      }),
    );
    return `## [${page.title}](${name})\n\n| field | rule | what it asks for | source |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# What Kubernetes refuses

The rules of kube-apiserver for Jobs and CronJobs, and for the creation of Pods, Deployments and StatefulSets, as this
program knows them, by topic and field: search this page for the field. Fields of pods are written from the pod's
\`spec\` on: \`containers[].image\` is \`spec.template.spec.containers[].image\` of a Job. The field is that of the rule's
example; many rules hold in several places. Each name leads to why the rule is, with an example. The sources are rows of the rule
sheet behind the engine (\`B20\`) or public ones.

Written by \`UPDATE_GOLDEN=1 npx vitest run test/manifest/docs.test.ts\`, as is what the pages measure.

${tables.join('\n')}`;
}
