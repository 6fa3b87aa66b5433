import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClientError, type Session } from '@telecine/client';
import { client } from '../app/client.ts';
import { noteEndedSession } from './ended-session.ts';

/** Reads the session of the browser. null: nobody is signed in. */
const sessionQuery = queryOptions({
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
  // All tabs share the cookie, so another tab may have signed in as another client.
  refetchOnWindowFocus: 'always',
});

/** Whether a call was rejected because the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401;

/** Shows the sign-in page. It names the client whose session has ended. */
export function endSession(queries: QueryClient): void {
  noteEnd(queries);
  queries.setQueryData(sessionQuery.queryKey, null);
}

/** Remembers the ended session for the sign-in page. Does nothing if nobody was signed in. */
function noteEnd(queries: QueryClient): void {
  const session = queries.getQueryData<Session | null>(['session']);
  if (session != null) noteEndedSession(session);
}

export const useSession = () => useQuery(sessionQuery);

/**
 * Reloads the page and deletes its stored state, because another person may use this browser next. Without the reload, running uploads would
 * continue with the session of that person.
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
    // Only the service can delete the cookie. If it cannot be reached, the browser is still signed in.
    onSettled: (_data, error) => {
      if (error === null || isSignedOut(error)) beginAnew();
    },
  });
}
