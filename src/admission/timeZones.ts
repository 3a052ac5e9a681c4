/** What is wrong with a time zone; undefined for a good one. */
export function timeZoneFault(_timeZone: string): string | undefined {
  return undefined;
}
