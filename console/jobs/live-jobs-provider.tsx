import { useQueryClient } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
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

const Context = createContext<LiveJobs | undefined>(undefined);

/** Follows all jobs of the client by one stream for the whole page. Ends the session on the page when the service has ended it. */
export function LiveJobsProvider({ children }: { readonly children: ReactNode }) {
  const [live] = useState(() => new LiveJobs());
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted)
        try {
          for await (const event of client.events({ signal: stop.signal })) {
            live.apply(event);
            // Jobs that came and ended before the stream began, or during a gap in it, are only in the lists.
            if (event.type === 'ready' || event.type === 'reset')
              void queries.invalidateQueries({ queryKey: ['jobs'] });
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          if (isSignedOut(error)) {
            queries.setQueryData(sessionQuery.queryKey, null);
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

/** What `read` returns of all jobs, now and after each change of the list or of the connection. */
function useLiveList<T>(read: (live: LiveJobs) => T): T {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watchList(onChange), [live]);
  return useSyncExternalStore(subscribe, () => read(live));
}

/** The ids of all jobs that the stream has named since the page was opened. */
export const useSeenJobs = (): readonly string[] => useLiveList((live) => live.seen);

/** Whether events arrive. */
export const useConnection = (): Connection => useLiveList((live) => live.connection);
