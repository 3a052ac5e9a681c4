/** What a test writes as one template: a text and the findings that it expects in it. */
export interface MarkedText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** A finding on one line; all numbers count from 0, `end` is behind the last marked column. */
export interface Mark {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/**
 * Takes the common indentation off and the mark lines out. A mark line holds carets below what they mark, and the code
 * of the finding; several findings of one line get a mark line each.
 *
 * ```ts
 * yaml`
 *   spec:
 *     managedBy: acme
 *                ^^^^ managed-by-format
 * `
 * ```
 */
export function yaml(strings: TemplateStringsArray, ...values: readonly (string | number)[]): MarkedText {
  return mark(dedent(String.raw({ raw: strings.raw }, ...values)));
}

/** The same for a text that is built at run time and has no indentation of its own. */
export function mark(source: string): MarkedText {
  const lines: string[] = [];
  const marks: Mark[] = [];
  for (const line of source.split('\n')) {
    const match = /^( *)(\^+) ([a-z0-9-]+)$/.exec(line);
    if (match === null) lines.push(line);
    else {
      const [, blanks = '', carets = '', code = ''] = match;
      marks.push({ line: lines.length - 1, start: blanks.length, end: blanks.length + carets.length, code });
    }
  }
  return { text: lines.join('\n'), marks };
}

function dedent(text: string): string {
  const lines = text.replace(/^\n/, '').replace(/\n *$/, '\n').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents);
  return lines.map((line) => line.slice(common)).join('\n');
}
