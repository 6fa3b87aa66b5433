import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ClientError, ConversionRequest, DryRun } from '@telecine/client';
import { useState } from 'react';
import { useDebounced } from '../ui/use-debounced.ts';
import { dryRunQuery, type SourcedPlan } from './dry-run-query.ts';
import { nextCheck } from './next-check.ts';
import { sourcesOf } from './sources-of.ts';

/** After this pause in typing, the request is checked. */
const PAUSE_MS = 300;

const isNotRead = (plan: DryRun | undefined): boolean =>
  plan?.warnings.some(({ code }) => code === 'INPUT_NOT_READ') === true;

/** The result of a dry run. */
export interface Checked {
  readonly plan: DryRun | undefined;
  /** A problem document, or an error because the service cannot be reached. */
  readonly error: Error | ClientError | null;
  /** Whether the result is for an earlier version of the request, with the same sources. */
  readonly isOld: boolean;
  /** Checks the request again. Absent if there is nothing to check. */
  readonly checkAgain?: () => void;
}

/**
 * Checks a request with a dry run while the user edits it, and again when an input has been uploaded. A newer check cancels the earlier one.
 *
 * @param request undefined: there is nothing to check yet.
 * @param uploading The paths of inputs that are being uploaded.
 * @param retryOf The job that the request runs again.
 */
export const useDryRun = (
  request: ConversionRequest | undefined,
  uploading: readonly string[] = [],
  retryOf?: string,
): Checked => useCheck(request, request, (text) => dryRunQuery(text, uploading, retryOf));

/**
 * Checks what is sent while the user edits it. A newer check cancels the earlier one.
 *
 * @param sent undefined: there is nothing to check.
 * @param request The request in what is sent: the plan of other files is not shown.
 * @param queryOf Returns the query for what is sent as JSON.
 */
export function useCheck<Key extends QueryKey>(
  sent: object | undefined,
  request: ConversionRequest | undefined,
  queryOf: (text: string) => UseQueryOptions<SourcedPlan, Error, SourcedPlan, Key>,
): Checked {
  const text = sent === undefined ? '' : JSON.stringify(sent);
  const settled = useDebounced(text, PAUSE_MS);
  const [isAsked, setAsked] = useState(false);
  const check = useQuery({
    ...queryOf(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    // Always check again, because a file may have been written or deleted.
    staleTime: 0,
    refetchInterval: ({ state }) => nextCheck(state),
  });
  if (request === undefined) return { plan: undefined, error: null, isOld: false };
  // While an option is edited, the last plan stays. The plan of another film would look like an answer for this one.
  const isOfSources = check.data?.sources === sourcesOf(request);
  // Says that it is checked again after it was not. Checks that the user does not ask for replace the plan silently.
  const isAgain = check.isFetching && (check.error !== null || (isAsked && isNotRead(check.data?.plan)));
  return {
    plan: check.error === null && isOfSources ? check.data?.plan : undefined,
    error: check.error,
    isOld: settled !== text || check.isPlaceholderData || check.isPending || isAgain,
    checkAgain: () => {
      setAsked(true);
      void check.refetch().finally(() => setAsked(false));
    },
  };
}
