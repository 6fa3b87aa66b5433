import type { Progress } from '../domain/job.ts';
import type { JobPhase } from '../domain/states.ts';
import type { JobOutcome } from './ports.ts';

/** One change of a job. It is published after the commit that made it, never before. */
export type JobChange = { readonly jobId: string; readonly clientId: string } & (
  | { readonly kind: 'created' }
  | { readonly kind: 'phase'; readonly phase: JobPhase }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'cancelRequested' }
  /** A drain or a retryable failure sent the job back to the queue. */
  | { readonly kind: 'requeued' }
  | { readonly kind: 'ended'; readonly status: JobOutcome['status'] }
);

/** Selects jobs: one, those of one client, or all. */
export type JobFilter = { readonly jobId: string } | { readonly clientId: string } | 'all';

export type JobChangeListener = (change: JobChange) => void | Promise<void>;

/**
 * Where job changes come from. A subscriber hears of changes after its call; to miss none, it subscribes first and then
 * reads the job.
 */
export interface JobChangeSource {
  /**
   * Calls `listener` for each change of the selected jobs, in the order of publishing. Returns what unsubscribes.
   * Listeners return at once: they note the change and work on it later.
   */
  subscribe(filter: JobFilter, listener: JobChangeListener): () => void;
}

/** Where the use cases announce what they have committed. */
export interface JobChangeSink {
  publish(change: JobChange): void;
}

/**
 * The job changes of this process. What learns of changes in other processes publishes them here too. `onListenerError`
 * receives what a listener throws; the other listeners and the publisher do not notice.
 */
export function createJobChanges(onListenerError: (error: unknown) => void): JobChangeSource & JobChangeSink {
  const listeners = new Map<string, Set<JobChangeListener>>();

  const call = async (listener: JobChangeListener, change: JobChange): Promise<void> => {
    try {
      await listener(change);
    } catch (error) {
      onListenerError(error);
    }
  };

  return {
    subscribe(filter, listener) {
      const key = keyOf(filter);
      // An object of its own for each subscription: the same function may subscribe twice.
      const entry: JobChangeListener = (change) => listener(change);
      const entries = listeners.get(key) ?? new Set();
      listeners.set(key, entries.add(entry));
      return () => {
        entries.delete(entry);
        if (entries.size === 0 && listeners.get(key) === entries) listeners.delete(key);
      };
    },
    publish(change) {
      const { jobId, clientId } = change;
      for (const filter of [{ jobId }, { clientId }, 'all'] as const)
        for (const listener of [...(listeners.get(keyOf(filter)) ?? [])]) void call(listener, change);
    },
  };
}

function keyOf(filter: JobFilter): string {
  if (filter === 'all') return 'all';
  return 'jobId' in filter ? `job ${filter.jobId}` : `client ${filter.clientId}`;
}
