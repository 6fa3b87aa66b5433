import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Log } from './logger.ts';

interface StartOptions {
  /** Whether the task also runs at once. */
  readonly startsNow?: boolean;
  /** The task also runs at a random time within this many ms, because services often start together. */
  readonly startsWithinMs?: number;
}

/**
 * Runs `task` at intervals. Disposing of the result stops this and waits for a running task. Skips a run while the previous one lasts: on a
 * disk that hangs, each run would block another thread. Logs errors with `component`, except outages of the database.
 */
export function every(
  intervalMs: number,
  component: string,
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  { startsNow = false, startsWithinMs }: StartOptions = {},
): AsyncDisposable {
  const run = shareRunning(() => (async () => task())().catch(internalErrors(log, { component })));
  if (startsNow) void run();
  const first = startsWithinMs === undefined ? undefined : setTimeout(run, Math.random() * startsWithinMs);
  const timer = setInterval(run, intervalMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearTimeout(first);
      clearInterval(timer);
      await run.started();
    },
  };
}

export const everyHour = (
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  options: StartOptions = {},
): AsyncDisposable => every(HOUR_MS, 'hourly', task, log, options);

/**
 * Returns a function that logs an internal error. It ignores outages of the database, because these are logged elsewhere when they begin.
 */
export const internalErrors =
  (log: Pick<Log['log'], 'error'>, details: { readonly component: string; readonly jobId?: string }) =>
  (err: unknown): void => {
    if (!isStoreOutage(err)) log.error({ ...details, err }, 'internal error');
  };
