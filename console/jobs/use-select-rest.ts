import type { Job } from '@telecine/client';
import { useEffect, useState } from 'react';
import type { useJobList } from './use-job-list.ts';

/** The most jobs that are selected at once. */
const MOST = 10_000;

/** Reads the rest of a list to select all of it. Jobs that are submitted after that are not selected. */
export function useSelectRest(
  { list, jobs, readCount, hasMore }: ReturnType<typeof useJobList>,
  onSelect: (jobs: readonly Job[]) => void,
) {
  const [isSelecting, setSelecting] = useState(false);
  const canRead = hasMore && readCount < MOST;
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
