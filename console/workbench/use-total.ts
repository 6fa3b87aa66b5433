import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest, DryRun } from '@telecine/client';
import { useEffect } from 'react';
import { useDebounced } from '../ui/use-debounced.ts';
import { dryRunQuery } from './dry-run-query.ts';
import { isOfRequest, planEach } from './plan-each.ts';

/** Of more sources, no total is planned: the service reads each of them, and some recipes encode samples. */
export const MAX_PLANNED = 12;

/** How long the requests must stay as they are, in ms: each plan counts as a submission of the client. */
const PAUSE_MS = 2000;

/** How long the plans are kept, in ms. The shown request is checked again at each look, and says if something has changed. */
const KEPT_MS = 60_000;

/** The plan of a request. undefined: it has an error. */
export type EachPlan = DryRun | undefined;

/** The plans of several requests. */
interface Total {
  /** undefined: not all requests are planned, or there are too many. */
  readonly plans: readonly EachPlan[] | undefined;
  /** Whether the service has not planned one for a reason that is not about the request. */
  readonly isStopped: boolean;
}

/**
 * The plans of several requests that are submitted together. A dry run of a batch has no estimates, so each request has its own, which the
 * check of the shown request shares: a source that is added costs one plan.
 *
 * @param isWanted Whether the user sees the plan, and the shown request has one: otherwise the others would most likely have the same error.
 */
export function useTotal(requests: readonly ConversionRequest[], isWanted: boolean): Total {
  const queries = useQueryClient();
  const texts = requests.length > MAX_PLANNED ? [] : requests.map((request) => JSON.stringify(request));
  const all = JSON.stringify(texts);
  const isSettled = useDebounced(all, PAUSE_MS) === all;
  const starts = isWanted && isSettled;
  useEffect(() => {
    if (!starts) return undefined;
    const isWrong = (text: string): boolean => {
      const { error = null, errorUpdatedAt = 0 } = queries.getQueryState(dryRunQuery(text).queryKey) ?? {};
      return isOfRequest(error) && Date.now() - errorUpdatedAt < KEPT_MS;
    };
    const changed = new AbortController();
    const plans = (JSON.parse(all) as readonly string[])
      .filter((text) => !isWrong(text))
      .map((text) => () => queries.fetchQuery({ ...dryRunQuery(text), staleTime: KEPT_MS }));
    void planEach(plans, changed.signal);
    return () => changed.abort();
  }, [queries, all, starts]);
  // The effect begins the plans, a few at the same time. These only read them, and end those of earlier requests.
  const results = useQueries({ queries: texts.map((text) => ({ ...dryRunQuery(text), enabled: false })) });
  const isPlanned = texts.length > 0 && results.every(({ data, error }) => data !== undefined || isOfRequest(error));
  return {
    plans: isPlanned ? results.map(({ data, error }) => (isOfRequest(error) ? undefined : data?.plan)) : undefined,
    isStopped: results.some(({ error }) => error !== null && !isOfRequest(error)),
  };
}
