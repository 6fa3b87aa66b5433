import { HOUR_MS } from '../../domain/durations.ts';
import type { Log } from '../logger.ts';
import { internalErrors } from './internal-errors.ts';

/**
 * Runs `task` at intervals, and with `startsNow` also at once, until it is disposed of. Skips a run while the last one has not
 * ended: on a disk that hangs, each would occupy another thread. Errors are logged, except outages of the database;
 * `component` names the task in the log.
 */
export function every(
  intervalMs: number,
  component: string,
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  { startsNow = false } = {},
): Disposable {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
    } catch (error) {
      internalErrors(log, { component })(error);
    } finally {
      isRunning = false;
    }
  };
  if (startsNow) void run();
  const timer = setInterval(() => void run(), intervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export const everyHour = (
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  options: { readonly startsNow?: boolean } = {},
): Disposable => every(HOUR_MS, 'hourly', task, log, options);
