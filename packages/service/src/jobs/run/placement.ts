import { usedCores } from '@telecine/ffmpeg/estimate/machine-time.ts';
import type { WorkerRecord } from '../../workers/ports/worker-store.ts';
import { type ClaimState, takesJobs } from '../../workers/worker-operations.ts';

/** How many times as many processors a worker must have, so that others leave a job to it. */
const MUCH_MORE = 1.5;

/** For how long a job is left: a tenth of what the shortest long job takes on one core, over the cores of this worker. At most a minute. */
const CORE_SECONDS = 120;
const MAX_SECONDS = 60;

/** What placement needs to know of another worker. */
export type PlacedWorker = Pick<
  WorkerRecord,
  'workerId' | 'buildKey' | 'processors' | 'concurrency' | 'load' | 'lastSeenAt'
> &
  ClaimState;

/**
 * Returns for how many seconds after it was queued a worker leaves a long job to one with many more processors. 0: it takes the job. Pure.
 *
 * @param workers The live workers, also this one.
 * @param secondsAgo How long ago they were read from the database.
 */
export function secondsToLeave(
  own: Pick<PlacedWorker, 'workerId' | 'buildKey' | 'processors'>,
  workers: readonly PlacedWorker[],
  secondsAgo = 0,
): number {
  const seconds = Math.min(MAX_SECONDS, CORE_SECONDS / usedCores(own.processors));
  // Each worker reports every few seconds, so the newest report was new when they were read.
  const newestMs = Math.max(...workers.map(({ lastSeenAt }) => Date.parse(lastSeenAt)));
  const isLarger = (peer: PlacedWorker): boolean =>
    peer.workerId !== own.workerId &&
    takesJobs(peer) &&
    // Another build may lack what the job needs, and the need does not say which build can run it.
    peer.buildKey === own.buildKey &&
    peer.processors >= own.processors * MUCH_MORE &&
    isSoonFree(peer, seconds, secondsAgo + (newestMs - Date.parse(peer.lastSeenAt)) / 1000);
  return workers.some(isLarger) ? seconds : 0;
}

/** Returns whether a worker has a slot for a job, or will have one soon. */
function isSoonFree({ concurrency, load }: PlacedWorker, withinSeconds: number, ageSeconds: number): boolean {
  if (load === undefined) return false;
  if (load.slots + 1 <= concurrency) return true;
  // A job that should have ended by now may take any time.
  const endsInSeconds = (load.endsInSeconds ?? Number.NaN) - ageSeconds;
  return endsInSeconds >= 0 && endsInSeconds <= withinSeconds;
}
