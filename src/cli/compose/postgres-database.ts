import type { ProblemCode } from '../../domain/problem.ts';
import { bossQueue } from '../../queue/boss.ts';
import type { DataSpace } from '../../store/data-space.ts';
import { openJobChangeFeed } from '../../store/postgres/job-change-feed.ts';
import { openPostgres } from '../../store/postgres/open.ts';
import type { Log } from '../logger.ts';
import type { Database } from './database-parts.ts';

/** The code of `StoreUnavailable`. An outage is logged once, when it begins. */
const STORE_UNAVAILABLE: ProblemCode = 'UNAVAILABLE';

/** Opens store and queue on PostgreSQL. Logs when the database is lost, and when it is back. */
export async function openPostgresDatabase(
  closers: AsyncDisposableStack,
  { url, listenUrl }: { readonly url: string; readonly listenUrl: string | undefined },
  log: Log['log'],
): Promise<Database> {
  const store = await openPostgres({
    url,
    onOutage: (reason) => {
      if (reason === undefined) log.info('the database can be reached again');
      else log.error({ reason }, 'the database cannot be reached: requests get 503, and jobs wait');
    },
  });
  closers.defer(() => store.close());
  const logError = (component: string) => (err: unknown) => {
    // pg-boss passes some errors on as plain objects.
    if ((err as { code?: unknown } | undefined)?.code !== STORE_UNAVAILABLE)
      log.error({ component, err }, 'internal error');
  };
  const queue = await bossQueue(store.database, { onError: logError('queue') });
  closers.defer(() => queue.close());
  const connectChanges: Database['connectChanges'] = (onChange) => {
    if (listenUrl === undefined) return () => {};
    const feed = openJobChangeFeed({
      listenUrl,
      db: store.database.reader,
      onChange,
      onError: logError('job changes'),
    });
    closers.defer(() => feed.close());
    return feed.publish;
  };
  return { store, queue, dataSpace: ROOM, connectChanges, isShared: true };
}

/** The server of the database watches its own disk. */
const ROOM: DataSpace = {
  state: async () => ({ isLow: false, freeBytes: Number.POSITIVE_INFINITY, requiredBytes: 0 }),
  isLow: async () => false,
  isBelowHalf: async () => false,
};
