import type { Store } from '../store/store.ts';
import { LIVE_SECONDS, REPORT_SECONDS, type WorkerRecord } from '../workers/ports/worker-store.ts';
import { every } from './background-tasks.ts';
import type { Log } from './logger.ts';

/** For how long a lost worker counts as lost if none takes its place, in ms. */
const COUNTED_MS = 10 * 60_000;

/**
 * Logs each worker that is lost, with the jobs that it left. Returns how many are lost now: they came back neither
 * themselves nor as another worker on their host, within the last ten minutes.
 */
export function watchWorkers(
  closers: AsyncDisposableStack,
  workers: Pick<Store['workers'], 'seenWithin'>,
  log: Pick<Log['log'], 'warn' | 'error'>,
): () => number {
  let known: readonly WorkerRecord[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let lost: readonly { readonly worker: WorkerRecord; readonly at: number }[] = [];
  const look = async (): Promise<void> => {
    const seen = await workers.seenWithin(LIVE_SECONDS);
    const at = performance.now();
    const isBack = ({ workerId, hostName, startedAt }: WorkerRecord): boolean =>
      seen.some((one) => one.workerId === workerId || (one.hostName === hostName && one.startedAt > startedAt));
    const isSeen = ({ workerId }: WorkerRecord): boolean => seen.some((one) => one.workerId === workerId);
    // After an outage of the database, no worker has reported in time.
    const gone = at - readAt < (LIVE_SECONDS * 1000) / 2 ? known.filter((worker) => !isSeen(worker)) : [];
    for (const { workerId, hostName: host, lastSeenAt, load } of gone)
      log.warn({ workerId, host, lastSeenAt, jobIds: load?.jobIds }, 'worker lost');
    lost = [...lost, ...gone.map((worker) => ({ worker, at }))].filter(
      (one) => at - one.at < COUNTED_MS && !isBack(one.worker),
    );
    readAt = at;
    known = seen.filter(({ state }) => state !== 'stopped');
  };
  closers.use(every(REPORT_SECONDS * 1000, 'workers', look, log, { startsNow: true }));
  return () => lost.length;
}
