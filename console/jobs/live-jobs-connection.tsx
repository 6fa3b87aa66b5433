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
import { endSession, isSignedOut } from '../session/use-session.ts';
import { type Connection, LiveJobs } from './live-jobs-state.ts';

/** The pause after the client has given up. It tries for two minutes by itself. */
const PAUSE_MS = 5000;

/** The most jobs that are held besides those that lists have read. Each has about 1 kB, and may have megabytes. */
const MOST_HELD = 1000;

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
          // Jobs that changed before the stream began, or during a gap in it, are only in the lists.
          let hasGap = true;
          for await (const event of client.events({ signal: stop.signal, onConnection })) {
            live.apply(event);
            if (event.type === 'reset') hasGap = true;
            else if (event.type === 'ready' && hasGap) {
              hasGap = false;
              void readAgain(live, queries);
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

/** Reads again what is shown of jobs, and then forgets what the stream has said before: it is in what was read. */
async function readAgain(live: LiveJobs, queries: QueryClient): Promise<void> {
  const { changes } = live;
  const reads = [['jobs'], ['job']].map((queryKey) => queries.invalidateQueries({ queryKey }, { throwOnError: true }));
  const isRead = (await Promise.allSettled(reads)).every(({ status }) => status === 'fulfilled');
  if (isRead) live.forget(changes);
}

/** Returns a function that forgets jobs when too many are held, once the lists have read them. */
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
