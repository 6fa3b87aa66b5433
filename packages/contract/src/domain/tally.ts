/** Counts by key. A key that counts zero takes no memory. */
export function tally() {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add: (key: string, count = 1): void => void counts.set(key, of(key) + count),
    remove: (key: string, count = 1): void => {
      const left = of(key) - count;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
