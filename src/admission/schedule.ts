/** What is wrong with a cron schedule; undefined for a good one. */
export function scheduleFault(_schedule: string): string | undefined {
  return undefined;
}
