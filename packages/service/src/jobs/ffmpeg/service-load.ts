import type { Lane } from '@telecine/contract/domain/lane.ts';
import type { Machine } from '@telecine/ffmpeg/estimate/estimate.ts';
import { usedCores } from '@telecine/ffmpeg/estimate/machine-time.ts';
import {
  LIVE_SECONDS,
  type QueueControl,
  type WorkerRecord,
  type WorkerStore,
} from '../../workers/ports/worker-store.ts';
import { type ChunkWorker, takesJobs } from '../../workers/worker-operations.ts';
import type { JobStore } from '../ports/job-store.ts';

/** What decides how soon a new job ends, besides its own work. */
export interface ServiceLoad {
  /** The workers of which one will run the job, each as a machine for the estimate. Empty: no worker runs. */
  readonly candidates: readonly Machine[];
  /** The workers that take jobs. */
  readonly workers: readonly ChunkWorker[];
  /** How many queued jobs start before it. undefined: it starts at once, or too many jobs are queued to count them. */
  readonly jobsBefore: number | undefined;
}

/** Reads the load of the service for a new job of a client. */
export type ReadServiceLoad = (clientId: string, lane: Lane) => Promise<ServiceLoad>;

/** If more jobs are queued, they are not counted by client, because that would take long. */
const MAX_COUNTED = 1000;

/**
 * Returns the function that reads the load. `ownCores`: the processors of this machine, if jobs run here; they count while
 * no worker has reported.
 */
export function serviceLoad(deps: {
  readonly workers: Pick<WorkerStore, 'seenWithin'>;
  readonly jobs: Pick<JobStore, 'countPending' | 'queueDepthsOfClients'>;
  readonly queueControl: Pick<QueueControl, 'pausedAt'>;
  readonly ownCores?: number;
}): ReadServiceLoad {
  const { workers, jobs, queueControl, ownCores } = deps;
  return async (clientId, lane) => {
    const [seen, pending, pausedAt] = await Promise.all([
      workers.seenWithin(LIVE_SECONDS),
      jobs.countPending(undefined, MAX_COUNTED),
      queueControl.pausedAt(),
    ]);
    const live = seen.filter(takesJobs);
    const isCounted = pending < MAX_COUNTED;
    const queued = pending > 0 && isCounted ? await jobs.queueDepthsOfClients() : [];
    const before = queuedBefore(queued, clientId, lane);
    const hasRoom = live.length === 0 ? ownCores !== undefined : lane !== 'full' || live.some(hasFreeSlot);
    const starts = isCounted && before === 0 && hasRoom && pausedAt === undefined;
    const known = live.length === 0 && ownCores !== undefined ? [{ cores: ownCores }] : live.map(candidateOf(!starts));
    return { candidates: known, workers: live, jobsBefore: starts || !isCounted ? undefined : before };
  };
}

/**
 * Returns how many queued jobs of the lane start before a new job of a client, if the clients take turns: all its own, and one
 * more than that of each other client. Ignores priorities. Pure.
 */
export function queuedBefore(
  queued: readonly { readonly clientId: string; readonly lane: Lane; readonly jobs: number }[],
  clientId: string,
  lane: Lane,
): number {
  const ofLane = queued.filter((one) => one.lane === lane);
  const own = ofLane.find((one) => one.clientId === clientId)?.jobs ?? 0;
  return ofLane.reduce((sum, one) => sum + (one.clientId === clientId ? own : Math.min(one.jobs, own + 1)), 0);
}

const hasFreeSlot = ({ concurrency, load }: WorkerRecord): boolean => (load?.slots ?? 0) + 1 <= concurrency;

/** Returns a worker as a machine for the estimate. `isFull`: the job has to wait, so all other slots are in use when it starts. */
const candidateOf =
  (isFull: boolean) =>
  ({ processors, concurrency, load }: WorkerRecord): Machine => {
    const others = (concurrency - 1) * usedCores(processors);
    return { cores: processors, busyCores: isFull ? others : (load?.cores ?? 0) };
  };
