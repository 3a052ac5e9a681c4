import { expect, test } from 'vitest';
import { withoutLinks } from '../../src/commands/withoutLinks.ts';

/** What VS Code makes a link in a notification (its `parseLinkedText`). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

const rows: readonly [string, string][] = [
  ['a command', 'It holds: [Job](command:workbench.action.terminal.sendSequence?%7B%7D).'],
  ['a command in capitals', '[a](COMMAND:x)'],
  ['a page', 'Job [hello](https://example.com "Show Problems") would be refused.'],
  ['a file', '[a](file:///etc/passwd)'],
  ['one behind another', '[a](http://a)[b](command:c)'],
  ['one within brackets', '[[a](command:b)](command:c)'],
];

test.each(rows)('makes plain text of a link to %s', (_name, text) => {
  expect(text).toMatch(link);
  const plain = withoutLinks(text);
  expect(plain).not.toMatch(link);
  expect(plain.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});

test.each([
  'spec.containers[0].env[1](x): Invalid value: "a]("',
  'See https://example.com/a (and [this](not-a-link)).',
  'hub would take this object.',
])('leaves as it is: %s', (text) => {
  expect(withoutLinks(text)).toBe(text);
});
