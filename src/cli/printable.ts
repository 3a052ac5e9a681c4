/**
 * The text on one line, with nothing in it that a terminal or a CI obeys: control characters stand escaped, as in JSON.
 * For whatever quotes a manifest, a file's name or a cluster. What is JSON already needs none of it.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const inJson = JSON.stringify(character).slice(1, -1);
    return inJson === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : inJson;
  });
}
