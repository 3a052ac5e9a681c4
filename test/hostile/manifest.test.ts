import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createManifestSession, fixesForAll, withoutEchoes } from '../../src/manifest/index.ts';
import { withinEffort } from './effort.ts';
import { type HostileText, hostileTexts } from './texts.ts';

const settings = { version: '1.35', controllerName: 'example.com/controller' } as const;

/** Each text gets an answer in a few times what a YAML parser takes for an ordinary one of its length. */
async function check({ text, state, codes }: HostileText): Promise<void> {
  const failed: string[] = [];
  const session = createManifestSession({ onRuleFailure: (code) => failed.push(code) });
  const { documents, findings } = await withinEffort({ length: text.length, times: 4, parser: 'yaml' }, () =>
    session.check(text, settings),
  );
  expect({ state: documents[0]?.state ?? 'read', codes: [...new Set(findings.map(({ code }) => code))] }).toEqual({
    state,
    codes,
  });
  expect(failed).toEqual([]);
  for (const { range } of findings) {
    expect(range.start.offset).toBeLessThanOrEqual(range.end.offset);
    expect(range.end.offset).toBeLessThanOrEqual(text.length);
  }
}

describe('what is said of', () => {
  it.each(Object.entries(hostileTexts))('%s', async (_, row) => check(row));
});

describe('a long file that is worked on all day', () => {
  it('is kept once, however many of its documents were typed in', () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const document = (name: string): string =>
      `---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\n${'# more\n'.repeat(500)}`;
    const documents = Array.from({ length: 200 }, (_, index) => document(`job-${index}`));
    // Flat, as an editor hands it over.
    const text = (): string => Buffer.from(documents.join('')).toString();
    const session = createManifestSession();
    session.check(text(), settings);
    const before = used();
    for (const index of documents.keys()) {
      documents[index] = document(`changed-${index}`);
      session.check(text(), settings);
    }
    expect(session.check(text(), settings).documents).toHaveLength(200);
    // Else it would be each of two hundred texts of 700 kB.
    expect(used() - before).toBeLessThan(20_000_000);
  });
});

describe('a file that is wrong from end to end', () => {
  const document = (index: number): string =>
    `---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: job-${index}}\nspec:\n  paralelism: 1\n  completion: 1\n`;
  const text = Array.from({ length: 4000 }, (_, index) => document(index)).join('');
  const { findings } = createManifestSession().check(text, settings);
  const cheap = { length: text.length, times: 0.5, parser: 'yaml' } as const;

  it('is offered as many fixes together', async () => {
    const fixes = await withinEffort(cheap, () => fixesForAll(findings));
    expect(fixes).toHaveLength(8000);
  });

  it('is held against as much that others say of it', async () => {
    const others = findings.map(({ range }) => ({
      source: 'yaml-schema: x',
      message: 'Property x is not allowed',
      range,
    }));
    expect(await withinEffort(cheap, () => withoutEchoes(findings, others))).toEqual([]);
  });
});
