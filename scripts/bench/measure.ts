/** One figure of a benchmark. `target` is what we want it to be; nothing asserts it. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  /** Absent for what is not a sample of many. */
  readonly p95?: number;
  readonly p99?: number;
  readonly max?: number;
  readonly samples?: number;
  readonly target?: string;
}

/** Median and 95th percentile of the samples. */
export function figure(name: string, unit: string, samples: readonly number[], target?: string): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return {
    name,
    unit,
    median: round(at(0.5)),
    p95: round(at(0.95)),
    samples: sorted.length,
    ...(target === undefined ? {} : { target }),
  };
}

/** Median, 99th percentile and the largest of the samples. */
export function spread(name: string, unit: string, samples: readonly number[], target?: string): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  const known = { name, unit, median: at(0.5), p99: at(0.99), max: at(1), samples: sorted.length };
  return target === undefined ? known : { ...known, target };
}

export function single(name: string, unit: string, value: number, target?: string): Figure {
  return { name, unit, median: round(value), ...(target === undefined ? {} : { target }) };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const { name, unit, median, p95, p99, max, samples, target } of figures) {
    const more = Object.entries({ p95, p99, max }).filter(([, value]) => value !== undefined);
    const others = more.map(([which, value]) => `, ${which} ${value} ${unit}`).join('');
    const count = samples === undefined ? '' : `, ${samples} samples`;
    console.log(`  ${name}: ${median} ${unit}${others}${count}${target === undefined ? '' : `   (wanted: ${target})`}`);
  }
}
