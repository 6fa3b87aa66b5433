import { useQuery } from '@tanstack/react-query';
import { ClientError, type ConversionRequest, type DryRun } from '@telecine/client';
import { client } from '../app/client.ts';

/** Of more sources, no total is planned: the service reads each of them, and some recipes encode samples. */
const MOST = 12;

/** How many requests are planned at the same time. The check of the shown one must not wait for the others. */
const AT_ONCE = 2;

/** How long the plans are kept, in ms. The shown request is checked again at each look, and says if something has changed. */
const KEPT_MS = 60_000;

/** The plan of a request. undefined: it has an error. */
export type EachPlan = DryRun | undefined;

/**
 * The plans of several requests that are submitted together. A dry run of a batch has no estimates, so each request has its own. undefined:
 * there is only one, there are too many, or they are not planned yet.
 *
 * @param isReady Whether the request that is shown has a plan. Until then, the others would most likely have the same error.
 */
export function useTotal(requests: readonly ConversionRequest[], isReady: boolean): readonly EachPlan[] | undefined {
  const isPlanned = requests.length > 1 && requests.length <= MOST;
  const { data } = useQuery({
    queryKey: ['dry-run of all', JSON.stringify(requests)],
    queryFn: ({ signal }) => planAll(requests, signal),
    enabled: isPlanned && isReady,
    staleTime: KEPT_MS,
    retry: false,
  });
  return isPlanned ? data : undefined;
}

async function planAll(requests: readonly ConversionRequest[], signal: AbortSignal): Promise<readonly EachPlan[]> {
  const plans: EachPlan[] = [];
  for (let from = 0; from < requests.length; from += AT_ONCE)
    plans.push(...(await Promise.all(requests.slice(from, from + AT_ONCE).map((one) => planOf(one, signal)))));
  return plans;
}

/** Plans a request. Throws an error that is not about the request. */
const planOf = (request: ConversionRequest, signal: AbortSignal): Promise<EachPlan> =>
  client.dryRun(request, { signal }).catch((error: unknown) => {
    if (error instanceof ClientError && error.errors.length > 0) return undefined;
    throw error;
  });
