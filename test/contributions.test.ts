import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands, contextKeys, settings, views } from '../src/contributions.ts';

/** What package.json declares and what the code uses are the same ids. */

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
  };
}

const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
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

  test('context keys that the code sets', () => {
    const named = text.match(/delegatedJobs:\w+/g) ?? [];
    expect(sorted(new Set(named))).toEqual(sorted(Object.values(contextKeys)));
  });
});

describe('package.json', () => {
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

  test('takes the kubeconfig from the machine alone', () => {
    expect(contributes.configuration.properties['delegatedJobs.kubeconfig']?.scope).toBe('machine');
  });
});
