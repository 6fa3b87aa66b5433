import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useEffect, useMemo } from 'react';
import { client } from '../app/client.ts';
import { idRange, type JobFilter, type JobSearch, readSearch } from './job-filter.ts';
import { joinJobs } from './join-jobs.ts';
import { useJobsRevision, useLiveJobs } from './live-jobs-connection.tsx';
import { type Pages, sharePages } from './share-pages.ts';

/** The largest page that the service allows. */
const PAGE = 200;

/** The page reads more jobs until it shows this many. Then it waits until the user scrolls. */
const ENOUGH = 50;

/**
 * The page reads at most this many pages without being asked for more. A page of a search can be empty: the service
 * replies after some time, and not only when it has found something.
 */
const MAX_PAGES = 50;

/** All jobs of a batch, newest first as in lists. A batch is one page, which `joinJobs` filters. */
const readBatch = async (batch: string, signal: AbortSignal): Promise<Pages['pages'][number]> => {
  const { jobs } = await client.getBatch(batch, { signal });
  return { jobs: jobs.toReversed() };
};

const jobsQuery = ({ status, client: owner, watch, batch }: JobFilter, { metadata, q }: JobSearch) =>
  infiniteQueryOptions({
    queryKey: ['jobs', status, owner, watch, batch, metadata, q],
    queryFn: ({ pageParam, signal }) =>
      batch !== undefined
        ? readBatch(batch, signal)
        : client.list({
            ...(status && { status }),
            ...(owner && { client: owner }),
            ...(watch && { watch }),
            metadata,
            ...(q !== '' && { q }),
            limit: PAGE,
            ...(pageParam !== '' && { cursor: pageParam }),
            signal,
          }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // Do not read the list again, because the event stream keeps it up to date.
    staleTime: Number.POSITIVE_INFINITY,
    // While a user types a search, keep showing the earlier jobs that match.
    placeholderData: keepPreviousData,
    structuralSharing: (before, now) => sharePages(before as Pages | undefined, now as Pages),
  });

/** The jobs that match a filter, newest first. The list is updated by events, and grows as more pages are read. */
export function useJobList(filter: JobFilter) {
  const list = useInfiniteQuery(jobsQuery(filter, readSearch(filter.q)));
  const live = useLiveJobs();
  const revision = useJobsRevision();
  const { first } = idRange(filter);
  const read = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `live` is always the same object; the revision says that it has changed.
  const jobs = useMemo(() => {
    const joined = joinJobs(live.jobs(), read, { filter, hasMore: list.hasNextPage });
    return joined.filter(({ jobId }) => !live.isDeleted(jobId));
  }, [live, revision, read, list.hasNextPage, filter]);

  const isSearch = filter.q !== undefined || first !== undefined;
  // Jobs that are older than the first id of the range cannot match, so do not read them.
  const hasMore = list.hasNextPage && !(first !== undefined && (read.at(-1)?.jobId ?? first) < first);
  // If few jobs match, read more pages.
  const isShort = jobs.length < ENOUGH && (list.data?.pages.length ?? 0) < MAX_PAGES;
  const readsOn = hasMore && isShort && !list.isFetching && !list.isPlaceholderData && list.error === null;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  const isReading =
    list.isPending || (jobs.length === 0 && (readsOn || list.isFetchingNextPage || list.isPlaceholderData));
  return {
    list,
    jobs,
    /** How many jobs were read. */
    readCount: read.length,
    isSearch,
    /** Whether there are older jobs that may match. */
    hasMore,
    isReading,
    /** Whether all jobs that match were read. */
    isComplete: list.data !== undefined && !list.isPlaceholderData && !hasMore && !isReading,
  };
}

/** The jobs of a filter in all states, of which the tabs of the list show the numbers. */
export function useJobsOfAllStates(
  { status, ...filter }: JobFilter,
  found: Pick<ReturnType<typeof useJobList>, 'jobs' | 'isComplete'>,
): { readonly jobs: readonly Job[]; readonly isComplete: boolean } {
  const search = readSearch(filter.q);
  const isSearch = search.q !== '' || Object.keys(search.metadata).length > 0;
  // One page more, once. A search can read all jobs, so its numbers are those of the list that was already read.
  const all = useInfiniteQuery({ ...jobsQuery(filter, search), enabled: status !== undefined && !isSearch });
  const live = useLiveJobs();
  const revision = useJobsRevision();
  const isRead = status !== undefined && !all.isPlaceholderData && all.data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `live` is always the same object, and `filter` follows from its values.
  const others = useMemo(() => {
    if (!isRead) return [];
    const read = all.data?.pages.flatMap((page) => page.jobs) ?? [];
    const joined = joinJobs(live.jobs(), read, { filter, hasMore: all.hasNextPage });
    return joined.filter(({ jobId }) => !live.isDeleted(jobId));
  }, [live, revision, isRead, all.data, all.hasNextPage, JSON.stringify(filter)]);
  return status === undefined ? found : { jobs: others, isComplete: isRead && !all.hasNextPage };
}
