import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Log } from './logger.ts';

/**
 * Runs `task` at intervals until it is disposed of, which waits for the running task. Skips a run while the last run lasts: on a disk
 * that hangs, each would occupy another thread. Logs errors with the name `component`, except outages of the database.
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

/** Returns a function that logs an internal error, except an outage of the database: its begin is logged once. */
export const internalErrors =
  (log: Pick<Log['log'], 'error'>, details: { readonly component: string; readonly jobId?: string }) =>
  (err: unknown): void => {
    if (!isStoreOutage(err)) log.error({ ...details, err }, 'internal error');
  };
