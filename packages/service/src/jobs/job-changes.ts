import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';
import type { JobOutcome } from './ports/job-store.ts';

/** One change of a job. It is published only after the change is committed. */
export type JobChange = { readonly jobId: string; readonly clientId: string } & (
  | { readonly kind: 'created' }
  | { readonly kind: 'phase'; readonly phase: JobPhase }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'cancelRequested' }
  /** A drain or a retryable failure sent the job back to the queue. */
  | { readonly kind: 'requeued' }
  | { readonly kind: 'released' }
  /** The outputs of a job that has ended were removed, because they had expired. */
  | { readonly kind: 'expired' }
  /** `code`: why it was not completed. */
  | { readonly kind: 'ended'; readonly status: JobOutcome['status']; readonly code?: FailureCode }
);

/** Selects one job, the jobs of one client, or all jobs. */
export type JobFilter = { readonly jobId: string } | { readonly clientId: string } | 'all';

export type JobChangeListener = (change: JobChange) => void | Promise<void>;

/** Delivers job changes to subscribers. A subscriber gets only later changes, so it subscribes first and then reads the job. */
export interface JobChangeSource {
  /**
   * Calls `listener` for each change of the selected jobs, in order. It must return at once. Returns a function that
   * unsubscribes.
   */
  subscribe(filter: JobFilter, listener: JobChangeListener): () => void;
}

/** The use cases publish the changes here that they have committed. */
export interface JobChangeSink {
  publish(change: JobChange): void;
}

/** Creates the publisher of job changes, also of changes from other processes. `onListenerError`: gets errors of listeners. */
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
      // A new function for each subscription, because the same listener may subscribe twice.
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
      // A copy: a listener may subscribe or unsubscribe.
      for (const entries of selected) if (entries !== undefined) for (const entry of [...entries]) call(entry, change);
    },
  };
}

/** A text for each filter. */
export function filterKey(filter: JobFilter): string {
  if (filter === 'all') return 'all';
  return 'jobId' in filter ? keyOfJob(filter.jobId) : keyOfClient(filter.clientId);
}

/** The keys of all filters that select a job. */
export const keysOf = ({
  jobId,
  clientId,
}: {
  readonly jobId: string;
  readonly clientId: string;
}): readonly string[] => [keyOfJob(jobId), keyOfClient(clientId), 'all'];

const keyOfJob = (jobId: string): string => `job ${jobId}`;
const keyOfClient = (clientId: string): string => `client ${clientId}`;
