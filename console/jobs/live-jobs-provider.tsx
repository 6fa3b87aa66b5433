import { type QueryClient, useQueryClient } from '@tanstack/react-query';
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
import { isSignedOut, sessionQuery } from '../session/use-session.ts';
import { type Connection, LiveJobs } from './live-jobs.ts';

/** The pause after the client has given up. It tries for two minutes by itself. */
const PAUSE_MS = 5000;

/** The most jobs that are held besides those that lists have read. Each may have megabytes. */
const MOST_HELD = 3000;

const Context = createContext<LiveJobs | undefined>(undefined);

/** Follows all jobs of the client by one stream for the whole page. Ends the session on the page when the service has ended it. */
export function LiveJobsProvider({ children }: { readonly children: ReactNode }) {
  const [live] = useState(() => new LiveJobs());
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const releaseHeld = memoryLimit(live, queries);
    // The client connects again by itself for two minutes, in which the page shows the past.
    const onConnection = (isConnected: boolean): void => live.setConnection(isConnected ? 'live' : 'lost');
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted)
        try {
          for await (const event of client.events({ signal: stop.signal, onConnection })) {
            live.apply(event);
            // Jobs that came and ended before the stream began, or during a gap in it, are only in the lists.
            if (event.type === 'ready' || event.type === 'reset') void readAgain(queries);
            else releaseHeld();
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          if (isSignedOut(error)) {
            queries.setQueryData(sessionQuery.queryKey, null);
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

/** Reads again what is shown of jobs. Resolves to false if some of it could not be read. */
const readAgain = async (queries: QueryClient): Promise<boolean> => {
  const reads = [['jobs'], ['job']].map((queryKey) => queries.invalidateQueries({ queryKey }, { throwOnError: true }));
  return (await Promise.allSettled(reads)).every(({ status }) => status === 'fulfilled');
};

/** Returns a function that forgets jobs when too many are held, once the lists have read them. */
function memoryLimit(live: LiveJobs, queries: QueryClient): () => void {
  let isReading = false;
  return () => {
    if (isReading || live.size <= MOST_HELD) return;
    isReading = true;
    const { changes } = live;
    void readAgain(queries).then((isRead) => {
      isReading = false;
      if (isRead) live.forget(changes);
    });
  };
}

export function useLiveJobs(): LiveJobs {
  const live = useContext(Context);
  if (live === undefined) throw new Error('useLiveJobs needs a LiveJobsProvider.');
  return live;
}

/** A job as it is now: what the stream says, else what was read before. */
export function useLiveJob<J extends Job | undefined>(jobId: string, read: J): Job | J {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watch(jobId, onChange), [live, jobId]);
  return useSyncExternalStore(subscribe, () => live.get(jobId)) ?? read;
}

/** Whether the stream has said that a job was deleted. */
export function useIsDeleted(jobId: string): boolean {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watch(jobId, onChange), [live, jobId]);
  return useSyncExternalStore(subscribe, () => live.isDeleted(jobId));
}

/** What `read` returns of all jobs, now and after each change of the list or of the connection. */
function useLiveList<T>(read: (live: LiveJobs) => T): T {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watchList(onChange), [live]);
  return useSyncExternalStore(subscribe, () => read(live));
}

/** A number that changes whenever a list of jobs may. */
export const useJobsRevision = (): number => useLiveList((live) => live.revision);

/** Whether events arrive. */
export const useConnection = (): Connection => useLiveList((live) => live.connection);
