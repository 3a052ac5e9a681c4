/**
 * A text of somebody else as Markdown that shows it as it reads: nothing in it is taken for markup, lines that were only
 * wrapped flow together, paragraphs and the points of lists keep lines of their own, addresses can be followed.
 * `MarkdownString.appendText` makes all blanks hard, so that a narrow window breaks lines amid words.
 */
export function plainMarkdown(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replaceAll(/\s*\n\s*/g, '\n'))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) =>
      paragraph
        .split(/\n(?=[-*+] |\d+[.)] )/)
        .map(plainLine)
        .join('\\\n'),
    )
    .join('\n\n');
}

const addressOrSign = /(https?:\/\/[\w\-./~#?=&%:+,@]+)|[\\`*_{}[\]<>&~|]/g;

function plainLine(line: string): string {
  const words = line
    .replaceAll(/\s+/g, ' ')
    .replaceAll(addressOrSign, (sign, address: string | undefined) => address ?? `\\${sign}`);
  // What makes a heading, a line or the point of a list does so at the start alone.
  return words.replace(/^[-+#=]/, '\\$&').replace(/^(\d+)(?=[.)])/, '$1\\');
}
