import { LANES, ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { MAX_REPORTED_JOBS, type WorkerLoad } from '../../workers/ports/worker-store.ts';
import type { JobChangeSource } from '../job-changes.ts';
import type { Delivery, TakeRequest } from '../ports/job-queue.ts';
import type { Tx } from '../ports/transactions.ts';
import { busyMeter, coresOf } from './busy-cores.ts';
import { type ChunkParts, isChunkNeed } from './chunks/chunk-parts.ts';
import { type ClaimedWork, claimJobs } from './claim-jobs.ts';
import type { StopCause } from './heartbeat.ts';
import { createLeftJobs } from './left-jobs.ts';
import { type RunJobDeps, runJob } from './run-job.ts';
import { createSpaceWatch } from './space-watch.ts';
import {
  type ClientSlotLimits,
  type ClientSlots,
  type DeviceSessions,
  type FetchLimits,
  type FreeRoom,
  fetchingJobs,
  freeRoom,
  freeSessions,
  heaviestOf,
  type JobSlot,
  LIGHT_SECONDS,
  mayPass,
  type RunningWork,
  usedSlots,
} from './worker-room.ts';
import { processorTurns, wakeTurns } from './worker-turns.ts';

export interface WorkerDeps
  extends Omit<RunJobDeps, 'draining' | 'drainLimit' | 'inBackground' | 'onRetry' | 'space' | 'chunked'> {
  /** Absent if this worker encodes no chunks, and converts all jobs whole. */
  readonly chunked?: ChunkParts;
  readonly jobs: RunJobDeps['jobs'];
  /**
   * The number of ordinary conversions that run at the same time. Light jobs may run in addition, and a heavy job uses
   * several slots.
   */
  readonly slots: number;
  readonly processors: number;
  readonly has: (need: string) => boolean;
  /** For how many seconds this worker leaves a job with this need to faster workers. Absent: the database is not shared. */
  readonly leaveFor?: (need: string) => number;
  /** How many jobs may use the hardware devices of each type at the same time. Absent: this worker has no devices. */
  readonly deviceSessions?: DeviceSessions;
  readonly clientSlots: ClientSlots;
  readonly workerId: string;
  /**
   * Returns the workers that are notified of all jobs and take turns to look for a new one. Absent: this worker is
   * notified only of jobs of its own process.
   */
  readonly listeners?: () => readonly string[];
  /**
   * true: only this process queues jobs (SQLite). After a look that found no job to start, the worker need not look
   * again before a hint or the next poll.
   */
  readonly acceptsAllJobs?: boolean;
  /** The time after which a running light job is overdue. Default: `LIGHT_SECONDS`. */
  readonly lightSeconds?: number;
  /**
   * Returns whether this worker may claim jobs. It may not if an operator has paused the queue or drained the worker,
   * or if its machine is not ready.
   */
  readonly mayClaim: () => Promise<boolean>;
  /** Returns whether another worker takes jobs. */
  readonly hasPeers: () => boolean;
  readonly changes: RunJobDeps['changes'] & JobChangeSource;
}

export type Worker = ReturnType<typeof startWorker>;

/** A job or a chunk that this worker runs. */
interface RunningJob {
  readonly delivery: Delivery;
  /** The job, or the job of the chunk. */
  readonly jobId: string;
  /** The time at which the job started, by `performance.now()`. */
  readonly startedAt: number;
  /** When the conversion probably ends, by `performance.now()`. undefined: unknown. */
  endsAt: number | undefined;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * The limits for jobs that fetch their inputs besides the running conversions. Such jobs use disk space and
 * connections, but no core.
 */
const FETCHES: FetchLimits = { jobs: 16, perClient: 4 };

/**
 * How often the queue is polled without a hint (the notice of a new job). Polls find jobs whose delay has ended, and
 * jobs of other processes.
 */
const POLL_INTERVAL_MS = 1000;

/**
 * How often the queue is polled if other processes send hints (notices of new jobs). Polls are still needed, because
 * hints can be lost. The interval is shorter than `LEASE_SAFE_MS`.
 */
const LISTENING_POLL_MS = 3000;

/**
 * If other processes queue jobs: how long a worker that found no ticket waits before it looks into the queue again.
 * Otherwise, it would look twice for each job, which frees room when it publishes and when it ends. A worker that may
 * not claim waits for the same time.
 */
const FRESH_LOOK_MS = 100;

/** How long no worker sees a ticket that this worker leaves to others, in seconds. Otherwise, it would take it again at once. */
const HIDDEN_SECONDS = 1;

const NOTHING_CLAIMED: Awaited<ReturnType<typeof claimJobs>> = { claimed: [], more: false };

/** How long after the last claim the leases of running jobs need no additional renewal. Much shorter than a lease. */
const LEASE_SAFE_MS = 5000;

/** Starts a worker that claims queued jobs and runs several at a time. */
export function startWorker(deps: WorkerDeps) {
  const { lightSeconds = LIGHT_SECONDS } = deps;
  const isOverdue = ({ startedAt, delivery }: RunningJob): boolean =>
    delivery.lane === 'light' && performance.now() - startedAt >= lightSeconds * 1000;
  const workOf = (jobs: Iterable<RunningJob>): readonly RunningWork[] =>
    [...jobs].map((job) => ({ ...job.delivery, isOverdue: isOverdue(job) }));
  // A set, not a map by job id: a job whose lease is lost may be claimed again before its first run has ended.
  const running = new Set<RunningJob>();
  /**
   * The running jobs that use a slot. Other running jobs fetch their inputs, publish their outputs, or remove their
   * scratch folder.
   */
  const converting = new Set<RunningJob>();
  const fetching = fetchingJobs<RunningJob>(FETCHES);
  const meter = busyMeter();
  /** Call this after each change of `converting`. */
  const noteBusyCores = (): void => meter.set(busyCores());
  const busyCores = (): number =>
    [...converting].reduce((sum, { delivery }) => sum + coresOf(delivery, deps.processors), 0);
  // If the operator set more slots than processors, use the slots: the conversions probably wait for something other
  // than a processor.
  const waitForProcessor = processorTurns(Math.max(deps.slots, deps.processors));
  /**
   * true: the next free slot goes to a job that has fetched its inputs. false: it goes to a job from the queue. The
   * slots go to both kinds in turn.
   */
  let isFetchedTurn = true;
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  /**
   * true: a hint has arrived since the last claim, so there may be a new ticket. false: the worker first reads whether
   * there are tickets, and only then claims.
   */
  let hinted = true;
  /**
   * true: the worker last found no ticket, and no hint has arrived since. A ticket can then become ready only by the
   * passing of time, and the next poll finds it.
   */
  let foundNone = false;
  /**
   * Counts the events after which more tickets may fit: a job freed room, or a poll, because limits and estimates
   * change with time.
   */
  let roomChanges = 0;
  /** The value of `roomChanges` at the last claim, if that claim took all the tickets that fit. */
  let nothingFitsAt: number | undefined;
  /** The last result of `deps.mayClaim`. After false, the next poll or hint calls `mayClaim` again. */
  let isAllowed = true;
  /**
   * A timer that runs for `FRESH_LOOK_MS` after `mayClaim` returned false. Hints wait for its end, because a paused
   * queue may get many hints per second.
   */
  let askAgain: NodeJS.Timeout | undefined;
  /** When the worker last read whether there are tickets, by `performance.now`. */
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let draining = false;
  /** Aborted when the time that a drain gives to running jobs is over. */
  const drainLimit = new AbortController();
  /** What goes on after its job has ended, without a slot. */
  const background = new Set<Promise<void>>();
  const inBackground: RunJobDeps['inBackground'] = (work) => {
    const done = work().finally(() => background.delete(done));
    background.add(done);
  };
  let lastClaimAt = deps.now().getTime();

  /**
   * Renews the leases of running jobs if the last claim was long ago, for example because the machine slept or the
   * database was down. Otherwise, the next claim could hand out the tickets of these jobs again.
   */
  const renewOldLeases = async (): Promise<void> => {
    if (Math.abs(deps.now().getTime() - lastClaimAt) < LEASE_SAFE_MS) return;
    await Promise.all(
      [...running].map(async ({ delivery, stop }) => {
        if (!(await deps.queue.renewLease(delivery))) stop.abort('lost' satisfies StopCause);
      }),
    );
  };

  const space = createSpaceWatch(deps.media, deps.minFreeBytes);
  const leftJobs = createLeftJobs(deps.hasPeers);
  const leave = async (tx: Tx, delivery: Delivery): Promise<boolean> =>
    leftJobs.has(delivery.jobId) && deps.queue.requeue(tx, delivery, HIDDEN_SECONDS);
  const claimDeps = { ...deps, leave, ...(deps.chunked && { chunks: deps.chunked.chunks }) };
  const run = async (work: ClaimedWork, stop: AbortController, slot: JobSlot): Promise<void> => {
    const { chunked: parts, ...others } = deps;
    const common = {
      ...{ ...others, space, inBackground, onRetry: leftJobs.add },
      ...{ draining: () => draining, drainLimit: drainLimit.signal },
    };
    if ('claim' in work)
      return runJob({ ...common, ...(parts && { chunked: { ...common, ...parts } }) }, work, stop, slot);
    if (parts === undefined) return;
    const { runChunk } = await import('./chunks/run-chunk.ts');
    await runChunk({ ...common, ...parts }, work, stop, slot);
  };
  const startWork = (work: ClaimedWork): void => {
    const { delivery } = work;
    const isJob = 'claim' in work;
    const jobId = isJob ? delivery.jobId : work.chunk.chunk.jobId;
    const stop = new AbortController();
    if (isJob) deps.changes.publish({ kind: 'phase', jobId, clientId: delivery.clientId, phase: 'STAGING' });
    const slot: JobSlot = {
      take: async (signal) => {
        if (!fetching.has(entry)) return;
        const given = fetching.waitForSlot(entry, signal);
        requestClaim();
        await given;
      },
      waitForTurn: async (ended) => {
        // Light jobs take turns on the processors. While a longer job converts too, no turns are needed, because the
        // operating system shares the processors.
        if ([...converting].every((job) => job.delivery.lane === 'light')) await waitForProcessor(ended);
      },
      watchOthers: () => {
        const average = meter.start();
        const own = coresOf(delivery, deps.processors);
        return () => Math.max(0, average() - own);
      },
      release: () => {
        const wasFetching = fetching.remove(entry);
        if (!converting.delete(entry) && !wasFetching) return;
        noteBusyCores();
        roomChanges += 1;
        requestClaim();
      },
    };
    const done = run(work, stop, slot).then(() => {
      const { any, light } = findFreeRoom();
      running.delete(entry);
      const room = findFreeRoom();
      if (room.any > any || room.light > light) roomChanges += 1;
      requestClaim();
    });
    const entry: RunningJob = { delivery, jobId, startedAt: performance.now(), endsAt: undefined, stop, done };
    running.add(entry);
    if (delivery.lane === 'fetch') fetching.add(entry);
    else converting.add(entry);
    noteBusyCores();
  };

  const findFreeRoom = (): FreeRoom => {
    const withoutFetching = [...running].filter((job) => !fetching.has(job));
    return freeRoom(deps.slots, workOf(converting), workOf(withoutFetching));
  };

  /**
   * Gives a free slot to a job that has fetched its inputs, if it is the turn of such jobs and the job fits. Returns
   * whether it did.
   */
  const giveSlot = (): boolean => {
    const next = fetching.next();
    if (next === undefined || !isFetchedTurn) return false;
    if (Math.min(next.delivery.weight, heaviestOf(deps.slots)) > findFreeRoom().any) return false;
    converting.add(next);
    noteBusyCores();
    fetching.giveSlot(next);
    roomChanges += 1;
    isFetchedTurn = false;
    return true;
  };

  const has = (need: string): boolean => (isChunkNeed(need) ? deps.chunked !== undefined : deps.has(need));

  const anyTickets = (limits: ClientSlotLimits) => {
    // Also count jobs that still fetch their inputs, because they will use their device.
    const onDevices = [...running].filter((job) => converting.has(job) || fetching.has(job));
    const devices = freeSessions(
      deps.deviceSessions ?? new Map(),
      onDevices.map(({ delivery }) => delivery.needs),
    );
    // The queue is empty. If a ticket is added later, its hint arrives after this transaction and resets the flag.
    const onEmpty = (): void => {
      foundNone = true;
    };
    const { leaveFor } = deps;
    return { slots: Number.POSITIVE_INFINITY, ...limits, has, devices, onEmpty, ...(leaveFor && { leaveFor }) };
  };

  /**
   * Returns the requests for tickets to send to the queue. The first request is for the room that only light jobs can
   * use. It leaves out clients that have an overdue light job.
   */
  const takeRequests = (limits: ClientSlotLimits, onBlocked: (weight: number) => void): readonly TakeRequest[] => {
    const hasFetched = fetching.next() !== undefined;
    const free = findFreeRoom();
    // If the next job that has fetched its inputs does not fit, keep the room free. Otherwise, jobs from the queue
    // would use it, and this job would wait for ever.
    const any = hasFetched && isFetchedTurn ? 0 : free.any;
    const fetches = fetching.room();
    const heaviest = heaviestOf(deps.slots);
    const without = [...new Set([...converting].filter(isOverdue).map(({ delivery }) => delivery.clientId))];
    const all = anyTickets(limits);
    const slots = hasFetched ? 1 : all.slots;
    return [
      ...(free.light > 0 ? [{ ...all, lanes: ['light'] as const, without, room: { free: free.light, heaviest } }] : []),
      ...(any > 0 || fetches.free > 0
        ? [
            {
              ...all,
              slots,
              lanes: LANES,
              room: { free: any, heaviest },
              fetches,
              onBlocked,
            },
          ]
        : []),
    ];
  };

  /** Claims light jobs for free slots that are too few for the next job. `next`: the weight of the next job. */
  const claimBefore = async (next: number, limits: ClientSlotLimits): ReturnType<typeof claimJobs> => {
    const { any } = findFreeRoom();
    // Only short jobs may start before the next job. `ONE_SLOT - 1` leaves out light jobs with the weight of a full
    // slot, such as the measurement of a long video. After an overdue job, trust no estimate.
    if (any <= 0 || [...converting].some(isOverdue) || !mayPass(deps.slots, workOf(converting), next))
      return NOTHING_CLAIMED;
    const room = { free: Math.min(any, ONE_SLOT - 1), heaviest: heaviestOf(deps.slots) };
    const found = await claimJobs(claimDeps, [{ ...anyTickets(limits), lanes: ['light'], room }], LEASE_SAFE_MS);
    for (const work of found.claimed) startWork(work);
    return found;
  };

  /**
   * Looks whether there are tickets. If there are none, this counts as a claim that found nothing: the database
   * answers, and no lease has expired.
   */
  const hasTickets = async (): Promise<boolean> => {
    const lookAt = deps.now().getTime();
    const found = await deps.queue.hasTickets();
    if (!found && Math.abs(lookAt - lastClaimAt) < LEASE_SAFE_MS) lastClaimAt = lookAt;
    return found;
  };

  const claim = async (): Promise<readonly ClaimedWork[]> => {
    const limits = await deps.clientSlots();
    let next = isFetchedTurn ? fetching.next()?.delivery.weight : undefined;
    const requests = takeRequests(limits, (weight) => {
      // A job that has fetched its inputs and whose turn it is comes before the next job of the queue.
      next ??= weight;
    });
    if (requests.length === 0) return [];
    const isHinted = hinted;
    hinted = false;
    const changesBefore = roomChanges;
    if (!isHinted) {
      const isFresh = deps.acceptsAllJobs === true || performance.now() - lookedAtMs < FRESH_LOOK_MS;
      if (!isAllowed || ((foundNone || nothingFitsAt === roomChanges) && isFresh)) return [];
      lookedAtMs = performance.now();
      const found = await hasTickets();
      // A hint may have arrived during the look.
      foundNone = !found && !hinted;
      if (!found) return [];
    }
    nothingFitsAt = undefined;
    if (askAgain !== undefined) {
      hinted = true;
      return [];
    }
    isAllowed = await deps.mayClaim();
    if (!isAllowed) {
      askAgain = setTimeout(() => {
        askAgain = undefined;
        if (hinted) requestClaim();
      }, FRESH_LOOK_MS).unref();
      return [];
    }
    await renewOldLeases();
    const claimAt = deps.now().getTime();
    const first = await claimJobs(claimDeps, requests, LEASE_SAFE_MS);
    // Set this only after the claim: while the database is down, claims fail and leases get old.
    lastClaimAt = claimAt;
    for (const work of first.claimed) startWork(work);
    const second = next === undefined || first.more ? NOTHING_CLAIMED : await claimBefore(next, limits);
    if (first.more) claimAgain = true;
    const isMore = first.more || second.more;
    nothingFitsAt = isMore || dependsOnMore(limits) ? undefined : changesBefore;
    return [...first.claimed, ...second.claimed];
  };

  /**
   * Returns whether a ticket may fit later although the room does not change: when another job of its client ends, when
   * a device becomes free, or when the turn changes.
   */
  const dependsOnMore = ({ perClient, ofClients }: ClientSlotLimits): boolean =>
    perClient < Number.POSITIVE_INFINITY ||
    ofClients.size > 0 ||
    (deps.deviceSessions?.size ?? 0) > 0 ||
    fetching.next() !== undefined ||
    [...converting].some(isOverdue);

  const claimUntilFull = async (): Promise<void> => {
    try {
      do {
        claimAgain = giveSlot();
        if (claimAgain) continue;
        const hadRoom = findFreeRoom().any > 0;
        const claimed = await claim();
        if (fetching.next() === undefined) continue;
        if (claimed.length > 0) claimAgain = true;
        const isQueueServed = claimed.length === 0 || claimed.some(({ delivery }) => delivery.lane !== 'fetch');
        if (isFetchedTurn || !hadRoom || !isQueueServed) continue;
        isFetchedTurn = true;
        claimAgain = true;
      } while (claimAgain && !draining);
    } catch (error) {
      // Let jobs that have fetched their inputs get slots: they must not wait for the database.
      isFetchedTurn = true;
      deps.onInternalError('', error);
    }
  };

  const requestClaim = (): void => {
    claimAgain = true;
    if (draining) {
      do isFetchedTurn = true;
      while (giveSlot());
      return;
    }
    claiming ??= claimUntilFull().finally(() => {
      claiming = undefined;
      if (claimAgain) requestClaim();
    });
  };

  const { listeners } = deps;
  const pollMs = listeners === undefined ? POLL_INTERVAL_MS : LISTENING_POLL_MS;
  let timer: NodeJS.Timeout | undefined;
  // Poll at random intervals, so that the workers do not query the database at the same time.
  const poll = (): void => {
    if (draining) return;
    timer = setTimeout(
      () => {
        foundNone = false;
        roomChanges += 1;
        isAllowed = true;
        requestClaim();
        poll();
      },
      pollMs * (0.75 + Math.random() / 2),
    );
  };
  poll();
  const wake = (): void => {
    hinted = true;
    foundNone = false;
    requestClaim();
  };
  const turns = wakeTurns({ workerId: deps.workerId, peers: listeners ?? (() => []), wake });
  const unsubscribe = deps.changes.subscribe('all', (change) => {
    const { kind, jobId } = change;
    turns.hear(change);
    if (kind === 'progress' && change.progress.etaSeconds !== undefined)
      for (const job of running)
        if (job.jobId === jobId) job.endsAt = performance.now() + change.progress.etaSeconds * 1000;
    if (kind === 'cancelRequested')
      for (const job of running) if (job.jobId === jobId) job.stop.abort('cancel' satisfies StopCause);
  });
  requestClaim();

  const stopAll = (cause: StopCause): void => {
    for (const { stop } of running) stop.abort(cause);
  };

  return {
    /** The number of running jobs, including jobs that publish. */
    running: (): number => running.size,
    /** Returns the slots that the conversions of each lane use, by their weight. */
    usedSlots: () => usedSlots(deps.slots, workOf(converting)),
    /** Returns how busy this worker is, for the other processes. */
    load: (): WorkerLoad => {
      const now = performance.now();
      // A job that should have ended by now may take any time.
      const ends = [...converting].flatMap(({ endsAt }) => (endsAt !== undefined && endsAt >= now ? endsAt : []));
      const endsInSeconds = Math.round((Math.min(...ends) - now) / 1000);
      return {
        slots: deps.slots - findFreeRoom().any / ONE_SLOT,
        cores: Number(busyCores().toPrecision(3)),
        ...(ends.length > 0 && { endsInSeconds }),
        ...(running.size > 0 && { jobIds: [...running].slice(0, MAX_REPORTED_JOBS).map(({ jobId }) => jobId) }),
      };
    },
    /**
     * Stops claiming jobs. Gives running jobs `seconds` to end, then puts the others back into the queue; their
     * attempts do not count. Resolves when no job runs.
     */
    drain: async (seconds: number): Promise<void> => {
      draining = true;
      clearTimeout(timer);
      turns.close();
      await claiming;
      const grace = setTimeout(() => {
        drainLimit.abort();
        stopAll('drain');
      }, seconds * 1000);
      await Promise.all([...running].map(({ done }) => done));
      clearTimeout(grace);
      await Promise.all(background);
      unsubscribe();
    },
  };
}
