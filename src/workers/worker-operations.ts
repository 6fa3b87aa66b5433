import { Problem } from '../domain/problem.ts';
import { type QueuedOfClient, queuedByLane, queuesByClient } from './client-queues.ts';
import type { QueueStatus, ShownState, WorkerOperations, WorkerStatus } from './operations.ts';
import { LIVE_SECONDS, type QueueControl, type RunningJob, type WorkerRecord, type WorkerStore } from './ports.ts';

/** How long a worker that has stopped or is lost is listed. */
const LISTED_SECONDS = 600;

/** Composes what operators do, over the store. */
export function workerOperations(deps: {
  readonly workers: Pick<WorkerStore, 'seenWithinEach' | 'requestDrain'>;
  readonly control: Omit<QueueControl, 'mayClaim'>;
  readonly queuedJobs: () => Promise<readonly QueuedOfClient[]>;
  /** How long the last worker with each build is listed. Default: as long as others. */
  readonly buildSeconds?: number;
}): WorkerOperations {
  const { workers, control, buildSeconds = LISTED_SECONDS } = deps;

  const list = async (): Promise<readonly WorkerStatus[]> => {
    const [[known, recent, live], jobs] = await Promise.all([
      workers.seenWithinEach([Math.max(buildSeconds, LISTED_SECONDS), LISTED_SECONDS, LIVE_SECONDS]),
      control.runningJobs(),
    ]);
    const liveIds = new Set(live.map(({ workerId }) => workerId));
    const recentIds = new Set(recent.map(({ workerId }) => workerId));
    const lastIds = new Set(lastOfEachBuild(known).map(({ workerId }) => workerId));
    const listed = known.filter(({ workerId }) => recentIds.has(workerId) || lastIds.has(workerId));
    const jobsOf = Map.groupBy(jobs, ({ workerId }) => workerId);
    return listed.map((worker) => {
      const running = jobsOf.get(worker.workerId) ?? [];
      return { ...worker, state: shownState(worker, liveIds.has(worker.workerId), running), jobs: running };
    });
  };

  const queue = async (): Promise<QueueStatus> => {
    const [pausedAt, queued, running] = await Promise.all([
      control.pausedAt(),
      deps.queuedJobs(),
      control.runningJobs(),
    ]);
    return {
      ...(pausedAt !== undefined && { pausedAt }),
      queued: queuedByLane(queued),
      clients: queuesByClient(queued, running),
    };
  };

  const setDraining = async (workerId: string, isDraining: boolean): Promise<WorkerStatus> => {
    const isKnown = await workers.requestDrain(workerId, isDraining);
    const worker = isKnown ? (await list()).find((one) => one.workerId === workerId) : undefined;
    if (worker === undefined)
      throw new Problem('WORKER_NOT_FOUND', `Worker ${workerId} does not exist, or it stopped some time ago.`);
    return worker;
  };

  return {
    queue,
    list,
    pauseQueue: async () => {
      await control.pause();
      return queue();
    },
    resumeQueue: async () => {
      await control.resume();
      return queue();
    },
    drain: (workerId) => setDraining(workerId, true),
    resume: (workerId) => setDraining(workerId, false),
  };
}

/** The worker that was seen last of those with the same build and devices: requests are accepted for it. */
function lastOfEachBuild(workers: readonly WorkerRecord[]): readonly WorkerRecord[] {
  const last = new Map<string, WorkerRecord>();
  for (const worker of workers) {
    const offer = JSON.stringify([worker.buildKey, worker.devices]);
    if ((last.get(offer)?.lastSeenAt ?? '') <= worker.lastSeenAt) last.set(offer, worker);
  }
  return [...last.values()];
}

/** Decides what operators see. Pure. */
export function shownState(
  { state, drainRequestedAt }: Pick<WorkerRecord, 'state' | 'drainRequestedAt'>,
  isLive: boolean,
  jobs: readonly RunningJob[],
): ShownState {
  if (state === 'stopped') return 'stopped';
  if (!isLive) return 'lost';
  if (state === 'draining') return 'draining';
  if (drainRequestedAt === undefined) return 'running';
  return jobs.length > 0 ? 'draining' : 'drained';
}
