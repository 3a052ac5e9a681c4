import { describe, expect, it } from 'vitest';
import { createManifestSession } from '../../src/manifest/index.ts';
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
