import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession, isSignedOut } from '../session/use-session.ts';

/** Creates the cache for replies of the service. If a call fails because the session has ended, shows the sign-in page. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) endSession(queries);
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Do not retry here, because the API client already retries calls that are safe to repeat.
    defaultOptions: { queries: { retry: false, staleTime: 5000 }, mutations: { retry: false } },
  });
  return queries;
}
