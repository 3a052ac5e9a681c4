/** Texts that no person writes as a manifest, and what is to be said of them. */
export interface HostileText {
  readonly text: string;
  /** State of the first document. */
  readonly state: 'read' | 'template' | 'unreadable';
  /** The codes of its findings, each once, in order. */
  readonly codes: readonly string[];
}

const megabyte = 1 << 20;

/** A Job with lines of the row's own: `spec` below its spec, `container` below its container, `metadata` likewise. */
function job(parts: { readonly metadata?: string; readonly spec?: string; readonly container?: string } = {}): string {
  const { metadata = '', spec = '', container = '' } = parts;
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: demo
${metadata}spec:
${spec}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
${container}`;
}

function lines(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${make(index)}\n`).join('');
}

function stairs(count: number): string {
  return lines(count, (index) => `${' '.repeat(index + 2)}a:`);
}

/** Each list is nine times the one before: a hundred million words written out. */
function laughs(): string {
  const row = (value: string): string => `[${Array(9).fill(value).join(', ')}]`;
  return `spec0: &a0 ${row('lol')}\n${lines(9, (index) => `spec${index + 1}: &a${index + 1} ${row(`*a${index}`)}`)}`;
}

const unreadable = (text: string, code = 'yaml-syntax'): HostileText => ({ text, state: 'unreadable', codes: [code] });
const read = (text: string, ...codes: readonly string[]): HostileText => ({ text, state: 'read', codes });

export const hostileTexts: Readonly<Record<string, HostileText>> = {
  'brackets a thousand deep': unreadable(
    job({ spec: `  selector: ${'['.repeat(1000)}${']'.repeat(1000)}\n` }),
    'yaml-depth',
  ),
  'brackets twenty thousand deep': unreadable(
    job({ spec: `  selector: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n` }),
    'yaml-depth',
  ),
  'maps a thousand deep': unreadable(job({ spec: stairs(1000) }), 'yaml-depth'),
  'dashes a thousand deep': unreadable(job({ spec: `  selector: \n    ${'- '.repeat(1000)}x\n` }), 'yaml-depth'),
  'JSON twenty thousand deep': unreadable(
    `{"apiVersion": "batch/v1", "kind": "Job",\n"spec": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    'yaml-depth',
  ),
  'a billion laughs': unreadable(`${job()}${laughs()}`, 'yaml-aliases'),
  'an alias to what holds it': unreadable(job({ spec: '  selector: &a\n    matchLabels: *a\n' }), 'yaml-aliases'),
  'ten thousand anchors and aliases': read(
    job({ spec: lines(10_000, (n) => `  a${n}: &a${n} x`) + lines(10_000, (n) => `  b${n}: *a${n}`) }),
    'unknown-field',
  ),
  'ten megabytes of comments': unreadable(`${job()}${'# comment\n'.repeat(megabyte)}`, 'document-too-large'),
  'ten megabytes of Jobs': read(
    lines(5000, (index) => `---\n${job({ metadata: `  annotations: {a: "${index}${'x'.repeat(2000)}"}\n` })}`),
  ),
  'a hundred thousand separators': read(`${job()}${'---\n'.repeat(100_000)}`),
  'a row of ten thousand JSON objects': read(
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}\n'.repeat(10_000),
  ),
  'a hundred thousand arguments': read(job({ container: `        args:\n${'        - x\n'.repeat(100_000)}` })),
  'five thousand numbers for arguments': read(
    job({ container: `        args:\n${'        - 1\n'.repeat(5000)}` }),
    'wrong-type',
  ),
  'three thousand containers of one name': read(
    job({ container: '      - name: main\n        image: x\n'.repeat(3000) }),
    'container-name-unique',
  ),
  'ten thousand keys twice': read(job({ spec: '  parallelism: 1\n'.repeat(10_000) }), 'duplicate-key'),
  'ten thousand unknown fields': read(job({ spec: lines(10_000, (n) => `  field${n}: x`) }), 'unknown-field'),
  'ten thousand merges': read(job({ spec: `  selector: &a {}\n${'  <<: *a\n'.repeat(10_000)}` })),
  'ten thousand comments that silence nothing': read(
    job({ spec: '  # delegated-jobs: ignore delegated-short-ttl\n'.repeat(10_000) }),
    'unused-suppression',
  ),
  'a name of a megabyte': read(job().replace('demo', 'a'.repeat(megabyte)), 'name-format'),
  'a key of a megabyte': read(job({ spec: `  ? ${'k'.repeat(megabyte)}\n  : x\n` }), 'unknown-field'),
  'a megabyte of escapes': read(
    job({ spec: `  managedBy: "${'\\u0041'.repeat(180_000)}"\n` }),
    'managed-by-format',
    'managed-by-length',
  ),
  'a number of a megabyte': read(job({ spec: `  parallelism: ${'9'.repeat(megabyte)}\n` }), 'wrong-type'),
  'a megabyte of blanks': read(job({ spec: `${' '.repeat(megabyte)}\n` })),
  'a megabyte of tabs': unreadable(job({ spec: `${'\t'.repeat(megabyte)}x: 1\n` })),
  'a hundred thousand lone carriage returns': read(`${job().replaceAll('\n', '\r')}${'\r'.repeat(100_000)}`),
  'thirty thousand colons': unreadable(job({ spec: `  managedBy: ${'a: '.repeat(30_000)}\n` })),
  'a megabyte of quotes': unreadable(job({ spec: `  managedBy: ${"'".repeat(megabyte + 1)}\n` })),
  'a thousand lines to the left of their bracket': read(
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo}\nspec: {template: {spec: {restartPolicy: Never,\ncontainers: [{name: main, image: x, args: [\n${'x,\n'.repeat(1000)}]}]}}}\n`,
  ),
  'a page of template five thousand lines long': {
    ...read(job({ spec: '  {{ if .a }}\n'.repeat(5000) })),
    state: 'template',
  },
  'a hundred thousand conflict marks': unreadable(
    `<<<<<<< ours\n${job()}${'=======\n'.repeat(100_000)}>>>>>>> theirs\n`,
    'merge-conflict',
  ),
  'a quote that never ends': unreadable(`${job().replace('r/x:1', '"r/x:1')}${'# more\n'.repeat(30_000)}`),
  'brackets that never end': unreadable(job({ spec: `  selector: ${'{a: ['.repeat(1000)}\n` })),
  'binary garbage': unreadable(
    `apiVersion: batch/v1\nkind: Job\n${Array.from({ length: 200_000 }, (_, n) => String.fromCharCode((n * 7919) % 256)).join('')}`,
  ),
  'halves of characters': unreadable(
    job({ spec: `  managedBy: "${'\\uD800'.repeat(10)}${'\uD800'.repeat(10)}"\n` }),
    'yaml-value',
  ),
  'a key called __proto__': read(
    job({ metadata: '  __proto__: {name: other}\n', spec: '  __proto__: {parallelism: -1}\n' }),
    'unknown-field',
  ),
  'numbers that JSON does not have': unreadable(job({ spec: '  parallelism: .nan\n' }), 'yaml-value'),
  'a list': read(`- ${job().replaceAll('\n', '\n  ')}`),
  'a text': read('kind Job apiVersion batch/v1'),
  'JSON with a key twice': read(
    '{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"suspend": 1, "suspend": true, "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a"}]}}}}',
    'duplicate-key',
  ),
  nothing: read(''),
};
