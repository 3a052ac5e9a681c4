/** An hour, in milliseconds. */
export const hourMs = 3_600_000;

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: hourMs,
};

/** A duration as Go reads it, in milliseconds; undefined where it can't. */
export function durationMs(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  const parts = [...rest.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const sum = parts.reduce((total, [, amount = '', unit = '']) => total + Number(amount) * (unitsMs[unit] ?? 0), 0);
  return sign === '-' ? -sum : sum;
}
