import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession, isSignedOut } from '../session/use-session.ts';

/** What was read from the service. Any call that says that the session is over leads to the page to sign in. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) endSession(queries);
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The client retries by itself where that is safe.
    defaultOptions: { queries: { retry: false, staleTime: 5000 }, mutations: { retry: false } },
  });
  return queries;
}
