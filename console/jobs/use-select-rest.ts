import type { Job } from '@telecine/client';
import { useEffect, useState } from 'react';
import type { useJobList } from './use-job-list.ts';

/** The maximum number of jobs that can be selected. */
const MAX_SELECTED = 10_000;

/** Reads the rest of a list and selects all jobs in it. Jobs that are submitted later are not selected. */
export function useSelectRest(
  { list, jobs, readCount, hasMore }: ReturnType<typeof useJobList>,
  onSelect: (jobs: readonly Job[]) => void,
) {
  const [isSelecting, setSelecting] = useState(false);
  const canRead = hasMore && readCount < MAX_SELECTED;
  const { isFetching, error, fetchNextPage } = list;
  useEffect(() => {
    if (!isSelecting || isFetching) return;
    if (canRead && error === null) void fetchNextPage();
    else {
      setSelecting(false);
      onSelect(jobs);
    }
  }, [isSelecting, isFetching, canRead, error, fetchNextPage, onSelect, jobs]);
  return { canRead, isSelecting, setSelecting };
}
