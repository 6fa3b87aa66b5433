import { StoreUnavailable } from '../../domain/store-unavailable.ts';
import { bossQueue } from '../../queue/boss.ts';
import type { DataSpace } from '../../store/data-space.ts';
import { openPostgres } from '../../store/postgres/open.ts';
import type { Log } from '../logger.ts';

/** Opens store and queue on PostgreSQL. Logs when the database is lost, and when it is back. */
export async function openPostgresDatabase(
  closers: AsyncDisposableStack,
  url: string,
  log: Log['log'],
) {
  const store = await openPostgres({
    url,
    onOutage: (reason) => {
      if (reason === undefined) log.info('the database can be reached again');
      else log.error({ err: reason }, 'the database cannot be reached: requests get 503, and jobs wait');
    },
  });
  closers.defer(() => store.close());
  const queue = await bossQueue(store.database, {
    onError: (err) => {
      if (!(err instanceof StoreUnavailable)) log.error({ component: 'queue', err }, 'internal error');
    },
  });
  closers.defer(() => queue.close());
  return { store, queue, dataSpace: ROOM };
}

/** The server of the database watches its own disk. */
const ROOM: DataSpace = {
  state: async () => ({ isLow: false, freeBytes: Number.POSITIVE_INFINITY, requiredBytes: 0 }),
  isLow: async () => false,
  isBelowHalf: async () => false,
};
