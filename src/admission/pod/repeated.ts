/** The texts of a list that stood in it before, with their indexes. */
export function repeated(texts: readonly string[]): [index: number, text: string][] {
  if (texts.length < 2) return [];
  const seen = new Set<string>();
  return [...texts.entries()].filter(([, text]) => {
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated;
  });
}
