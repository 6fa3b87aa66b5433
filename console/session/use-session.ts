import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../app/client.ts';

/** The session of the browser, or null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return await client.session({ signal });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whether a call was rejected because the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401;

export const useSession = () => useQuery(sessionQuery);

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (by: Parameters<typeof client.signIn>[0]) => client.signIn(by),
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.signOut(),
    onSettled: () => {
      queries.setQueryData(sessionQuery.queryKey, null);
      // The next person at this browser may be another client.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    },
  });
}
