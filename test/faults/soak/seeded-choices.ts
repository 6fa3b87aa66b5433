/** Random choices. The same seed makes the same choices. */
export interface SeededChoices {
  /** In [from, to). */
  between(from: number, to: number): number;
  /** true with the probability `share`, 0 to 1. */
  happens(share: number): boolean;
  /** One of the names, by weight. */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K;
}

/** The generator Mulberry32. Its 32 bits of state are enough for a few thousand choices. */
export function seededChoices(seed: number): SeededChoices {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + next() * (to - from),
    happens: (share) => next() < share,
    pick(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('There are no names to pick from.');
    },
  };
}
