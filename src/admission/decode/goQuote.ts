const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);
// A text until it is needed: V8 would build the classes of Unicode each time it reads the literal, a millisecond at start.
const escapedPattern = '["\\\\]|[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]';

const plain = /^[ !#-[\]-~]*$/;

/** A text in double quotes as Go's strconv quotes it. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const escaped = new RegExp(escapedPattern, 'gu');
  return `"${text.toWellFormed().replace(escaped, (character) => shortEscapes.get(character) ?? numericEscape(character))}"`;
}

function numericEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
