import { isStoreOutage } from '../../domain/store-errors.ts';
import { type CheckFilesDeps, checkFiles } from '../../files/check-files.ts';
import type { Log } from '../logger.ts';
import { everyHour } from './every.ts';

/** Checks the counted files of clients every hour. The service closes once the last round has ended. */
export function startFileChecks(
  closers: AsyncDisposableStack,
  deps: Pick<CheckFilesDeps, 'stored' | 'store' | 'rootOf' | 'leases'>,
  log: Pick<Log['log'], 'warn' | 'error'>,
): void {
  const stopping = new AbortController();
  let round = Promise.resolve();
  const check = (): Promise<void> => {
    round = checkFiles({
      ...deps,
      now: () => new Date(),
      stopping: stopping.signal,
      onFailure: (failure) => {
        if (!isStoreOutage(failure.err)) log.warn(failure, 'counted files not checked');
      },
    });
    return round;
  };
  closers.defer(async () => {
    stopping.abort();
    await round.catch(() => {});
  });
  closers.use(everyHour(check, log, { startsNow: true }));
}
