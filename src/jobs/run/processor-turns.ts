/** Lets light conversions take turns on the processors. */
export interface ProcessorTurns {
  /**
   * Resolves when a conversion may start, in the order of the calls. Its turn is over when it has `ended`, or has run for `TURN_MS`. If
   * it ends while it waits, it leaves the queue.
   */
  wait(ended: Promise<unknown>): Promise<void>;
}

/**
 * The longest turn. A conversion of a moment ends in it. Longer ones then run beside others, as one that waits for its disk should, and
 * delay others by no more than this.
 */
export const TURN_MS = 300;

/**
 * Lets `limit` conversions start, and each further one when the turn of another is over. More at once than there are processors finish
 * nothing sooner: they take the caches from each other.
 */
export function processorTurns(limit: number, turnMs = TURN_MS): ProcessorTurns {
  let taken = 0;
  /** The functions that start what waits. */
  const waiting = new Set<() => void>();

  const next = (): void => {
    taken -= 1;
    const [start] = waiting;
    start?.();
  };

  return {
    async wait(ended) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let endTurn = (): void => undefined;
      const start = (): void => {
        waiting.delete(start);
        taken += 1;
        let isOver = false;
        endTurn = () => {
          clearTimeout(timer);
          if (!isOver) next();
          isOver = true;
        };
        const timer = setTimeout(() => endTurn(), turnMs);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(start);
        endTurn();
        resolve();
      };
      ended.then(leave, leave);
      if (taken < limit) start();
      else waiting.add(start);
      await promise;
    },
  };
}
