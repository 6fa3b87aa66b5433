import { ENOUGH_JOBS, type VideoWork, type WorkKind } from '@telecine/contract/domain/work-kinds.ts';
import { LONG_SECONDS, wantedCores } from '@telecine/ffmpeg/estimate/machine-time.ts';
import type { WorkerRecord } from '../../workers/ports/worker-store.ts';
import { type ClaimState, takesJobs } from '../../workers/worker-operations.ts';

/** How many times as fast a worker must be, so that others leave a job to it. */
const MUCH_FASTER = 1.5;

/** The longest time for which a job is left, as a share of the time that the shortest long job takes here. */
const MAX_SHARE = 0.1;

const MAX_SECONDS = 60;

/** The encoders whose jobs weigh two slots. See `workloadOf`. */
const HEAVY: ReadonlySet<VideoWork> = new Set(['x265', 'av1', 'vp9']);

/** What placement needs to know of another worker. */
export type PlacedWorker = Pick<
  WorkerRecord,
  'workerId' | 'version' | 'buildKey' | 'processors' | 'concurrency' | 'speeds' | 'load' | 'lastSeenAt'
> &
  ClaimState;

type Measured = Pick<PlacedWorker, 'processors' | 'speeds'>;

/** The worker that decides. */
export interface OwnPlace extends Measured, Pick<PlacedWorker, 'workerId' | 'version' | 'buildKey'> {}

/**
 * Returns for how many seconds after it was queued a worker leaves a long job to a faster one. 0: it takes the job. Pure.
 *
 * @param workers The live workers, also this one.
 * @param secondsAgo How long ago they were read from the database.
 */
export function secondsToLeave(
  work: VideoWork,
  own: OwnPlace,
  workers: readonly PlacedWorker[],
  secondsAgo = 0,
): number {
  // Each worker reports every few seconds, so the newest report was new when they were read.
  const newestMs = Math.max(...workers.map(({ lastSeenAt }) => Date.parse(lastSeenAt)));
  const secondsFor = (peer: PlacedWorker): number => {
    if (peer.workerId === own.workerId || !takesJobs(peer)) return 0;
    // Another build may lack what the job needs, and the need does not say which build can run it. Another version may
    // have another model, which the speeds relate to.
    if (peer.buildKey !== own.buildKey || peer.version !== own.version) return 0;
    const paces = pacesOf(work, own, peer);
    if (paces === undefined || paces.own < paces.peer * MUCH_FASTER) return 0;
    const seconds = Math.min(MAX_SECONDS, LONG_SECONDS * paces.own * MAX_SHARE);
    const ageSeconds = secondsAgo + (newestMs - Date.parse(peer.lastSeenAt)) / 1000;
    return isSoonFree(work, peer, seconds, ageSeconds) ? seconds : 0;
  };
  return Math.max(0, ...workers.map(secondsFor));
}

/** Returns whether a worker has the slots for a job, or will have them soon. */
function isSoonFree(
  work: VideoWork,
  { concurrency, load }: PlacedWorker,
  withinSeconds: number,
  ageSeconds: number,
): boolean {
  if (load === undefined) return false;
  const needed = Math.min(HEAVY.has(work) ? 2 : 1, concurrency);
  if (load.slots + needed <= concurrency) return true;
  if (needed > 1 || load.endsInSeconds === undefined) return false;
  // A job that should have ended by now may take any time.
  const endsInSeconds = load.endsInSeconds - ageSeconds;
  return endsInSeconds >= 0 && endsInSeconds <= withinSeconds;
}

/**
 * The paces of two workers at the same kind of work, preferably at large frames, which most long jobs have. undefined: there is no
 * kind of this work that both have measured.
 */
function pacesOf(
  work: VideoWork,
  own: Measured,
  peer: Measured,
): { readonly own: number; readonly peer: number } | undefined {
  for (const kind of [`${work}-large`, `${work}-small`] as const) {
    const [ofOwn, ofPeer] = [paceOf(kind, own), paceOf(kind, peer)];
    if (ofOwn !== undefined && ofPeer !== undefined) return { own: ofOwn, peer: ofPeer };
  }
  return undefined;
}

/** The seconds that a worker takes for one processor second of work. undefined: it has not measured this kind of work. */
function paceOf(kind: WorkKind, { processors, speeds = [] }: Measured): number | undefined {
  const speed = speeds.find((one) => one.kind === kind && one.jobs >= ENOUGH_JOBS);
  return speed && speed.ratio / wantedCores(kind, processors);
}
