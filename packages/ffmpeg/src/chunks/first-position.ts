/** The first of `count` positions at which a condition is true, which is then true at all later ones. `count`: there is none. */
export function firstPosition(count: number, isReached: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first position of sorted numbers with at least `least`. */
export const lowerBound = (sorted: ArrayLike<number>, least: number): number =>
  firstPosition(sorted.length, (at) => (sorted[at] ?? 0) >= least);

/** The first position of sorted numbers with more than `number`. */
export const firstAfter = (sorted: ArrayLike<number>, number: number): number =>
  firstPosition(sorted.length, (at) => (sorted[at] ?? 0) > number);
