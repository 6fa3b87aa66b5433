import { type Lane, ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { MAX_REPORTED_JOBS, type WorkerLoad } from '../../workers/ports/worker-store.ts';
import type { Delivery, FetchRoom } from '../ports/job-queue.ts';
import { busyMeter, coresOf } from './busy-cores.ts';
import {
  type DeviceSessions,
  type FreeRoom,
  freeRoom,
  freeSessions,
  heaviestOf,
  LIGHT_SECONDS,
  mayPass,
  type RunningWork,
} from './worker-room.ts';

/** A job or a chunk that a worker runs. */
export interface RunningJob {
  readonly delivery: Delivery;
  /** The job, or the job of the chunk. */
  readonly jobId: string;
  /** The time at which the job started, by `performance.now()`. */
  readonly startedAt: number;
  /** When the conversion probably ends, by `performance.now()`. undefined: unknown. */
  endsAt: number | undefined;
  readonly stop: AbortController;
}

/**
 * The limits for jobs that fetch their inputs, or have fetched them and wait for a slot. Such jobs use no core, but disk space and
 * connections. `perClient`: the slow servers of a client do not block other clients.
 */
const FETCHES = { jobs: 16, perClient: 4 } as const;

interface RunningJobsOptions {
  /** See `WorkerDeps`. */
  readonly slots: number;
  readonly processors: number;
  readonly deviceSessions?: DeviceSessions | undefined;
  readonly lightSeconds?: number | undefined;
}

/** The jobs that a worker runs, and the room that they leave. */
export class RunningJobs implements Iterable<RunningJob> {
  readonly #options: RunningJobsOptions;
  // A set, not a map by job id: a job whose lease is lost may be claimed again before its first run has ended.
  readonly #all = new Set<RunningJob>();
  /**
   * The jobs that use a slot. Other jobs fetch their inputs, publish their outputs, or remove their
   * scratch folder.
   */
  readonly #converting = new Set<RunningJob>();
  /** The jobs of the lane `fetch` that have no slot yet: they fetch their inputs, or have fetched them and wait for a slot. */
  readonly #fetching = new Set<RunningJob>();
  /** The jobs that wait for a slot, in the order in which their inputs were complete. */
  readonly #queued = new Map<RunningJob, () => void>();
  readonly #meter = busyMeter();

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): Iterator<RunningJob> {
    return this.#all.values();
  }

  get size(): number {
    return this.#all.size;
  }

  add(job: RunningJob): void {
    this.#all.add(job);
    if (job.delivery.lane === 'fetch') this.#fetching.add(job);
    else this.#converting.add(job);
    this.#noteBusyCores();
  }

  remove(job: RunningJob): void {
    this.#all.delete(job);
  }

  /** Frees the slot of a job, or its place among those that fetch. Returns whether it had one. */
  release(job: RunningJob): boolean {
    this.#queued.delete(job);
    const wasFetching = this.#fetching.delete(job);
    if (!this.#converting.delete(job) && !wasFetching) return false;
    this.#noteBusyCores();
    return true;
  }

  isFetching(job: RunningJob): boolean {
    return this.#fetching.has(job);
  }

  /** Waits until a job that has fetched its inputs gets a slot. Rejects with the reason of `signal`. */
  async waitForSlot(job: RunningJob, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#queued.delete(job);
      reject(signal.reason);
    };
    this.#queued.set(job, resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** The job that has fetched its inputs and has waited for a slot for the longest time. */
  nextFetched(): RunningJob | undefined {
    return this.#queued.keys().next().value;
  }

  /** Gives a slot to a job that has fetched its inputs, if the job fits. Returns whether it fits. */
  giveSlot(job: RunningJob): boolean {
    if (Math.min(job.delivery.weight, heaviestOf(this.#options.slots)) > this.room().any) return false;
    const resolve = this.#queued.get(job);
    this.#queued.delete(job);
    this.#fetching.delete(job);
    this.#converting.add(job);
    this.#noteBusyCores();
    resolve?.();
    return true;
  }

  fetchRoom(): FetchRoom {
    const ofClients = new Map<string, number>();
    for (const { delivery } of this.#fetching)
      ofClients.set(delivery.clientId, (ofClients.get(delivery.clientId) ?? 0) + 1);
    return { free: Math.max(0, FETCHES.jobs - this.#fetching.size), perClient: FETCHES.perClient, ofClients };
  }

  room(): FreeRoom {
    const withoutFetching = [...this.#all].filter((job) => !this.#fetching.has(job));
    return freeRoom(this.#options.slots, this.#workOf(this.#converting), this.#workOf(withoutFetching));
  }

  /** The room of each type of device. Jobs that still fetch their inputs count, because they will use their device. */
  freeDevices(): DeviceSessions {
    const onDevices = [...this.#all].filter((job) => this.#converting.has(job) || this.#fetching.has(job));
    return freeSessions(
      this.#options.deviceSessions ?? new Map(),
      onDevices.map(({ delivery }) => delivery.needs),
    );
  }

  /** The clients that have an overdue light job. */
  overdueClients(): readonly string[] {
    const overdue = [...this.#converting].filter((job) => this.#isOverdue(job));
    return [...new Set(overdue.map(({ delivery }) => delivery.clientId))];
  }

  /** See `mayPass` of worker-room.ts. */
  mayPass(next: number): boolean {
    return mayPass(this.#options.slots, this.#workOf(this.#converting), next);
  }

  areAllLight(): boolean {
    return [...this.#converting].every((job) => job.delivery.lane === 'light');
  }

  /** Begins to measure how many cores the other jobs use. Returns a function that returns the average since then. */
  watchOthers({ delivery }: RunningJob): () => number {
    const average = this.#meter.start();
    const own = coresOf(delivery, this.#options.processors);
    return () => Math.max(0, average() - own);
  }

  /** Notes when the conversion of a job probably ends. */
  expectEnd(jobId: string, seconds: number): void {
    for (const job of this.#all) if (job.jobId === jobId) job.endsAt = performance.now() + seconds * 1000;
  }

  /** The slots that the conversions of each lane use, by their weight. */
  usedSlots(): Readonly<Record<Lane, number>> {
    const used = { full: 0, light: 0, fetch: 0 };
    for (const { delivery } of this.#converting)
      used[delivery.lane] += Math.min(delivery.weight, heaviestOf(this.#options.slots)) / ONE_SLOT;
    return used;
  }

  /** How busy the worker is, for the other processes. */
  load(): WorkerLoad {
    const now = performance.now();
    // A job that should have ended by now may take any time.
    const ends = [...this.#converting].flatMap(({ endsAt }) => (endsAt !== undefined && endsAt >= now ? endsAt : []));
    const endsInSeconds = Math.round((Math.min(...ends) - now) / 1000);
    return {
      slots: this.#options.slots - this.room().any / ONE_SLOT,
      cores: Number(this.#busyCores().toPrecision(3)),
      ...(ends.length > 0 && { endsInSeconds }),
      ...(this.size > 0 && { jobIds: [...this.#all].slice(0, MAX_REPORTED_JOBS).map(({ jobId }) => jobId) }),
    };
  }

  #isOverdue({ startedAt, delivery }: RunningJob): boolean {
    const { lightSeconds = LIGHT_SECONDS } = this.#options;
    return delivery.lane === 'light' && performance.now() - startedAt >= lightSeconds * 1000;
  }

  #workOf(jobs: Iterable<RunningJob>): readonly RunningWork[] {
    return [...jobs].map((job) => ({ ...job.delivery, isOverdue: this.#isOverdue(job) }));
  }

  #busyCores(): number {
    return [...this.#converting].reduce((sum, { delivery }) => sum + coresOf(delivery, this.#options.processors), 0);
  }

  #noteBusyCores(): void {
    this.#meter.set(this.#busyCores());
  }
}
