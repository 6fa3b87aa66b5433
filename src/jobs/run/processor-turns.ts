import pLimit from 'p-limit';

/**
 * The longest turn. A short conversion ends within it. A longer one then runs beside others, as one that waits for its disk should, and
 * delays the next conversion by no more than this.
 */
export const TURN_MS = 300;

/**
 * Lets `limit` conversions start, and each further one when the turn of another is over: when that conversion has ended, or after
 * `turnMs`. More conversions at once than there are processors finish nothing sooner, because they compete for the caches.
 *
 * @returns A function that resolves when a conversion may start; conversions start in the order of the calls. If `ended` settles first,
 * it resolves at once, and the conversion takes no turn.
 */
export function processorTurns(limit: number, turnMs = TURN_MS): (ended: Promise<unknown>) => Promise<void> {
  const inTurn = pLimit(limit);
  const turnOf = (ended: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, turnMs);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      ended.then(end, end);
    });
  return (ended) =>
    new Promise((resolve) => {
      const start = (): void => resolve();
      ended.then(start, start);
      void inTurn(() => {
        start();
        return turnOf(ended);
      });
    });
}
