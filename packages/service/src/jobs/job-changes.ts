import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';
import type { JobOutcome } from './ports/job-store.ts';

/** One change of a job. Publish it only after its transaction is committed. */
export type JobChange = { readonly jobId: string; readonly clientId: string } & (
  | { readonly kind: 'created' }
  | { readonly kind: 'phase'; readonly phase: JobPhase }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'cancelRequested' }
  /** The job went back to the queue, because its worker drains or because a failed attempt is repeated. */
  | { readonly kind: 'requeued' }
  | { readonly kind: 'released' }
  /** The outputs of a finished job have expired and were removed. */
  | { readonly kind: 'expired' }
  /** The job has ended. `code`: the reason, if the job is not complete. */
  | { readonly kind: 'ended'; readonly status: JobOutcome['status']; readonly code?: FailureCode }
);

/** A watch or what it knows of its files has changed. Publish it only after its transaction is committed. */
export interface WatchChange {
  readonly watchId: string;
  readonly clientId: string;
  /** Present if a client has made, changed or deleted the watch: the service that works for it reads it again. */
  readonly isByClient?: true;
}

/** Delivers changes of watches to subscribers. They are only hints: those of other processes can get lost. */
export interface WatchChanges {
  publish(change: WatchChange): void;
  /** Calls `listener` for each change. It must return quickly. Returns a function that unsubscribes. */
  subscribe(listener: (change: WatchChange) => void): () => void;
}

/** Selects one job, the jobs of one client, or all jobs. */
export type JobFilter = { readonly jobId: string } | { readonly clientId: string } | 'all';

type JobChangeListener = (change: JobChange) => void | Promise<void>;

/** Delivers job changes to subscribers. A subscriber gets only later changes: subscribe first, then read the job. */
export interface JobChangeSource {
  /**
   * Calls `listener` for each change of the selected jobs, in order. The listener must return quickly, because the next
   * changes wait for it. Returns a function that unsubscribes.
   */
  subscribe(filter: JobFilter, listener: JobChangeListener): () => void;
}

/** Receives the changes that use cases have committed. */
export interface JobChangeSink {
  publish(change: JobChange): void;
}

/**
 * Creates the object that delivers job changes of this process and of other processes to subscribers.
 * `onListenerError`: receives errors that listeners throw.
 */
export function createJobChanges(onListenerError: (error: unknown) => void): JobChangeSource & JobChangeSink {
  const listenersOf = new Map<string, Set<JobChangeListener>>();

  const call = (listener: JobChangeListener, change: JobChange): void => {
    try {
      listener(change)?.catch(onListenerError);
    } catch (error) {
      onListenerError(error);
    }
  };

  return {
    subscribe(filter, listener) {
      // Wrap the listener in a new function, because the same listener may subscribe twice.
      const entry: JobChangeListener = (change) => listener(change);
      const key = filterKey(filter);
      const entries = listenersOf.get(key) ?? new Set();
      listenersOf.set(key, entries.add(entry));
      return () => {
        entries.delete(entry);
        if (entries.size === 0 && listenersOf.get(key) === entries) listenersOf.delete(key);
      };
    },
    publish(change) {
      const selected = keysOf(change).map((key) => listenersOf.get(key));
      // Iterate over a copy, because a listener may subscribe or unsubscribe during the loop.
      for (const entries of selected) if (entries !== undefined) for (const entry of [...entries]) call(entry, change);
    },
  };
}

/** `onPublished`: gets the changes of this process, to tell other processes. */
export function createWatchChanges(
  onPublished: (change: WatchChange) => void,
): WatchChanges & { receive(change: WatchChange): void } {
  const listeners = new Set<{ readonly call: (change: WatchChange) => void }>();
  const receive = (change: WatchChange): void => {
    for (const { call } of [...listeners]) call(change);
  };
  return {
    receive,
    publish: (change) => {
      receive(change);
      onPublished(change);
    },
    subscribe: (listener) => {
      // The same listener may subscribe twice.
      const entry = { call: listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}

export function filterKey(filter: JobFilter): string {
  if (filter === 'all') return 'all';
  return 'jobId' in filter ? keyOfJob(filter.jobId) : keyOfClient(filter.clientId);
}

/** Returns the keys of all filters that select a job. */
export const keysOf = ({
  jobId,
  clientId,
}: {
  readonly jobId: string;
  readonly clientId: string;
}): readonly string[] => [keyOfJob(jobId), keyOfClient(clientId), 'all'];

const keyOfJob = (jobId: string): string => `job ${jobId}`;
const keyOfClient = (clientId: string): string => `client ${clientId}`;
