import type { Lane } from '@telecine/contract/domain/lane.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import {
  type JobOfWorker,
  LIVE_SECONDS,
  LOST_SECONDS,
  type QueueControl,
  type RunningJob,
  type WorkerRecord,
  type WorkerStore,
} from './ports/worker-store.ts';

/**
 * The state of a worker as operators see it. `draining`: it takes no more jobs and still runs some. `drained`: an
 * operator drained it, and it runs no job. `unready`: checks of its machine fail, so it takes no jobs until they pass.
 * `lost`: it no longer reports, because it was killed or cannot reach the database.
 */
type ShownState = 'running' | 'draining' | 'drained' | 'unready' | 'stopped' | 'lost';

export interface WorkerStatus extends Omit<WorkerRecord, 'state'> {
  readonly state: ShownState;
  readonly jobs: readonly RunningJob[];
  /** Only for a lost worker: the jobs that it ran when it last reported, without deleted ones. */
  readonly lastJobs?: readonly JobOfWorker[];
}

interface QueuedJobs {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of these jobs has been queued. */
  readonly oldestSeconds: number;
}

interface ClientQueue {
  readonly clientId: string;
  readonly queued: readonly QueuedJobs[];
  readonly running: number;
}

export interface QueueStatus {
  /** When the queue was paused. Absent if the queue is not paused. */
  readonly pausedAt?: string;
  readonly queued: readonly QueuedJobs[];
  /** The clients with queued or running jobs, first those with the most queued jobs. */
  readonly clients: readonly ClientQueue[];
  /** The slots of the workers that take jobs, and how many of them were in use when the workers last reported. */
  readonly slots: { readonly total: number; readonly used: number };
}

/** The operations on the queue and the workers that HTTP offers to operators. */
export type WorkerOperations = ReturnType<typeof workerOperations>;

/** Decides whether a worker claims jobs. */
export type ClaimState = Pick<WorkerRecord, 'state' | 'drainRequestedAt' | 'failedChecks'>;

/** Returns whether a worker claims jobs: it runs, its machine is ready, and no operator has drained it. */
export const takesJobs = ({ state, drainRequestedAt, failedChecks }: ClaimState): boolean =>
  state === 'running' && drainRequestedAt === undefined && failedChecks === undefined;

/** Returns whether a worker would claim jobs if its machine were ready. */
export const isUnready = ({ failedChecks, ...worker }: ClaimState): boolean =>
  failedChecks !== undefined && takesJobs(worker);

/** Returns how many live workers are not ready, and the reason of the first one, as sentences. undefined: all workers are ready. */
export function unreadyText(live: readonly ClaimState[]): string | undefined {
  const [first, ...others] = live.filter(isUnready);
  if (first === undefined) return undefined;
  const are = others.length === 0 ? 'is not ready and takes' : 'are not ready and take';
  return `${others.length + 1} of ${live.length} workers ${are} no jobs. ${first.failedChecks?.[0]?.message}`;
}

/** Returns how many ordinary jobs can run at the same time on the workers that take jobs. */
export const slotsOf = (workers: readonly WorkerRecord[]): number =>
  workers.filter(takesJobs).reduce((sum, { concurrency }) => sum + concurrency, 0);

/** A worker that takes jobs, as far as it decides how chunks are shared. */
export type ChunkWorker = Pick<WorkerRecord, 'buildKey' | 'concurrency' | 'processors' | 'machine'>;

/** Returns the workers that take jobs and have this build of ffmpeg: only they share the chunks of a job. */
export const workersOfBuild = <T extends ClaimState & Pick<WorkerRecord, 'buildKey'>>(
  workers: readonly T[],
  key: string,
): readonly T[] => workers.filter((worker) => takesJobs(worker) && worker.buildKey === key);

/** Returns those of the workers that have the build of ffmpeg with most slots. All of them take jobs. */
export function workersOfLargestBuild<T extends ChunkWorker>(workers: readonly T[]): readonly T[] {
  const builds = [...Map.groupBy(workers, ({ buildKey }) => buildKey).values()];
  const slotsIn = (each: readonly T[]): number => each.reduce((sum, { concurrency }) => sum + concurrency, 0);
  return builds.toSorted((a, b) => slotsIn(b) - slotsIn(a))[0] ?? [];
}

interface QueuedOfClient extends QueuedJobs {
  readonly clientId: string;
}

/** The maximum number of clients in the result. */
const SHOWN_CLIENTS = 100;

/** Adds up the queued jobs of all clients, by lane. Pure. */
export function queuedByLane(queued: readonly QueuedOfClient[]): readonly QueuedJobs[] {
  return [...Map.groupBy(queued, ({ lane }) => lane)].map(([lane, ofClients]) => ({
    lane,
    jobs: sumOf(ofClients),
    oldestSeconds: Math.max(...ofClients.map(({ oldestSeconds }) => oldestSeconds)),
  }));
}

/** Returns the queued and running jobs of each client, first the client with the most queued jobs. Pure. */
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

/** How long a worker is listed after it has stopped, in seconds. */
const LISTED_SECONDS = 600;

/** The maximum number of lost workers in the list: those that were seen last. */
const SHOWN_LOST = 100;

export function workerOperations(deps: {
  readonly workers: Pick<WorkerStore, 'seenWithinEach' | 'requestDrain'>;
  readonly control: Omit<QueueControl, 'mayClaim'>;
  readonly queuedJobs: () => Promise<readonly QueuedOfClient[]>;
  /** How long the last worker with each build is listed, in seconds. Default: as long as other workers. */
  readonly buildSeconds?: number;
}) {
  const { workers, control, buildSeconds = LISTED_SECONDS } = deps;

  /** Lists the workers that reported in the last minutes, and those that were lost in the last day, oldest first. */
  const list = async (): Promise<readonly WorkerStatus[]> => {
    const longest = Math.max(buildSeconds, LISTED_SECONDS);
    const [[all, known, ofDay, recent, live], jobs] = await Promise.all([
      workers.seenWithinEach([Math.max(longest, LOST_SECONDS), longest, LOST_SECONDS, LISTED_SECONDS, LIVE_SECONDS]),
      control.runningJobs(),
    ]);
    const liveIds = idsOf(live);
    const lost = ofDay.filter(({ workerId, state }) => state !== 'stopped' && !liveIds.has(workerId));
    const listedIds = new Set([...idsOf(recent), ...idsOf(lastOfEachBuild(known)), ...idsOf(lastSeen(lost))]);
    const listed = all.filter(({ workerId }) => listedIds.has(workerId));
    const jobsOf = Map.groupBy(jobs, ({ workerId }) => workerId);
    const shown = listed.map((worker): WorkerStatus => {
      const running = jobsOf.get(worker.workerId) ?? [];
      return { ...worker, state: shownState(worker, liveIds.has(worker.workerId), running), jobs: running };
    });
    return withLastJobs(shown, control);
  };

  const queue = async (): Promise<QueueStatus> => {
    const [pausedAt, queued, running, [live]] = await Promise.all([
      control.pausedAt(),
      deps.queuedJobs(),
      control.runningJobs(),
      workers.seenWithinEach([LIVE_SECONDS]),
    ]);
    const takers = live.filter(takesJobs);
    return {
      ...(pausedAt !== undefined && { pausedAt }),
      queued: queuedByLane(queued),
      clients: queuesByClient(queued, running),
      slots: {
        total: slotsOf(takers),
        used: takers.reduce((sum, { load }) => sum + (load?.slots ?? 0), 0),
      },
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
    /** Pauses the queue: jobs are still accepted and running jobs go on, but no job starts. */
    pauseQueue: async (): Promise<QueueStatus> => {
      await control.pause();
      return queue();
    },
    resumeQueue: async (): Promise<QueueStatus> => {
      await control.resume();
      return queue();
    },
    /** Drains a worker: it takes no more jobs, and its running jobs continue. Throws WORKER_NOT_FOUND. */
    drain: (workerId: string) => setDraining(workerId, true),
    /** Ends the drain of a worker, so that it takes jobs again. Throws WORKER_NOT_FOUND. */
    resume: (workerId: string) => setDraining(workerId, false),
  };
}

const idsOf = (workers: readonly Pick<WorkerRecord, 'workerId'>[]): ReadonlySet<string> =>
  new Set(workers.map(({ workerId }) => workerId));

/** Returns the workers that were seen last, at most `SHOWN_LOST`. */
const lastSeen = (workers: readonly WorkerRecord[]): readonly WorkerRecord[] =>
  workers.toSorted((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1)).slice(0, SHOWN_LOST);

/** Adds what became of the jobs of lost workers. Reads nothing if no lost worker had a job. */
async function withLastJobs(
  workers: readonly WorkerStatus[],
  { statusesOf }: Pick<QueueControl, 'statusesOf'>,
): Promise<readonly WorkerStatus[]> {
  const lost = workers.filter(({ state, load }) => state === 'lost' && load?.jobIds !== undefined);
  if (lost.length === 0) return workers;
  const ids = lost.flatMap(({ load }) => load?.jobIds ?? []);
  const found = new Map((await statusesOf(ids)).map((job) => [job.jobId, job]));
  return workers.map((worker) =>
    lost.includes(worker)
      ? { ...worker, lastJobs: (worker.load?.jobIds ?? []).flatMap((jobId) => found.get(jobId) ?? []) }
      : worker,
  );
}

/**
 * Returns the worker that reported last, for each combination of build and devices. Requests are accepted for its build
 * even if it is absent.
 */
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
  { state, drainRequestedAt, failedChecks }: ClaimState,
  isLive: boolean,
  jobs: readonly RunningJob[],
): ShownState {
  if (state === 'stopped') return 'stopped';
  if (!isLive) return 'lost';
  if (state === 'draining') return 'draining';
  if (drainRequestedAt === undefined) return failedChecks === undefined ? 'running' : 'unready';
  return jobs.length > 0 ? 'draining' : 'drained';
}
