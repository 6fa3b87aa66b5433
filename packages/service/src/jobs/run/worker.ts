import { LANES, ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import type { JobChange, JobChangeSource } from '../job-changes.ts';
import type { Delivery, TakeRequest } from '../ports/job-queue.ts';
import type { Tx } from '../ports/transactions.ts';
import { type ChunkParts, isChunkNeed } from './chunks/chunk-parts.ts';
import { type ClaimedWork, claimJobs } from './claim-jobs.ts';
import type { StopCause } from './heartbeat.ts';
import { createLeftJobs } from './left-jobs.ts';
import { type RunJobDeps, runJob } from './run-job.ts';
import { type RunningJob, RunningJobs } from './running-jobs.ts';
import { createSpaceWatch } from './space-watch.ts';
import {
  type ClientSlotLimits,
  type ClientSlots,
  type DeviceSessions,
  heaviestOf,
  type JobSlot,
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
  /** The time after which a running light job is overdue. Default: `LIGHT_SECONDS` of worker-room.ts. */
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

/** Claims queued jobs and runs several at a time. Starts with its creation. */
export class Worker {
  readonly #deps: WorkerDeps;
  /** The running jobs, including those that publish. */
  readonly jobs: RunningJobs;
  readonly #claimDeps: Parameters<typeof claimJobs>[0];
  readonly #space;
  readonly #leftJobs;
  readonly #waitForProcessor;
  readonly #turns;
  readonly #unsubscribe: () => void;
  /** What goes on after its job has ended, without a slot. */
  readonly #background = new Set<Promise<void>>();
  /** The running jobs and chunks, until their scratch folders are gone. */
  readonly #ends = new Set<Promise<void>>();
  /** Aborted when the time that a drain gives to running jobs is over. */
  readonly #drainLimit = new AbortController();
  #isDraining = false;
  /**
   * true: the next free slot goes to a job that has fetched its inputs. false: it goes to a job from the queue. The
   * slots go to both kinds in turn.
   */
  #isFetchedTurn = true;
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  /**
   * true: a hint has arrived since the last claim, so there may be a new ticket. false: the worker first reads whether
   * there are tickets, and only then claims.
   */
  #isHinted = true;
  /**
   * true: the worker last found no ticket, and no hint has arrived since. A ticket can then become ready only by the
   * passing of time, and the next poll finds it.
   */
  #foundNone = false;
  /**
   * Counts the events after which more tickets may fit: a job freed room, or a poll, because limits and estimates
   * change with time.
   */
  #roomChanges = 0;
  /** The value of `#roomChanges` at the last claim, if that claim took all the tickets that fit. */
  #nothingFitsAt: number | undefined;
  /** The last result of `mayClaim`. After false, the next poll or hint calls it again. */
  #isAllowed = true;
  /**
   * A timer that runs for `FRESH_LOOK_MS` after `mayClaim` returned false. Hints wait for its end, because a paused
   * queue may get many hints per second.
   */
  #askAgain: NodeJS.Timeout | undefined;
  /** When the worker last read whether there are tickets, by `performance.now`. */
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #lastClaimAt: number;
  #poll: NodeJS.Timeout | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.jobs = new RunningJobs(deps);
    // If the operator set more slots than processors, use the slots: the conversions probably wait for something other
    // than a processor.
    this.#waitForProcessor = processorTurns(Math.max(deps.slots, deps.processors));
    this.#space = createSpaceWatch(deps.media, deps.minFreeBytes);
    this.#leftJobs = createLeftJobs(deps.hasPeers);
    const leave = async (tx: Tx, delivery: Delivery): Promise<boolean> =>
      this.#leftJobs.has(delivery.jobId) && deps.queue.requeue(tx, delivery, HIDDEN_SECONDS);
    this.#claimDeps = { ...deps, leave, ...(deps.chunked && { chunks: deps.chunked.chunks }) };
    this.#lastClaimAt = deps.now().getTime();
    this.#turns = wakeTurns({
      workerId: deps.workerId,
      peers: deps.listeners ?? (() => []),
      wake: () => this.#wake(),
    });
    this.#unsubscribe = deps.changes.subscribe('all', (change) => this.#hear(change));
    this.#schedulePoll();
    this.#requestClaim();
  }

  /**
   * Stops claiming jobs. Gives running jobs `seconds` to end, then puts the others back into the queue; their
   * attempts do not count. Resolves when no job runs.
   */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    clearTimeout(this.#poll);
    this.#turns.close();
    await this.#claiming;
    const grace = setTimeout(() => {
      this.#drainLimit.abort();
      for (const { stop } of this.jobs) stop.abort('drain' satisfies StopCause);
    }, seconds * 1000);
    await Promise.all(this.#ends);
    clearTimeout(grace);
    await Promise.all(this.#background);
    this.#unsubscribe();
  }

  /** Polls at random intervals, so that the workers do not query the database at the same time. */
  #schedulePoll(): void {
    if (this.#isDraining) return;
    const pollMs = this.#deps.listeners === undefined ? POLL_INTERVAL_MS : LISTENING_POLL_MS;
    this.#poll = setTimeout(
      () => {
        this.#foundNone = false;
        this.#roomChanges += 1;
        this.#isAllowed = true;
        this.#requestClaim();
        this.#schedulePoll();
      },
      pollMs * (0.75 + Math.random() / 2),
    );
  }

  #wake(): void {
    this.#isHinted = true;
    this.#foundNone = false;
    this.#requestClaim();
  }

  #hear(change: JobChange): void {
    this.#turns.hear(change);
    const { kind, jobId } = change;
    if (kind === 'progress' && change.progress.etaSeconds !== undefined)
      this.jobs.expectEnd(jobId, change.progress.etaSeconds);
    if (kind === 'cancelRequested')
      for (const job of this.jobs) if (job.jobId === jobId) job.stop.abort('cancel' satisfies StopCause);
  }

  #requestClaim(): void {
    this.#claimAgain = true;
    if (this.#isDraining) {
      do this.#isFetchedTurn = true;
      while (this.#giveSlot());
      return;
    }
    this.#claiming ??= this.#claimUntilFull().finally(() => {
      this.#claiming = undefined;
      if (this.#claimAgain) this.#requestClaim();
    });
  }

  async #claimUntilFull(): Promise<void> {
    try {
      do {
        this.#claimAgain = this.#giveSlot();
        if (this.#claimAgain) continue;
        const hadRoom = this.jobs.room().any > 0;
        const claimed = await this.#claim();
        if (this.jobs.nextFetched() === undefined) continue;
        if (claimed.length > 0) this.#claimAgain = true;
        const isQueueServed = claimed.length === 0 || claimed.some(({ delivery }) => delivery.lane !== 'fetch');
        if (this.#isFetchedTurn || !hadRoom || !isQueueServed) continue;
        this.#isFetchedTurn = true;
        this.#claimAgain = true;
      } while (this.#claimAgain && !this.#isDraining);
    } catch (error) {
      // Let jobs that have fetched their inputs get slots: they must not wait for the database.
      this.#isFetchedTurn = true;
      this.#deps.onInternalError('', error);
    }
  }

  /**
   * Gives a free slot to a job that has fetched its inputs, if it is the turn of such jobs and the job fits. Returns
   * whether it did.
   */
  #giveSlot(): boolean {
    const next = this.jobs.nextFetched();
    if (next === undefined || !this.#isFetchedTurn || !this.jobs.giveSlot(next)) return false;
    this.#roomChanges += 1;
    this.#isFetchedTurn = false;
    return true;
  }

  /** Claims the work that fits, and starts it. */
  async #claim(): Promise<readonly ClaimedWork[]> {
    const limits = await this.#deps.clientSlots();
    let next = this.#isFetchedTurn ? this.jobs.nextFetched()?.delivery.weight : undefined;
    const requests = this.#takeRequests(limits, (weight) => {
      // A job that has fetched its inputs and whose turn it is comes before the next job of the queue.
      next ??= weight;
    });
    if (requests.length === 0) return [];
    const changesBefore = this.#roomChanges;
    if (!(await this.#mayFindTickets()) || !(await this.#isClaimAllowed())) return [];
    await this.#renewOldLeases();
    const claimAt = this.#deps.now().getTime();
    const first = await claimJobs(this.#claimDeps, requests, LEASE_SAFE_MS);
    // Set this only after the claim: while the database is down, claims fail and leases get old.
    this.#lastClaimAt = claimAt;
    for (const work of first.claimed) this.#start(work);
    const second = next === undefined || first.more ? NOTHING_CLAIMED : await this.#claimBefore(next, limits);
    if (first.more) this.#claimAgain = true;
    const isMore = first.more || second.more;
    this.#nothingFitsAt = isMore || this.#dependsOnMore(limits) ? undefined : changesBefore;
    return [...first.claimed, ...second.claimed];
  }

  /** Returns whether a claim may find tickets that fit: after a hint, or if a look finds tickets. */
  async #mayFindTickets(): Promise<boolean> {
    const wasHinted = this.#isHinted;
    this.#isHinted = false;
    if (!wasHinted) {
      const isFresh = this.#deps.acceptsAllJobs === true || performance.now() - this.#lookedAtMs < FRESH_LOOK_MS;
      const isKnown = this.#foundNone || this.#nothingFitsAt === this.#roomChanges;
      if (!this.#isAllowed || (isKnown && isFresh)) return false;
      this.#lookedAtMs = performance.now();
      const found = await this.#hasTickets();
      // A hint may have arrived during the look.
      this.#foundNone = !found && !this.#isHinted;
      if (!found) return false;
    }
    this.#nothingFitsAt = undefined;
    return true;
  }

  /**
   * Looks whether there are tickets. If there are none, this counts as a claim that found nothing: the database
   * answers, and no lease has expired.
   */
  async #hasTickets(): Promise<boolean> {
    const lookAt = this.#deps.now().getTime();
    const found = await this.#deps.queue.hasTickets();
    if (!found && Math.abs(lookAt - this.#lastClaimAt) < LEASE_SAFE_MS) this.#lastClaimAt = lookAt;
    return found;
  }

  async #isClaimAllowed(): Promise<boolean> {
    if (this.#askAgain !== undefined) {
      this.#isHinted = true;
      return false;
    }
    this.#isAllowed = await this.#deps.mayClaim();
    if (!this.#isAllowed)
      this.#askAgain = setTimeout(() => {
        this.#askAgain = undefined;
        if (this.#isHinted) this.#requestClaim();
      }, FRESH_LOOK_MS).unref();
    return this.#isAllowed;
  }

  /**
   * Renews the leases of running jobs if the last claim was long ago, for example because the machine slept or the
   * database was down. Otherwise, the next claim could hand out the tickets of these jobs again.
   */
  async #renewOldLeases(): Promise<void> {
    const { now, queue } = this.#deps;
    if (Math.abs(now().getTime() - this.#lastClaimAt) < LEASE_SAFE_MS) return;
    await Promise.all(
      [...this.jobs].map(async ({ delivery, stop }) => {
        if (!(await queue.renewLease(delivery))) stop.abort('lost' satisfies StopCause);
      }),
    );
  }

  /** Claims light jobs for free slots that are too few for the next job. `next`: the weight of the next job. */
  async #claimBefore(next: number, limits: ClientSlotLimits): ReturnType<typeof claimJobs> {
    const { any } = this.jobs.room();
    // Only short jobs may start before the next job. `ONE_SLOT - 1` leaves out light jobs with the weight of a full
    // slot, such as the measurement of a long video. After an overdue job, trust no estimate.
    if (any <= 0 || this.jobs.overdueClients().length > 0 || !this.jobs.mayPass(next)) return NOTHING_CLAIMED;
    const room = { free: Math.min(any, ONE_SLOT - 1), heaviest: heaviestOf(this.#deps.slots) };
    const request = { ...this.#anyTickets(limits), lanes: ['light'] as const, room };
    const found = await claimJobs(this.#claimDeps, [request], LEASE_SAFE_MS);
    for (const work of found.claimed) this.#start(work);
    return found;
  }

  /**
   * Returns the requests for tickets to send to the queue. The first request is for the room that only light jobs can
   * use. It leaves out clients that have an overdue light job.
   */
  #takeRequests(limits: ClientSlotLimits, onBlocked: (weight: number) => void): readonly TakeRequest[] {
    const hasFetched = this.jobs.nextFetched() !== undefined;
    const { any: free, light } = this.jobs.room();
    // If the next job that has fetched its inputs does not fit, keep the room free. Otherwise, jobs from the queue
    // would use it, and this job would wait for ever.
    const any = hasFetched && this.#isFetchedTurn ? 0 : free;
    const fetches = this.jobs.fetchRoom();
    const heaviest = heaviestOf(this.#deps.slots);
    const all = this.#anyTickets(limits);
    const without = this.jobs.overdueClients();
    const requests: TakeRequest[] = [];
    if (light > 0) requests.push({ ...all, lanes: ['light'], without, room: { free: light, heaviest } });
    if (any > 0 || fetches.free > 0) {
      const slots = hasFetched ? 1 : all.slots;
      requests.push({ ...all, slots, lanes: LANES, room: { free: any, heaviest }, fetches, onBlocked });
    }
    return requests;
  }

  #anyTickets(limits: ClientSlotLimits) {
    const { leaveFor, chunked } = this.#deps;
    const has = (need: string): boolean => (isChunkNeed(need) ? chunked !== undefined : this.#deps.has(need));
    // The queue is empty. If a ticket is added later, its hint arrives after this transaction and resets the flag.
    const onEmpty = (): void => {
      this.#foundNone = true;
    };
    const devices = this.jobs.freeDevices();
    return { slots: Number.POSITIVE_INFINITY, ...limits, has, devices, onEmpty, ...(leaveFor && { leaveFor }) };
  }

  /**
   * Returns whether a ticket may fit later although the room does not change: when another job of its client ends, when
   * a device becomes free, or when the turn changes.
   */
  #dependsOnMore({ perClient, ofClients }: ClientSlotLimits): boolean {
    return (
      perClient < Number.POSITIVE_INFINITY ||
      ofClients.size > 0 ||
      (this.#deps.deviceSessions?.size ?? 0) > 0 ||
      this.jobs.nextFetched() !== undefined ||
      this.jobs.overdueClients().length > 0
    );
  }

  #start(work: ClaimedWork): void {
    const { delivery } = work;
    const isJob = 'claim' in work;
    const jobId = isJob ? delivery.jobId : work.chunk.chunk.jobId;
    const stop = new AbortController();
    if (isJob) this.#deps.changes.publish({ kind: 'phase', jobId, clientId: delivery.clientId, phase: 'STAGING' });
    const job: RunningJob = { delivery, jobId, startedAt: performance.now(), endsAt: undefined, stop };
    this.jobs.add(job);
    const done = this.#run(work, stop, this.#slotOf(job)).then(() => {
      this.#ends.delete(done);
      const { any, light } = this.jobs.room();
      this.jobs.remove(job);
      const room = this.jobs.room();
      if (room.any > any || room.light > light) this.#roomChanges += 1;
      this.#requestClaim();
    });
    this.#ends.add(done);
  }

  #slotOf(job: RunningJob): JobSlot {
    return {
      take: async (signal) => {
        if (!this.jobs.isFetching(job)) return;
        const given = this.jobs.waitForSlot(job, signal);
        this.#requestClaim();
        await given;
      },
      waitForTurn: async (ended) => {
        // Light jobs take turns on the processors. While a longer job converts too, no turns are needed, because the
        // operating system shares the processors.
        if (this.jobs.areAllLight()) await this.#waitForProcessor(ended);
      },
      watchOthers: () => this.jobs.watchOthers(job),
      release: () => {
        if (!this.jobs.release(job)) return;
        this.#roomChanges += 1;
        this.#requestClaim();
      },
    };
  }

  async #run(work: ClaimedWork, stop: AbortController, slot: JobSlot): Promise<void> {
    const { chunked: parts, ...others } = this.#deps;
    const common = {
      ...others,
      space: this.#space,
      inBackground: (task: () => Promise<void>) => this.#runInBackground(task),
      onRetry: this.#leftJobs.add,
      draining: () => this.#isDraining,
      drainLimit: this.#drainLimit.signal,
    };
    if ('claim' in work)
      return runJob({ ...common, ...(parts && { chunked: { ...common, ...parts } }) }, work, stop, slot);
    if (parts === undefined) return;
    const { runChunk } = await import('./chunks/run-chunk.ts');
    await runChunk({ ...common, ...parts }, work, stop, slot);
  }

  #runInBackground(task: () => Promise<void>): void {
    const done = task().finally(() => this.#background.delete(done));
    this.#background.add(done);
  }
}
