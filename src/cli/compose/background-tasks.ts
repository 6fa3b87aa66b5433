import { HOUR_MS } from '../../domain/quantity.ts';
import { isStoreOutage } from '../../domain/store-errors.ts';
import type { Log } from '../logger.ts';

/**
 * Runs `task` at intervals, and with `startsNow` also at once, until it is disposed of. Disposing waits for the run
 * in progress, which may use a store that is closed afterwards. Skips a run while the last one has not
 * ended: on a disk that hangs, each would occupy another thread. Errors are logged, except outages of the database;
 * `component` names the task in the log.
 */
export function every(
  intervalMs: number,
  component: string,
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  { startsNow = false } = {},
): AsyncDisposable {
  let running: Promise<unknown> | undefined;
  const run = (): void => {
    running ??= (async () => task())()
      .catch(internalErrors(log, { component }))
      .finally(() => {
        running = undefined;
      });
  };
  if (startsNow) run();
  const timer = setInterval(run, intervalMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

export const everyHour = (
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  options: { readonly startsNow?: boolean } = {},
): AsyncDisposable => every(HOUR_MS, 'hourly', task, log, options);

/**
 * Returns a function that logs an error as an internal one, with `details`, unless it is an outage of the database, which is logged
 * once when it begins.
 */
export const internalErrors =
  (log: Pick<Log['log'], 'error'>, details: { readonly component: string; readonly jobId?: string }) =>
  (err: unknown): void => {
    if (!isStoreOutage(err)) log.error({ ...details, err }, 'internal error');
  };
