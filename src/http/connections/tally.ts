/** Counts by key. A key that counts zero takes no memory. */
export interface Tally {
  of(key: string): number;
  add(key: string, count?: number): void;
  remove(key: string, count?: number): void;
}

export function tally(): Tally {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add: (key, count = 1) => void counts.set(key, of(key) + count),
    remove: (key, count = 1) => {
      const left = of(key) - count;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
