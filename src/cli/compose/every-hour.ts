import { HOUR_MS } from '../../domain/durations.ts';
import type { Log } from '../logger.ts';

/** Runs `task` every hour, and with `startsNow` also at once, until it is disposed of. Errors are logged. */
export function everyHour(
  task: () => Promise<unknown>,
  log: Pick<Log['log'], 'error'>,
  { startsNow = false } = {},
): Disposable {
  const run = (): void =>
    void task().catch((err: unknown) => log.error({ component: 'hourly', err }, 'internal error'));
  if (startsNow) run();
  const timer = setInterval(run, HOUR_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
