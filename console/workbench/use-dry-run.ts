import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClientError, ConversionRequest, DryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { withoutExpected } from './expected-inputs.ts';

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

/**
 * Checks a request while it is written, and again when one of its inputs has been uploaded. A check that is superseded is cancelled.
 * @param request - undefined: there is nothing to check yet.
 * @param uploading - Paths of inputs that are being uploaded.
 */
export function useDryRun(request: ConversionRequest | undefined, uploading: readonly string[] = []): Checked {
  const text = request === undefined ? '' : JSON.stringify(request);
  const settled = useDebounced(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ['dry-run', settled, uploading],
    queryFn: async ({ signal }) => {
      const checkedRequest = JSON.parse(settled) as ConversionRequest;
      return withoutExpected(await client.dryRun(checkedRequest, { signal }), checkedRequest, uploading);
    },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    // A file may have been written or deleted since.
    staleTime: 0,
  });
  if (text === '') return { plan: undefined, error: null, isOld: false };
  return {
    plan: check.error === null ? check.data : undefined,
    error: check.error,
    isOld: settled !== text || check.isPlaceholderData || check.isPending,
  };
}
