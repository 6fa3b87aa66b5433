import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClientError, ConversionRequest, DryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';

/** The pause in typing after which the service is asked. */
const PAUSE_MS = 300;

/** What the service says about a request. */
export interface Checked {
  readonly plan: DryRun | undefined;
  /** A problem document, or that the service cannot be reached. */
  readonly error: Error | ClientError | null;
  /** Whether the answer is about an earlier state of the request. */
  readonly isOld: boolean;
}

/** Checks a request while it is written. A check that is superseded is cancelled. undefined: there is nothing to check yet. */
export function useDryRun(request: ConversionRequest | undefined): Checked {
  const text = request === undefined ? '' : JSON.stringify(request);
  const settled = useDebounced(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ['dry-run', settled],
    queryFn: ({ signal }) => client.dryRun(JSON.parse(settled) as ConversionRequest, { signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    // An input may have been uploaded since.
    staleTime: 0,
  });
  if (text === '') return { plan: undefined, error: null, isOld: false };
  return {
    plan: check.error === null ? check.data : undefined,
    error: check.error,
    isOld: settled !== text || check.isPlaceholderData || check.isPending,
  };
}
