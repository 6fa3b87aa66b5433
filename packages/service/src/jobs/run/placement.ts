import { ENOUGH_JOBS, type MeasuredSpeed, type VideoWork } from '@telecine/contract/domain/work-kinds.ts';
import { LONG_SECONDS, wantedCores } from '@telecine/ffmpeg/estimate/machine-time.ts';
import type { WorkerRecord } from '../../workers/ports/worker-store.ts';
import { takesJobs } from '../../workers/worker-operations.ts';

/** How many times as fast a worker must be, so that others leave a job to it. */
const MUCH_FASTER = 1.5;

/** The longest time for which a job is left, as a share of the time that the shortest long job takes here. */
const MAX_SHARE = 0.1;

const MAX_SECONDS = 60;

/** What placement needs to know of a worker. */
export type PlacedWorker = Pick<
  WorkerRecord,
  'workerId' | 'buildKey' | 'processors' | 'concurrency' | 'speeds' | 'load' | 'state' | 'drainRequestedAt'
>;

/**
 * Returns for how many seconds after its submission a worker leaves a long job to a faster one. 0: it takes the job. So a job
 * never waits longer than this because of placement, whatever the other workers do. Pure.
 */
export function secondsToLeave(
  work: VideoWork,
  own: Pick<PlacedWorker, 'workerId' | 'buildKey' | 'processors' | 'speeds'>,
  workers: readonly PlacedWorker[],
): number {
  const ownPace = paceOf(work, own);
  if (ownPace === undefined) return 0;
  const seconds = Math.min(MAX_SECONDS, LONG_SECONDS * ownPace * MAX_SHARE);
  const isBetter = (peer: PlacedWorker): boolean => {
    // Another build may lack what the job needs, and the need does not say which build can run it.
    if (peer.workerId === own.workerId || peer.buildKey !== own.buildKey || !takesJobs(peer)) return false;
    const pace = paceOf(work, peer);
    return pace !== undefined && ownPace >= pace * MUCH_FASTER && isSoonFree(peer, seconds);
  };
  return workers.some(isBetter) ? seconds : 0;
}

const isSoonFree = ({ concurrency, load }: PlacedWorker, seconds: number): boolean =>
  (load?.slots ?? 0) + 1 <= concurrency || (load?.endsInSeconds ?? Number.POSITIVE_INFINITY) <= seconds;

/** The seconds that a worker takes for one processor second of work. undefined: it has not measured this kind of work. */
function paceOf(
  work: VideoWork,
  { processors, speeds = [] }: Pick<PlacedWorker, 'processors' | 'speeds'>,
): number | undefined {
  // The submission does not know the size of the frames, so take the mean of both sizes.
  const measured = speeds.filter(({ kind, jobs }) => kind.startsWith(`${work}-`) && jobs >= ENOUGH_JOBS);
  const jobs = measured.reduce((sum, one) => sum + one.jobs, 0);
  if (jobs === 0) return undefined;
  const mean = (sum: number, one: MeasuredSpeed): number => sum + (Math.log(one.ratio) * one.jobs) / jobs;
  return Math.exp(measured.reduce(mean, 0)) / wantedCores('x264-large', processors);
}
