import type { Lane } from '@telecine/contract/domain/lane.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import {
  LIVE_SECONDS,
  type QueueControl,
  type RunningJob,
  type WorkerRecord,
  type WorkerStore,
} from './ports/worker-store.ts';

/**
 * The state of a worker for operators. `draining`: takes no jobs and still runs some. `drained`: an operator drained
 * it, and it runs none. `lost`: it reports no more, because it was killed or cannot reach the database.
 */
type ShownState = 'running' | 'draining' | 'drained' | 'stopped' | 'lost';

export interface WorkerStatus extends Omit<WorkerRecord, 'state'> {
  readonly state: ShownState;
  readonly jobs: readonly RunningJob[];
}

interface QueuedJobs {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of them is queued. */
  readonly oldestSeconds: number;
}

interface ClientQueue {
  readonly clientId: string;
  readonly queued: readonly QueuedJobs[];
  readonly running: number;
}

export interface QueueStatus {
  /** Absent if the queue is not paused. */
  readonly pausedAt?: string;
  readonly queued: readonly QueuedJobs[];
  /** The clients with the most queued jobs first, then clients with running jobs. */
  readonly clients: readonly ClientQueue[];
}

/** The operations of operators on the queue and the workers, for HTTP. */
export type WorkerOperations = ReturnType<typeof workerOperations>;

/** Whether a worker claims jobs: it runs and is not drained. */
export const takesJobs = ({ state, drainRequestedAt }: Pick<WorkerRecord, 'state' | 'drainRequestedAt'>): boolean =>
  state === 'running' && drainRequestedAt === undefined;

/** How many ordinary jobs the workers that take jobs run at the same time. */
export const slotsOf = (workers: readonly WorkerRecord[]): number =>
  workers.filter(takesJobs).reduce((sum, { concurrency }) => sum + concurrency, 0);

interface QueuedOfClient extends QueuedJobs {
  readonly clientId: string;
}

/** The most clients that are shown. */
const SHOWN_CLIENTS = 100;

/** Adds up the queued jobs of all clients by lane. Pure. */
export function queuedByLane(queued: readonly QueuedOfClient[]): readonly QueuedJobs[] {
  return [...Map.groupBy(queued, ({ lane }) => lane)].map(([lane, ofClients]) => ({
    lane,
    jobs: sumOf(ofClients),
    oldestSeconds: Math.max(...ofClients.map(({ oldestSeconds }) => oldestSeconds)),
  }));
}

/** The queue of each client, most queued jobs first. Pure. */
export function queuesByClient(
  queued: readonly QueuedOfClient[],
  running: readonly Pick<RunningJob, 'clientId'>[],
): readonly ClientQueue[] {
  const queuedOf = Map.groupBy(queued, ({ clientId }) => clientId);
  const runningOf = Map.groupBy(running, ({ clientId }) => clientId);
  const total = ({ queued: lanes }: ClientQueue): number => sumOf(lanes);
  return [...new Set([...queuedOf.keys(), ...runningOf.keys()])]
    .map((clientId) => ({
      clientId,
      queued: (queuedOf.get(clientId) ?? []).map(({ lane, jobs, oldestSeconds }) => ({ lane, jobs, oldestSeconds })),
      running: runningOf.get(clientId)?.length ?? 0,
    }))
    .toSorted((a, b) => total(b) - total(a) || b.running - a.running || (a.clientId < b.clientId ? -1 : 1))
    .slice(0, SHOWN_CLIENTS);
}

const sumOf = (queued: readonly { readonly jobs: number }[]): number => queued.reduce((sum, { jobs }) => sum + jobs, 0);

/** How long a worker that has stopped or is lost is listed. */
const LISTED_SECONDS = 600;

export function workerOperations(deps: {
  readonly workers: Pick<WorkerStore, 'seenWithinEach' | 'requestDrain'>;
  readonly control: Omit<QueueControl, 'mayClaim'>;
  readonly queuedJobs: () => Promise<readonly QueuedOfClient[]>;
  /** How long the last worker with each build is listed. Default: as long as others. */
  readonly buildSeconds?: number;
}) {
  const { workers, control, buildSeconds = LISTED_SECONDS } = deps;

  /** Lists the workers that were seen in the last minutes, oldest first. */
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
    /** Pauses the queue: jobs are accepted and running ones continue, but none starts. */
    pauseQueue: async (): Promise<QueueStatus> => {
      await control.pause();
      return queue();
    },
    resumeQueue: async (): Promise<QueueStatus> => {
      await control.resume();
      return queue();
    },
    /** Lets a worker take no more jobs; running ones continue. Throws WORKER_NOT_FOUND. */
    drain: (workerId: string) => setDraining(workerId, true),
    /** Lets a worker take jobs again. Throws WORKER_NOT_FOUND. */
    resume: (workerId: string) => setDraining(workerId, false),
  };
}

/** The last seen worker of each build and set of devices: requests are accepted for it. */
function lastOfEachBuild(workers: readonly WorkerRecord[]): readonly WorkerRecord[] {
  const last = new Map<string, WorkerRecord>();
  for (const worker of workers) {
    const offer = JSON.stringify([worker.buildKey, worker.devices]);
    if ((last.get(offer)?.lastSeenAt ?? '') <= worker.lastSeenAt) last.set(offer, worker);
  }
  return [...last.values()];
}

/** Decides the shown state. Pure. */
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
