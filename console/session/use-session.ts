import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClientError, type Session } from '@telecine/client';
import { client } from '../app/client.ts';
import { noteEndedSession } from './ended-session.ts';

/** The session of the browser, or null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client: queries }) => {
    try {
      return await client.session({ signal });
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      noteEnd(queries);
      return null;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  // Someone may have signed in as another client in another tab, which has the same cookie.
  refetchOnWindowFocus: 'always',
});

/** Whether a call was rejected because the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401;

/** Leads to the page to sign in, which says whose session has ended. */
export function endSession(queries: QueryClient): void {
  noteEnd(queries);
  queries.setQueryData(sessionQuery.queryKey, null);
}

/** Nothing has ended where nobody was signed in. */
function noteEnd(queries: QueryClient): void {
  const session = queries.getQueryData<Session | null>(['session']);
  if (session != null) noteEndedSession(session);
}

export const useSession = () => useQuery(sessionQuery);

/**
 * Begins the page anew, without what the client before has left: the next person at this browser may be another one. Uploads of the
 * page would go on with the session of that one.
 */
export function beginAnew(): void {
  window.sessionStorage.clear();
  window.location.reload();
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (by: Parameters<typeof client.signIn>[0]) => client.signIn(by),
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => client.signOut(),
    // Only the service can delete the cookie: if it could not be reached, the browser is still signed in.
    onSettled: (_data, error) => {
      if (error === null || isSignedOut(error)) beginAnew();
    },
  });
}
