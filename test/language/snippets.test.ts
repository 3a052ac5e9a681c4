import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kubernetesMinors } from '../../src/admission/index.ts';
import { defaultControllerName } from '../../src/contributions.ts';
import { snippetFile } from '../../src/language/index.ts';
import { findingsOf } from '../manifest/check.ts';
import { expanded } from './typing.ts';

interface Snippet {
  readonly description: string;
  readonly body: readonly string[];
  readonly isFileTemplate: boolean;
}

const file = join(import.meta.dirname, '../../media/snippets/jobs.json');
const made = `${JSON.stringify(snippetFile(), undefined, 2)}\n`;
if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, made);
const snippets: Readonly<Record<string, Snippet>> = JSON.parse(readFileSync(file, 'utf8'));

/** A snippet with each of its choices taken once, and all other places as they are proposed. */
function expansions({ body }: Snippet): readonly string[] {
  const text = body.join('\n');
  const choices = [...text.matchAll(/\$\{\d+\|([^|]*)\|\}/g)];
  const all = choices.flatMap(([place, list = '']) => list.split(',').map((one) => text.replace(place, one)));
  return (all.length === 0 ? [text] : all).map(expanded);
}

test('the snippets of the package are those that the code makes (UPDATE_GOLDEN=1 writes them)', () => {
  expect(readFileSync(file, 'utf8')).toBe(made);
});

test('there is one for each way to run a Job', () => {
  expect(Object.keys(snippets)).toEqual([
    'Job',
    'Indexed Job',
    'Job for MultiKueue',
    "Job for this workspace's reconciler",
    'Job with a success policy',
    'Job with a failure policy',
    'CronJob',
    'CronJob for MultiKueue',
  ]);
  expect(snippets["Job for this workspace's reconciler"]?.body).toContain(`  managedBy: ${defaultControllerName}`);
});

describe.each(kubernetesMinors)('for Kubernetes %s', (version) => {
  test.each(Object.entries(snippets))('%s is right whatever is chosen', (_, snippet) => {
    for (const text of expansions(snippet)) {
      const found = findingsOf(text, { version, controllerName: defaultControllerName });
      expect(
        found.filter(({ severity }) => severity === 'error' || severity === 'warning'),
        text,
      ).toEqual([]);
    }
  });
});
