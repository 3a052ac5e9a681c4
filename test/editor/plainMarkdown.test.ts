import { describe, expect, test } from 'vitest';
import { plainMarkdown } from '../../src/editor/plainMarkdown.ts';

describe('a text of somebody else, as Markdown', () => {
  test.each([
    ['keeps its blanks soft', 'How many pods.  And  more.', 'How many pods. And more.'],
    ['flows on where it was only wrapped', 'one that\nwas wrapped\r\n  here', 'one that was wrapped here'],
    ['keeps its paragraphs', 'one\n\n\ntwo\n \nthree\n', 'one\n\ntwo\n\nthree'],
    ['keeps its points apart', 'one of\n- a\n * b\n+ c', 'one of\\\n\\- a\\\n\\* b\\\n\\+ c'],
    ['keeps its numbers apart', 'first\n1. a\n2) b\n3 c', 'first\\\n1\\. a\\\n2\\) b 3 c'],
    ['makes no headings and no lines', '# a\n\nb\n===\n\n--- c', '\\# a\n\nb ===\n\n\\--- c'],
    [
      'makes no markup',
      '*a* _b_ `c` [d](e) <b> &lt; ~f~ \\',
      '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<b\\> \\&lt; \\~f\\~ \\\\',
    ],
    ['leaves addresses whole', 'See _https://example.io/a_b#c.', 'See \\_https://example.io/a_b#c.'],
    ['takes no dash in a formula for a point', 'when (a -\n .b < c)\n-d', 'when (a - .b \\< c) -d'],
    ['makes no code of what is indented', '    x', 'x'],
  ])('%s', (_, text, expected) => {
    expect(plainMarkdown(text)).toBe(expected);
  });
});
