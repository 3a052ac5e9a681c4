import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Who may import whom (ARCHITECTURE.md has the same table with reasons). Folders see each other through their entry
 * files only; the composition roots and the parts they load may reach everything they wire.
 */
const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

/** Folder → folders and packages it may import; `node:` stands for all of Node. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  admission: ['base'],
  manifest: ['base', 'admission', 'yaml'],
  language: ['base', 'admission', 'manifest'],
  kube: ['base', '@kubernetes/client-node', 'yaml', 'node:'],
  model: ['base', 'kube', 'admission'],
  reconciler: ['base', 'kube', 'admission', 'node:'],
  sandbox: ['base', 'admission', 'kube', 'node:'],
  session: ['base', 'kube', 'model', 'reconciler', 'contributions'],
  editor: ['base', 'manifest', 'language', 'contributions', 'vscode'],
  tree: ['base', 'model', 'session', 'contributions', 'vscode'],
  commands: ['base', 'kube', 'manifest', 'model', 'reconciler', 'session', 'contributions', 'vscode'],
};

/** Files at the top of src/, and src/parts and src/cli: they wire. What they must not touch. */
const wiringMustNotImport: Readonly<Record<string, readonly string[]>> = {
  'extension.ts': [],
  'besideCluster.ts': [],
  'keptTexts.ts': [],
  'lintTask.ts': [],
  'windowSettings.ts': [],
  'cli.ts': ['vscode', 'editor', 'tree', 'commands', 'session'],
  'reconcilerThread.ts': ['vscode', 'editor', 'tree', 'commands', 'session'],
  'sandboxThread.ts': ['vscode', 'editor', 'tree', 'commands', 'session'],
  'contributions.ts': ['vscode', 'base', ...Object.keys(mayImport)],
  cli: ['vscode', 'editor', 'tree', 'commands', 'session'],
  parts: ['vscode', 'editor', 'tree', 'commands'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Top-level name below src/, or the package. */
  readonly target: string;
  readonly reachesEntry: boolean;
  /** Erased before anything runs, so it can't make a cycle at run time. */
  readonly isTypeOnly: boolean;
}

/** `import … from 'x'`, `export … from 'x'` and `import('x')`; in comments the last kind alone could be mistaken. */
const importPattern = /^(?:import|export)\s(?:[\w*\s,]|\{[^}]*\})*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(source, file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found: Import[] = [];
  for (const [statement, named, dynamic] of text.matchAll(importPattern)) {
    const specifier = named ?? dynamic ?? '';
    const isTypeOnly = /^(import|export) type\b/.test(statement);
    if (specifier.startsWith('.')) {
      const path = relative(source, resolve(dirname(file), specifier));
      const [target = ''] = path.split(/[\\/]/);
      found.push({
        file,
        specifier,
        target,
        reachesEntry: path === target || path === join(target, 'index.ts'),
        isTypeOnly,
      });
    } else {
      const target = specifier.startsWith('node:') ? 'node:' : specifier;
      found.push({ file, specifier, target, reachesEntry: true, isTypeOnly });
    }
  }
  return found;
}

function ownerOf(file: string): string {
  return relative(source, file).split(/[\\/]/)[0] ?? '';
}

const imports = sourceFiles().flatMap((file) => importsOf(file));
const show = ({ file, specifier }: Import): string => `${relative(root, file)} imports ${specifier}`;

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  test('go only where the table allows', () => {
    const wrong = imports.filter((one) => {
      const owner = ownerOf(one.file);
      const target = one.target.replace(/\.ts$/, '');
      const allowed = mayImport[owner];
      if (allowed !== undefined) return target !== owner && !allowed.includes(target);
      return wiringMustNotImport[owner]?.includes(target) ?? true;
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('reach other folders through their entry file', () => {
    const wrong = imports.filter((one) => {
      const owner = ownerOf(one.file);
      return one.target in mayImport && one.target !== owner && !one.reachesEntry;
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('make no cycle', () => {
    const files = new Map<string, string[]>();
    for (const { file, specifier, isTypeOnly } of imports) {
      if (specifier.startsWith('.') && !isTypeOnly)
        files.set(file, [...(files.get(file) ?? []), resolve(dirname(file), specifier)]);
    }
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file))
        cycles.push([...path.slice(path.indexOf(file)), file].map((one) => relative(root, one)).join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of files.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

describe('the code', () => {
  const rows: readonly [string, RegExp, (file: string) => boolean][] = [
    [
      'touches timers and chance in base/clock.ts alone',
      /\b(Date\.now\(|setTimeout\(|setInterval\(|Math\.random\()/,
      (file) => file.endsWith('base/clock.ts'),
    ],
    [
      'shows messages through commands/notifications.ts alone, which keeps links out of them',
      /\bshow(Error|Warning|Information)Message\b/,
      (file) => file.endsWith('commands/notifications.ts'),
    ],
    ['exports nothing by star', /^export \*/m, () => false],
  ];
  test.each(rows)('%s', (_name, pattern, isExempt) => {
    const wrong = sourceFiles().filter((file) => !isExempt(file) && pattern.test(readFileSync(file, 'utf8')));
    expect(wrong.map((file) => relative(root, file))).toEqual([]);
  });
});
