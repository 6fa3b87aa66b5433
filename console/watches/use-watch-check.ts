import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NewWatch, WatchDryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { withoutSchedule } from './watch-draft.ts';

/** After this pause in typing, the watch is checked. A check reads the folder, so the pause is longer than that of the workbench. */
const PAUSE_MS = 600;

export interface CheckedWatch {
  readonly run: WatchDryRun | undefined;
  readonly error: Error | null;
  /** Whether the result is for an earlier version of the watch, or there is none yet. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** Checks a watch with a dry run while the user edits it. undefined: there is nothing to check yet. */
export function useWatchCheck(watch: NewWatch | undefined): CheckedWatch {
  const text = watch === undefined ? '' : JSON.stringify(withoutSchedule(watch));
  const settled = useDebounced(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ['watch-dry-run', settled],
    queryFn: ({ signal }) => client.dryRunWatch(JSON.parse(settled) as NewWatch, { signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const again = (): void => void check.refetch();
  if (text === '') return { run: undefined, error: null, isOld: false, again };
  return {
    run: check.error === null ? check.data : undefined,
    error: check.error,
    isOld: settled !== text || check.isPlaceholderData || check.isPending,
    again,
  };
}
