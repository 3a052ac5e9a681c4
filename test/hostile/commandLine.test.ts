import { describe, expect, it } from 'vitest';
import { run } from '../cli/lintRun.ts';
import { withinEffort } from './effort.ts';
import { hostileTexts } from './texts.ts';

/** The same texts, and what is no text at all, as files on the command line: an exit code and a message, never a stack. */
const few = [
  'brackets twenty thousand deep',
  'a billion laughs',
  'ten megabytes of comments',
  'a hundred thousand arguments',
  'three thousand containers of one name',
  'binary garbage',
  'a key called __proto__',
  'a list',
  'a text',
  'nothing',
] as const;

const hello = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n';
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

describe('lint answers', () => {
  it.each(few)('about %s', async (name) => {
    const { text = '', state } = hostileTexts[name] ?? {};
    for (const format of ['json', 'sarif', 'text']) {
      const limit = { length: text.length, times: 6, parser: 'yaml' } as const;
      const { code, stdout, stderr } = await withinEffort(limit, () =>
        run('lint', { args: ['--fix', '--format', format, 'a.yaml'], files: { 'a.yaml': text } }),
      );
      expect([0, 1, 2]).toContain(code);
      expect(code === 2).toBe(state === 'unreadable');
      expect(stderr === '').toBe(code !== 2);
      if (format !== 'text') expect(typeof JSON.parse(stdout)).toBe('object');
    }
  });

  it.each([
    ['UTF-16', utf16(hello), 'UTF-16 or UTF-32'],
    // A zero byte at its beginning, as the wider encodings have.
    [
      'bytes of no encoding',
      Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256),
      'UTF-16 or UTF-32',
    ],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), 'not UTF-8'],
  ])('about %s what it takes it for, and leaves the file alone', async (_, bytes, taken) => {
    const { code, stdout, stderr } = await run('lint', {
      args: ['--fix', '--format', 'json', 'a.yaml'],
      files: { 'a.yaml': bytes },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '{"findings":[]}\n' });
    expect(stderr).toContain(`a.yaml: the file is ${taken}`);
    expect(stderr).toContain('Save it as UTF-8');
  });
});

describe('verdict answers', () => {
  const rows: Readonly<Record<string, string>> = {
    'an object fifty thousand deep': `{"id":1,"operation":"create","object":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    'an object that says another kind twice': '{"id":1,"operation":"create","object":{"kind":"Job","kind":"Pod"}}',
    'a text for an object': '{"id":1,"operation":"create","object":"Job"}',
    'a list for an object': '{"id":1,"operation":"create","object":[]}',
    'keys that every object inherits': '{"id":1,"__proto__":{"operation":"create"},"object":{"__proto__":{}}}',
    'an update of nothing': '{"id":1,"operation":"update","object":{"apiVersion":"batch/v1","kind":"Job"},"old":null}',
    'an id that is an object': '{"id":{"a":[1]},"operation":"create","object":null}',
  };
  it.each(Object.entries(rows))('%s with a refusal', async (_, line) => {
    const { code, stdout } = await run('verdict', { args: [], stdin: [line] });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: JSON.parse(line).id, allowed: false });
  });

  it.each([
    ['numbers that JSON does not have', '{"id":1,"operation":"create","object":NaN}'],
    ['a quote that never ends', '{"id":1,"operation":"create","object":"Job}'],
    ['a list', '[{"id":1}]'],
    ['binary garbage', '\u0000\u0001\u0002'],
    ['a line that never ends', '{'.repeat(1_000_000)],
  ])('%s by the number of the line, and goes on', async (_, line) => {
    const next = '{"id":2,"operation":"create","object":{}}';
    const { code, stdout, stderr } = await run('verdict', { args: [], stdin: [`${line}\n${next}\n`] });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^delegated-jobs verdict: standard input:1: .*\. Write one request a line; see --help\.$/s);
    expect(stderr.length).toBeLessThan(1000);
    expect(JSON.parse(stdout)).toMatchObject({ id: 2, allowed: false });
  });

  it('ten thousand requests in one chunk', async () => {
    const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' } };
    const lines = Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ id, operation: 'create', object }));
    const text = `${lines.join('\n')}\n`;
    const { stdout } = await withinEffort({ length: text.length, times: 200, parser: 'json' }, () =>
      run('verdict', { args: [], stdin: [text] }),
    );
    expect(stdout.trimEnd().split('\n')).toHaveLength(lines.length);
  });

  it('a request that comes in a hundred thousand pieces', async () => {
    const value = 'x'.repeat(100_000);
    const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', annotations: { a: value } } };
    const line = JSON.stringify({ id: 1, operation: 'create', object });
    const { stdout } = await withinEffort({ length: line.length, times: 200, parser: 'json' }, () =>
      run('verdict', { args: [], stdin: line.split('') }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, allowed: false });
  });
});
