import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { ClientError, type Job } from '@telecine/client';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { client } from '../app/client.ts';
import { endSession, isSignedOut } from '../session/use-session.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { watchReader } from '../watches/watch-reader.ts';
import { type Connection, LiveJobs } from './live-jobs-state.ts';
import { replacementsAmong, takesNoPlace } from './replacements.ts';

/** The pause before the page connects again. Before that, the API client itself tries for two minutes. */
const PAUSE_MS = 5000;

/** How long no other retry must be cancelled or deleted before the page reads what has taken their places, in ms. */
const QUIET_MS = 500;

/** The maximum number of jobs in memory besides the jobs in lists. A job usually has 1 kB, but can have megabytes. */
const MOST_HELD = 1000;

const Context = createContext<LiveJobs | undefined>(undefined);

/** Follows all jobs and watches of the client with one event stream for the whole page. If the service has ended the session, shows the sign-in page. */
export function LiveJobsProvider({ children }: { readonly children: ReactNode }) {
  const [live] = useState(() => new LiveJobs());
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const releaseHeld = memoryLimit(live, queries);
    const readWatches = watchReader(queries);
    // After a lost connection, the API client tries to connect again for two minutes. Meanwhile the page shows old states.
    const onConnection = (isConnected: boolean): void => live.setConnection(isConnected ? 'live' : 'lost');
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted)
        try {
          // The stream does not report changes before its start or during a gap, so read the lists again.
          let hasGap = true;
          for await (const event of client.events({ signal: stop.signal, onConnection })) {
            live.apply(event);
            if (event.type === 'reset') hasGap = true;
            else if (event.type === 'watch') readWatches();
            else if (event.type === 'ready' && hasGap) {
              hasGap = false;
              void readAgain(live, queries);
              readWatches();
            } else releaseHeld();
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          if (isSignedOut(error)) {
            endSession(queries);
            return;
          }
          if (error instanceof ClientError && error.status === 403) {
            live.setConnection('denied');
            return;
          }
          live.setConnection('lost');
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
    };
    void follow();
    return () => stop.abort();
  }, [live, queries]);
  return <Context value={live}>{children}</Context>;
}

/** Reads all shown jobs again. Then forgets the earlier events of the stream, because the read jobs include them. */
async function readAgain(live: LiveJobs, queries: QueryClient): Promise<void> {
  const { changes } = live;
  const reads = [['jobs'], ['job']].map((queryKey) => queries.invalidateQueries({ queryKey }, { throwOnError: true }));
  const isRead = (await Promise.allSettled(reads)).every(({ status }) => status === 'fulfilled');
  if (isRead) live.forget(changes);
}

/** Returns a function that reads the lists again and forgets jobs of the stream, if there are too many of them. */
function memoryLimit(live: LiveJobs, queries: QueryClient): () => void {
  let isReading = false;
  return () => {
    if (isReading || live.size <= MOST_HELD) return;
    isReading = true;
    void readAgain(live, queries).finally(() => {
      isReading = false;
    });
  };
}

export function useLiveJobs(): LiveJobs {
  const live = useContext(Context);
  if (live === undefined) throw new Error('useLiveJobs needs a LiveJobsProvider.');
  return live;
}

/** The newest state of a job: from the stream, otherwise `read`. */
export function useLiveJob<J extends Job | undefined>(jobId: string, read: J): Job | J {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watch(jobId, onChange), [live, jobId]);
  return useSyncExternalStore(subscribe, () => live.get(jobId)) ?? read;
}

/** The job that has taken the place of another one: from the stream, otherwise `read`. */
export const useReplacement = (jobId: string, read: string | undefined): string | undefined =>
  useLiveList((live) =>
    replacementsAmong(live.jobs(), (other) => live.isDeleted(other))({ jobId, ...(read && { retriedAs: read }) }),
  );

/**
 * Reads again what says which retries have taken the place of jobs, when the stream reports that one of them was cancelled or deleted: only the
 * service knows whether an earlier one has.
 *
 * @param retryIds The ids of these retries, with spaces between them.
 */
export function useReadAfterRetries(retryIds: string, queryKey: QueryKey): void {
  const queries = useQueryClient();
  const gone = useLiveList((live) =>
    retryIds
      .split(' ')
      .filter((retryId) => takesNoPlace(live, retryId))
      .join(' '),
  );
  // Several can be cancelled one after the other, and each read is of all pages that were read.
  const settled = useDebounced(gone, QUIET_MS);
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    if (settled !== '') void queries.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
  }, [settled, queries, key]);
}

/** Whether the stream has reported the deletion of a job. */
export function useIsDeleted(jobId: string): boolean {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watch(jobId, onChange), [live, jobId]);
  return useSyncExternalStore(subscribe, () => live.isDeleted(jobId));
}

/** The result of `read`, such as a number or a text. It is computed again after each change of the list or of the connection. */
export function useLiveList<T>(read: (live: LiveJobs) => T): T {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watchList(onChange), [live]);
  return useSyncExternalStore(subscribe, () => read(live));
}

/** A number that changes when a list of jobs may have changed. */
export const useJobsRevision = (): number => useLiveList((live) => live.revision);

export const useConnection = (): Connection => useLiveList((live) => live.connection);
