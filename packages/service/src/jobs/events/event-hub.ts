import { isDeepStrictEqual } from 'node:util';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  filterKey,
  type JobChangeSource,
  type JobFilter,
  keysOf,
  type WatchChange,
  type WatchChanges,
} from '../job-changes.ts';
import { markPaused, type QueuePausedAt } from '../job-reads.ts';
import { afterNumber, type ChangeLog, type ChangePosition, type NumberedChange } from '../ports/job-records.ts';
import type { JobStore } from '../ports/job-store.ts';
import { changeKindOf, type LiveEvent, type LiveEventWriter } from './live-event.ts';

export const CHANGES_AT_ONCE = 200;

/**
 * The maximum number of changed jobs that a stream reads at once while it catches up. Other streams wait for this read,
 * and one job can take a megabyte.
 */
export const MISSED_JOBS_AT_ONCE = 10;

/**
 * Returns the last change of each number in `own`, because several changes can have the same number. `own`: the changes
 * of `page` that this reader gets. Leaves out the last number of a full page, because the next page may begin with more
 * changes of this number. After any other page, no more can follow: all changes with one number become readable at
 * once.
 */
export function lastOfNumbers(page: readonly NumberedChange[], own: readonly NumberedChange[]): Set<NumberedChange> {
  const openNumber = page.length === CHANGES_AT_ONCE ? page.at(-1)?.number : undefined;
  const isLast = ({ number }: NumberedChange, index: number): boolean =>
    number !== own[index + 1]?.number && number !== openNumber;
  return new Set(own.filter(isLast));
}

/**
 * How long the hub waits after a hint (the notice of a job change), so that it reads a burst of submissions in one
 * query.
 */
const COLLECT_MS = 20;

/** How often the hub reads changes without a hint. Other processes may send no hint, and hints may be lost. */
const POLL_MS = 1000;

/** How long changes of watches are collected. A scan of many files writes page by page. */
const WATCHES_MS = 1000;

/** The maximum number of running jobs whose progress is read. */
const MAX_RUNNING = 1000;

/** Receives the events of some jobs. Its methods must return quickly. */
interface Follower {
  /** `number`: the number of the change. `isLast`: the follower gets no further change with this number. */
  change(event: LiveEvent, number: number, isLast: boolean): void;
  progress(event: LiveEvent): void;
}

export interface EventHubDeps {
  readonly changes: JobChangeSource;
  /** Absent: only changes of their jobs tell of watches. */
  readonly watchChanges?: Pick<WatchChanges, 'subscribe'> | undefined;
  readonly changeLog: Pick<ChangeLog, 'after'>;
  readonly jobs: Pick<JobStore, 'getMany' | 'list'>;
  readonly queuePausedAt: QueuePausedAt;
  /** Called with errors of the store. The hub then tries again. */
  readonly onError: (error: unknown) => void;
}

type JobOfClient = Pick<Job, 'jobId' | 'clientId'>;

/** Reads the changes of jobs once for all followers in this process. Reads nothing while nobody follows. */
export class EventHub {
  readonly #deps: EventHubDeps;
  readonly #followers = new Map<string, Set<Follower>>();
  /** For each running job, the phase and progress that followers have received last. */
  readonly #shown = new Map<string, Pick<Job, 'phase' | 'progress'>>();
  /** The clients of the watches that have changed, by watch, since followers were last told. */
  readonly #changedWatches = new Map<string, string>();
  #watchTimer: NodeJS.Timeout | undefined;
  #position: ChangePosition | undefined;
  #lastTask: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #retryMs = COLLECT_MS;
  #readsRunning = false;
  #stop = (): void => {};

  constructor(deps: EventHubDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `task` while the hub reads nothing. A follower that reads its jobs and joins in one task therefore misses no
   * change.
   */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#lastTask.then(task);
    this.#lastTask = result.catch(() => {});
    return result;
  }

  /**
   * Returns the event for each change. Skips a change of a job that was deleted meanwhile, because the deletion follows
   * as a later change.
   */
  async load(numbered: readonly NumberedChange[]): Promise<ReadonlyMap<NumberedChange, LiveEvent>> {
    const { jobs, queuePausedAt } = this.#deps;
    const ids = numbered.flatMap(({ jobId, isDeleted }) => (isDeleted ? [] : [jobId]));
    const present = await markPaused(queuePausedAt, await jobs.getMany(ids));
    const byId = new Map(present.map((job) => [job.jobId, job]));
    const events = new Map<NumberedChange, LiveEvent>();
    for (const change of numbered) {
      const job = byId.get(change.jobId);
      if (change.isDeleted) events.set(change, { kind: 'deleted', jobId: change.jobId });
      else if (job !== undefined) events.set(change, { kind: changeKindOf(job), job });
    }
    return events;
  }

  /**
   * Delivers the changes of the selected jobs from now on. Call this in an `exclusive` task that has read all changes
   * up to `number`. The filters must not overlap: no job may match two of them. Returns a function that leaves the
   * hub.
   */
  join(filters: readonly JobFilter[], number: number, follower: Follower): () => void {
    const followers = this.#followers;
    const keys = filters.map(filterKey);
    if (followers.size === 0) this.#start();
    this.#position ??= afterNumber(number);
    for (const key of keys) followers.set(key, (followers.get(key) ?? new Set()).add(follower));
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      for (const key of keys) {
        const entries = followers.get(key);
        entries?.delete(follower);
        if (entries?.size === 0) followers.delete(key);
      }
      if (followers.size === 0) this.#stop();
    };
  }

  #start(): void {
    const unsubscribe = this.#deps.changes.subscribe('all', (change) => {
      const isProgress = change.kind === 'phase' || change.kind === 'progress';
      // Skip this hint if the next read is already scheduled and will find the change.
      if ((this.#timer !== undefined && (this.#readsRunning || !isProgress)) || !this.#isFollowed(change)) return;
      this.#readsRunning ||= isProgress;
      this.#wake(COLLECT_MS);
    });
    const poll = setInterval(() => {
      this.#readsRunning = true;
      this.#wake(0);
    }, POLL_MS);
    const unsubscribeWatches = this.#deps.watchChanges?.subscribe((change) => this.#noteWatch(change));
    this.#stop = () => {
      unsubscribe();
      unsubscribeWatches?.();
      clearTimeout(this.#watchTimer);
      this.#watchTimer = undefined;
      this.#changedWatches.clear();
      clearInterval(poll);
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#position = undefined;
      this.#shown.clear();
    };
  }

  #wake(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.exclusive(() => this.#read()).catch(this.#deps.onError);
    }, ms);
  }

  async #read(): Promise<void> {
    await this.#readChanges();
    if (this.#readsRunning && this.#position !== undefined) await this.#readRunning();
  }

  async #readChanges(): Promise<void> {
    while (this.#position !== undefined) {
      const page = await this.#deps.changeLog.after(this.#position, CHANGES_AT_ONCE);
      const events = await this.load(page.changes.filter((change) => this.#isFollowed(change)));
      for (const [{ jobId, clientId }, event] of events) {
        if (!('job' in event)) continue;
        this.#shown.set(jobId, event.job);
        if (event.job.watchId !== undefined) this.#noteWatch({ watchId: event.job.watchId, clientId });
      }
      const received = [...events].flatMap(([change, event]) =>
        this.#followersOf(change).map((follower) => ({ follower, change, event })),
      );
      for (const [follower, own] of Map.groupBy(received, (one) => one.follower)) {
        const changes = own.map(({ change }) => change);
        const last = lastOfNumbers(page.changes, changes);
        for (const { change, event } of own) follower.change(event, change.number, last.has(change));
      }
      // The position is undefined if the last follower has left during the read.
      if (this.#position !== undefined) this.#position = page.changes.at(-1) ?? this.#position;
      if (page.changes.length === CHANGES_AT_ONCE) continue;
      // A change becomes readable only after all earlier transactions have ended, which usually takes milliseconds. If
      // it takes longer, look less often.
      this.#retryMs = page.changes.length > 0 ? COLLECT_MS : Math.min(2 * this.#retryMs, POLL_MS);
      if (page.hasMore && this.#position !== undefined) this.#wake(this.#retryMs);
      return;
    }
  }

  async #readRunning(): Promise<void> {
    this.#readsRunning = false;
    const running = await this.#deps.jobs.list({ status: 'PROCESSING', limit: MAX_RUNNING });
    const ids = new Set(running.map(({ jobId }) => jobId));
    for (const jobId of this.#shown.keys()) if (!ids.has(jobId)) this.#shown.delete(jobId);
    for (const job of running) {
      if (!this.#isFollowed(job)) continue;
      const before = this.#shown.get(job.jobId);
      const hasPhase = before?.phase === job.phase;
      if (hasPhase && isDeepStrictEqual(before?.progress, job.progress)) continue;
      this.#shown.set(job.jobId, job);
      for (const follower of this.#followersOf(job)) follower.progress({ kind: hasPhase ? 'progress' : 'phase', job });
    }
  }

  #noteWatch({ watchId, clientId }: WatchChange): void {
    if (this.#followersOfWatches(clientId).length === 0) return;
    this.#changedWatches.set(watchId, clientId);
    this.#watchTimer ??= setTimeout(() => this.#tellOfWatches(), WATCHES_MS);
  }

  #tellOfWatches(): void {
    this.#watchTimer = undefined;
    const changed = [...this.#changedWatches];
    this.#changedWatches.clear();
    for (const [watchId, clientId] of changed) {
      const event: LiveEvent = { kind: 'watch', watchId };
      for (const follower of this.#followersOfWatches(clientId)) follower.progress(event);
    }
  }

  #isFollowed(job: JobOfClient): boolean {
    return keysOf(job).some((key) => this.#followers.has(key));
  }

  #followersOf(job: JobOfClient): readonly Follower[] {
    return this.#followersWith(keysOf(job));
  }

  /** Followers of single jobs and batches are not told of watches. */
  #followersOfWatches(clientId: string): readonly Follower[] {
    return this.#followersWith([filterKey('all'), filterKey({ clientId })]);
  }

  #followersWith(keys: readonly string[]): readonly Follower[] {
    return keys.flatMap((key) => [...(this.#followers.get(key) ?? [])]);
  }
}

/** A stream of events. It defines what is written and when the stream ends. */
export interface PipedStream {
  /** The jobs of the stream. No job may match two filters. */
  readonly filters: readonly JobFilter[];
  readonly writer: LiveEventWriter;
  readonly signal: AbortSignal;
  /** Waits until it is the turn of this caller, and runs one step of catching up. Rejects if `signal` is aborted. */
  inStep<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Writes the events that the reader has missed. Resolves to the number of the last written change, or to 'ended' if
   * no event will follow. undefined: call this again, because more events are missing.
   */
  catchUp(): Promise<number | undefined | 'ended'>;
  /** Writes a change. `isLast`: the stream gets no further change with this number. `end`: a call ends the stream. */
  change(event: LiveEvent, number: number, isLast: boolean, end: () => void): void;
  /** Writes progress, which has no number. */
  progress(event: LiveEvent, end: () => void): void;
}

/**
 * Writes the events of a stream until it ends. First, `catchUp` writes the missed events; then the hub delivers new
 * ones. If the reader is slow, the stream leaves the hub and later catches up from the store, so that its events are
 * not kept in memory.
 */
export async function pipeEvents(hub: EventHub, stream: PipedStream): Promise<void> {
  const { filters, writer, signal } = stream;
  while (!signal.aborted) {
    await writer.blocked();
    const left = Promise.withResolvers<'behind' | 'ended'>();
    const end = (): void => left.resolve('ended');
    let leave = (): void => {};
    const catchUpAndJoin = async () => {
      if (signal.aborted) return 'ended';
      const joined = await stream.catchUp();
      if (joined === undefined || joined === 'ended') return joined;
      const isBehind = (): boolean => {
        if (writer.blocked() === undefined) return false;
        leave();
        left.resolve('behind');
        return true;
      };
      leave = hub.join(filters, joined, {
        change: (event, number, isLast) => {
          if (number > joined && !isBehind()) stream.change(event, number, isLast, end);
        },
        progress: (event) => {
          if (!isBehind()) stream.progress(event, end);
        },
      });
      return 'joined';
    };
    const state = await stream.inStep(() => hub.exclusive(catchUpAndJoin));
    if (state === 'ended') return;
    if (state === undefined) continue;
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const reason = await left.promise;
    signal.removeEventListener('abort', end);
    leave();
    if (reason === 'ended') return;
  }
}
