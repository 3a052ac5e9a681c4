import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ruleCatalogue } from '../../src/admission/index.ts';
import { createManifestSession, rules } from '../../src/manifest/index.ts';

/** The pages of docs/rules are checked against the rules: their examples are cases. */
const folder = new URL('../../docs/rules/', import.meta.url);
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

describe('each rule has a page that is true', () => {
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
    const pages = readdirSync(folder).filter((name) => !['README.md', 'kubernetes.md'].includes(name));
    expect(pages.sort()).toEqual(rules.map(({ code }) => `${code}.md`).sort());
    const index = read('README.md');
    for (const { code, severity, says } of rules)
      expect(index).toContain(`| [${code}](${code}.md) | ${severity} | ${says} |`);
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
  expect(read(name)).toContain(anchor === undefined ? `# ${code}` : `<a id="${anchor}"></a>${code} `);
});

test('no two rules have one name', () => {
  const codes = [...rules, ...ruleCatalogue()].map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('the list of what Kubernetes refuses is complete', () => {
  const rows = ruleCatalogue().map(({ code, type, says, source, since, until }) => {
    const versions = [since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' ');
    return `| <a id="${code}"></a>${code} | ${type} | ${says} | ${source}${versions === '' ? '' : `; ${versions}`} |`;
  });
  const page = `# What Kubernetes refuses

The rules of kube-apiserver for Jobs and CronJobs, and for the creation of Pods, Deployments and StatefulSets, as this
program knows them. The sources are rows of its rule sheet
(\`B20\`) or public ones. Written by \`UPDATE_GOLDEN=1 npx vitest run test/manifest/docs.test.ts\`.

| name | type | rule | source |
|---|---|---|---|
${rows.join('\n')}
`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(new URL('kubernetes.md', folder), page);
  expect(read('kubernetes.md')).toBe(page);
});
