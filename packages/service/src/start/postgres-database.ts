import type { ProblemCode } from '@telecine/contract/domain/problem.ts';
import { type BossQueue, bossQueue } from '../queue/boss.ts';
import type { DataSpace } from '../store/data-space.ts';
import { explainMissingGrant } from '../store/operator-errors.ts';
import { openJobChangeFeed } from '../store/postgres/job-change-feed.ts';
import { openPostgres } from '../store/postgres/open.ts';
import { isReadOnly } from '../store/postgres/outages.ts';
import { sharedCounters } from '../store/postgres/shared-counters.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './logger.ts';
import type { Database } from './storage-parts.ts';

/** The error code of `StoreUnavailable`. Single errors with it are not logged; the outage is logged once when it begins. */
const STORE_UNAVAILABLE: ProblemCode = 'UNAVAILABLE';

/** Opens the store and the queue on PostgreSQL. Logs when an outage begins and when it ends. */
export async function openPostgresDatabase(
  closers: AsyncDisposableStack,
  { url, listenUrl }: { readonly url: string; readonly listenUrl: string | undefined },
  log: Log['log'],
): Promise<Database> {
  const store = await openPostgres({
    url,
    onOutage: (reason) => {
      if (reason === undefined) log.info('the database can be reached again');
      else if (isReadOnly(reason))
        log.error({ reason }, 'the database is read-only: requests that write get 503, and jobs wait');
      else log.error({ reason }, 'the database cannot be reached: requests get 503, and jobs wait');
    },
  });
  closers.defer(() => store.close());
  const logError = (component: string) => (err: unknown) => {
    // pg-boss reports some errors as plain objects and not as `Error`.
    if ((err as { code?: unknown } | undefined)?.code !== STORE_UNAVAILABLE)
      log.error({ component, err }, 'internal error');
  };
  const queue = await openQueue(store, logError('queue'));
  closers.defer(() => queue.close());
  const connectChanges: Database['connectChanges'] = ({ onJob, onWatch }) => {
    if (listenUrl === undefined) return { onJob: () => {}, onWatch: () => {} };
    const feed = openJobChangeFeed({
      listenUrl,
      db: store.database.reader,
      onChange: onJob,
      onWatchChange: onWatch,
      onOutage: (reason) =>
        log.warn({ reason }, 'no notifications of job changes: this service polls until they are back'),
      onError: logError('job changes'),
    });
    closers.defer(() => feed.close());
    return { onJob: feed.publish, onWatch: feed.publishWatch };
  };
  const counters = sharedCounters(store.database.reader, logError('rate limits'));
  closers.defer(() => counters.close());
  return {
    store,
    queue,
    dataSpace: UNLIMITED_SPACE,
    openCounter: counters.open,
    connectChanges,
    isShared: true,
  };
}

/** Opens the queue in the database of the store. Throws `PostgresUnusable` if the database user may not create tables. */
export async function openQueue(store: Store, onError: (error: unknown) => void): Promise<BossQueue> {
  try {
    return await bossQueue(store.database, { onError });
  } catch (error) {
    throw explainMissingGrant(error);
  }
}

/** The disk of PostgreSQL is not checked here, because the database server monitors it. */
const UNLIMITED_SPACE: DataSpace = {
  state: async () => ({ isLow: false, freeBytes: Number.POSITIVE_INFINITY, requiredBytes: 0 }),
  isLow: async () => false,
  isBelowHalf: async () => false,
};
