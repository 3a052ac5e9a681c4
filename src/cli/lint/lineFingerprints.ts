/**
 * The name by which code scanning knows a line again although others above it come and go: `primaryLocationLineHash`.
 * It must be the very one that GitHub's upload computes for itself, which complains of any other.
 *
 * A line is hashed together with what follows it, 100 characters in all: blanks don't count, every kind of line break is
 * one character, and past the end stand one character 0xFFFF and then zeros. The hash is the polynomial of 37 over those
 * UTF-16 units, modulo 2^64, in hexadecimal digits; the number behind it tells equal ones apart, from 1.
 * Source: what github/codeql-action and Microsoft's SARIF SDK compute alike.
 */
const hashedUnits = 100;
const factor = 37n;
const endOfText = 0xffff;
const lineBreak = 10;

/** A fingerprint a line, such as `c129715d7a2bc9a3:1`; a text that ends with a line break has one more line, an empty one. */
export function lineFingerprints(text: string): readonly string[] {
  const { units, starts } = significantUnits(text);
  // What a unit adds leaves the hash again when it is the first of the window no longer.
  const leaving = factor ** BigInt(hashedUnits);
  const hashes: string[] = [];
  const seen = new Map<string, number>();
  let hash = 0n;
  for (let end = 1; hashes.length < starts.length; end++) {
    const gone = BigInt(units[end - 1 - hashedUnits] ?? 0);
    hash = BigInt.asUintN(64, hash * factor + BigInt(units[end - 1] ?? 0) - leaving * gone);
    if (starts[hashes.length] !== end - hashedUnits) continue;
    const digits = hash.toString(16);
    const count = (seen.get(digits) ?? 0) + 1;
    seen.set(digits, count);
    hashes.push(`${digits}:${count}`);
  }
  return hashes;
}

/** The units that count, and where in them each line starts. */
function significantUnits(text: string): { readonly units: readonly number[]; readonly starts: readonly number[] } {
  const units: number[] = [];
  const starts = [0];
  for (const line of text.split(/(\r\n|\r|\n)/)) {
    if (/^[\r\n]/.test(line)) {
      units.push(lineBreak);
      starts.push(units.length);
      continue;
    }
    for (let index = 0; index < line.length; index++) {
      const unit = line.charCodeAt(index);
      if (unit !== 0x20 && unit !== 0x09) units.push(unit);
    }
  }
  units.push(endOfText);
  return { units, starts };
}
