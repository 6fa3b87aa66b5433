import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';

/** The delay before the next round, in ms. It doubles after each failure and starts again after a success. */
const [FIRST_DELAY_MS, LAST_DELAY_MS] = [1000, 60_000];

/** Work is dropped at this age. The hourly check of files then corrects the counts. */
const MAX_AGE_MS = HOUR_MS;

/** The maximum length of the list. Further work is dropped; the hourly check of files corrects the counts. */
const MAX_WORK = 10_000;

export type BackgroundRepeats = ReturnType<typeof openBackgroundRepeats>;

/**
 * Repeats failed work in the background until it succeeds, one work at a time. A failure ends the round, because the
 * database or the storage is probably down. The failed work moves to the end of the list.
 */
export function openBackgroundRepeats(setTimer: (run: () => void, ms: number) => Disposable = startTimer) {
  let list: { readonly work: () => Promise<boolean>; readonly endMs: number }[] = [];
  let delayMs = FIRST_DELAY_MS;
  let timer: Disposable | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  const runRound = async (): Promise<void> => {
    list = list.filter(({ endMs }) => performance.now() < endMs);
    for (let next = list.shift(); next !== undefined; next = list.shift()) {
      if (await next.work()) {
        delayMs = FIRST_DELAY_MS;
        continue;
      }
      list.push(next);
      delayMs = Math.min(2 * delayMs, LAST_DELAY_MS);
      return;
    }
  };
  const run = (): Promise<void> => {
    timer = undefined;
    running ??= runRound().finally(() => {
      running = undefined;
      schedule();
    });
    return running;
  };
  const schedule = (): void => {
    if (!closed && running === undefined && list.length > 0) timer ??= setTimer(() => void run(), delayMs);
  };

  return {
    /** Adds work. `work` resolves to whether it succeeded, and must never reject. */
    add(work: () => Promise<boolean>): void {
      if (closed || list.length >= MAX_WORK) return;
      list.push({ work, endMs: performance.now() + MAX_AGE_MS });
      schedule();
    },
    /** Tries the remaining work one last time, and stops. */
    async [Symbol.asyncDispose](): Promise<void> {
      closed = true;
      timer?.[Symbol.dispose]();
      await running;
      await run();
    },
  };
}

function startTimer(run: () => void, ms: number): Disposable {
  const timer = setTimeout(run, ms).unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
