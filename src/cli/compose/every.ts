import { HOUR_MS } from '../../domain/durations.ts';
import type { Log } from '../logger.ts';

/**
 * Runs `task` at intervals, and with `startsNow` also at once, until it is disposed of. Errors are logged; `component` names
 * the task in the log.
 */
export function every(
  intervalMs: number,
  component: string,
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  { startsNow = false } = {},
): Disposable {
  const run = (): void => void task().catch((err: unknown) => log.error({ component, err }, 'internal error'));
  if (startsNow) run();
  const timer = setInterval(run, intervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export const everyHour = (
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  options: { readonly startsNow?: boolean } = {},
): Disposable => every(HOUR_MS, 'hourly', task, log, options);
