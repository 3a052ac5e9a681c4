/** Random choices that a seed repeats. */
export interface Draw {
  /** A whole number in [0, limit). */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The generator known as mulberry32: small, even enough for choosing cases, the same on every platform. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(unit() * limit);
  return {
    below,
    chance: (probability) => unit() < probability,
    pick(list) {
      const index = below(list.length);
      for (const [at, item] of list.entries()) if (at === index) return item;
      throw new Error('Nothing to pick from.');
    },
  };
}
