import type { CheckResult } from '../../wire/system.ts';
import type { Log } from '../logger.ts';

type Checks = Readonly<Record<string, CheckResult>>;

/** How often the checks run, so that the log is right even if nobody requests `/ready`. */
const INTERVAL_MS = 15_000;

/**
 * Returns `check`, and logs when the service stops being ready and when it is ready again. The checks of a start and a drain
 * are not logged: both have lines of their own.
 */
export function logReadiness(
  closers: AsyncDisposableStack,
  check: () => Promise<Checks>,
  started: Promise<unknown>,
  log: Pick<Log['log'], 'info' | 'warn'>,
): () => Promise<Checks> {
  let isReady = true;
  let isStarted = false;
  const watch = async (): Promise<Checks> => {
    const checks = await check();
    if (!isStarted) return checks;
    const { queue: _, ...others } = checks;
    const failed = Object.fromEntries(
      Object.entries(others).flatMap(([name, { ok, message }]) => (ok ? [] : [[name, message ?? '']])),
    );
    const wasReady = isReady;
    isReady = Object.keys(failed).length === 0;
    if (wasReady && !isReady) log.warn({ failed }, 'not ready');
    if (!wasReady && isReady) log.info('ready again');
    return checks;
  };
  const timer = setInterval(() => void watch(), INTERVAL_MS);
  timer.unref();
  closers.defer(() => clearInterval(timer));
  started.then(
    () => {
      isStarted = true;
    },
    () => {},
  );
  return watch;
}
