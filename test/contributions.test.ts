import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kubernetesMinors } from '../src/admission/index.ts';
import { commands, contextKeys, settings, views } from '../src/contributions.ts';
import { managementRights, workerRights } from '../src/reconciler/preflight.ts';

/** What package.json declares and what the code uses are the same ids. */

interface Manifest {
  readonly version: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly scope?: string;
            readonly order?: number;
            readonly default?: unknown;
            readonly enum?: readonly string[];
            readonly markdownDescription?: string;
          }
        >
      >;
    };
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
  };
}

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const text = read('package.json');
const manifest: Manifest = JSON.parse(text);
const { contributes } = manifest;
const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe('package.json declares exactly', () => {
  test('the commands', () => {
    expect(sorted(contributes.commands.map(({ command }) => command))).toEqual(sorted(Object.values(commands)));
  });

  test('the views', () => {
    expect(sorted(Object.values(contributes.views).flatMap((group) => group.map(({ id }) => id)))).toEqual(
      sorted(Object.values(views)),
    );
  });

  test('the settings', () => {
    const { section, ...names } = settings;
    const used = Object.values(names).map((name) => `${section}.${name}`);
    expect(sorted(Object.keys(contributes.configuration.properties))).toEqual(sorted(used));
  });

  test('the Kubernetes minors that the engine knows', () => {
    const { enum: values } = contributes.configuration.properties['delegatedJobs.kubernetesVersion'] ?? {};
    expect(values).toEqual(['auto', ...kubernetesMinors]);
  });

  test('context keys that the code sets', () => {
    const named = text.match(/delegatedJobs:\w+/g) ?? [];
    expect(sorted(new Set(named))).toEqual(sorted(Object.values(contextKeys)));
  });
});

describe('package.json', () => {
  test('brings no schema and asks for no other extension: others judge YAML for themselves', () => {
    expect(Object.keys(contributes).filter((key) => /validation|languages/i.test(key))).toEqual([]);
    for (const key of ['extensionDependencies', 'extensionPack']) expect(manifest).not.toHaveProperty(key);
  });

  test('activates for nothing in general', () => {
    expect(manifest.activationEvents).not.toContain('*');
    expect(manifest.activationEvents).not.toContain('onStartupFinished');
  });

  test('shows commands of rows in no palette', () => {
    const inPalette = new Map(contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]));
    for (const { command } of contributes.menus['view/item/context'] ?? [])
      expect(inPalette.get(command)).toBe('false');
  });

  test('lets no untrusted workspace choose clusters, controller or reconciler', () => {
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    const choosing = [
      'kubeconfig',
      'managementContext',
      'workers',
      'namespaces',
      'controllerName',
      'reconciler.enabled',
    ];
    expect(sorted(restricted)).toEqual(sorted(choosing.map((name) => `delegatedJobs.${name}`)));
  });

  test('takes the kubeconfig and who a cluster is from the machine alone', () => {
    for (const name of ['kubeconfig', 'clusterIds'])
      expect(contributes.configuration.properties[`delegatedJobs.${name}`]?.scope).toBe('machine');
  });
});

describe('each setting', () => {
  const properties = Object.entries(contributes.configuration.properties);

  test.each(properties)('%s has a default and says what it does', (_name, { default: value, markdownDescription }) => {
    expect(value).toBeDefined();
    expect(markdownDescription).toMatch(/^[A-Z`].{40,}\.$/s);
  });

  test('has a place of its own', () => {
    const orders = properties.map(([, { order }]) => order);
    expect(orders).toEqual(orders.map((_, index) => index + 1));
  });
});

describe('each command', () => {
  test.each(contributes.commands)('$title is found under our name', ({ category }) => {
    expect(category).toBe('Delegated Jobs');
  });

  test('has a title of its own', () => {
    const titles = contributes.commands.map(({ title }) => title);
    expect(sorted(new Set(titles))).toEqual(sorted(titles));
  });
});

describe.each(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/ci.md'])('%s', (file) => {
  const page = read(file);

  test('names settings that there are, and their defaults', () => {
    const rows = [...page.matchAll(/^\| `(delegatedJobs\.[\w.]+)` \|(?: `?([^|`]*)`? \|)?/gm)];
    for (const [, name = '', shown = ''] of rows) {
      const value = contributes.configuration.properties[name]?.default;
      expect(value, name).toBeDefined();
      expect([name, typeof value === 'string' ? value : JSON.stringify(value)]).toEqual([name, shown.trim()]);
    }
    const named = new Set(page.match(/delegatedJobs\.\w+(?:\.\w+)?/g));
    for (const name of named) expect(contributes.configuration.properties, name).toHaveProperty([name]);
    if (file === 'README.md') expect(sorted(named)).toEqual(sorted(Object.keys(contributes.configuration.properties)));
  });

  test('names commands that there are', () => {
    const titles = contributes.commands.map(({ title }) => title);
    for (const [, title = ''] of page.matchAll(/\*\*Delegated Jobs: ([^*]+)\*\*/g)) expect(titles).toContain(title);
  });

  test('calls the command line by commands and options that there are', () => {
    const calls = [...page.matchAll(/^(?:delegated-jobs|node \S*cli\.cjs) ([a-z]+)(.*)$/gm)];
    for (const [call, command = '', more = ''] of calls) {
      const source = read(`src/cli/${command}.ts`);
      const help = source.slice(0, source.indexOf('`;'));
      for (const option of more.replace(/#.*/, '').match(/ --?[a-z][\w-]*/g) ?? [])
        expect(help, call).toMatch(new RegExp(`(^|[ ,])${option.trim()}\\b`, 'm'));
    }
    if (file === 'README.md') expect(calls.length).toBeGreaterThan(3);
  });

  test('links to files that there are', () => {
    for (const [link, path = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g))
      expect(existsSync(join(root, file, '..', path)), link).toBe(true);
  });
});

test.each([
  ['management cluster', managementRights],
  ['a worker', workerRights],
] as const)('README.md names the rights that the reconciler asks for on %s', (cluster, rights) => {
  const rows = [...read('README.md').matchAll(/^\|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$/gm)];
  let on = '';
  const named = new Set<string>();
  for (const [, place = '', resources = '', verbs = ''] of rows) {
    on = place.trim() || on;
    for (const resource of resources.match(/[\w/]+/g) ?? [])
      for (const verb of verbs.match(/\w+/g) ?? []) named.add(`${on}: ${verb} ${resource}`);
  }
  for (const { verbs, resource, subresource } of rights) {
    const what = subresource === undefined ? resource : `${resource}/${subresource}`;
    for (const verb of verbs) expect(named).toContain(`${cluster}: ${verb} ${what}`);
  }
});

test('README.md shows each picture that is kept for it', () => {
  for (const name of readdirSync(join(root, 'media/pictures')))
    expect(read('README.md')).toContain(`](media/pictures/${name})`);
});

test('CHANGELOG.md begins with the version of the package', () => {
  expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(manifest.version);
});
