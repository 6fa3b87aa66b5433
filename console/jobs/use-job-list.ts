import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client } from '../app/client.ts';
import { idRange, type JobFilter, readSearch } from './job-filter.ts';
import { joinJobs } from './join-jobs.ts';
import { useJobsRevision, useLiveJobs } from './live-jobs-connection.tsx';
import { type Pages, sharePages } from './share-pages.ts';

/** The largest page that the service allows. */
const PAGE = 200;

/** The maximum number of jobs that the page searches for words. Metadata is searched by the service, in all jobs. */
const MAX_SEARCHED = 10_000;

/** The page reads more jobs until it shows this many. Then it waits until the user scrolls. */
const ENOUGH = 50;

const jobsQuery = ({ status, client: owner }: JobFilter, metadata: Readonly<Record<string, string>>) =>
  infiniteQueryOptions({
    queryKey: ['jobs', status, owner, metadata],
    queryFn: ({ pageParam, signal }) =>
      client.list({
        ...(status && { status }),
        ...(owner && { client: owner }),
        metadata,
        limit: PAGE,
        ...(pageParam !== '' && { cursor: pageParam }),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // Do not read the list again, because the event stream keeps it up to date.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: (before, now) => sharePages(before as Pages | undefined, now as Pages),
  });

/** The jobs that match a filter, newest first. The list is updated by events, and grows as more pages are read. */
export function useJobList(filter: JobFilter) {
  const { metadata, words } = readSearch(filter.q);
  const list = useInfiniteQuery(jobsQuery(filter, metadata));
  const live = useLiveJobs();
  const revision = useJobsRevision();
  const { first } = idRange(filter);
  const read = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `live` is always the same object; the revision says that it has changed.
  const jobs = useMemo(() => {
    const joined = joinJobs(live.jobs(), read, { filter, hasMore: list.hasNextPage });
    return joined.filter(({ jobId }) => !live.isDeleted(jobId));
  }, [live, revision, read, list.hasNextPage, filter]);

  const isSearch = words.length > 0 || first !== undefined;
  // Jobs that are older than the first id of the range cannot match, so do not read them.
  const hasOlder = list.hasNextPage && !(first !== undefined && (read.at(-1)?.jobId ?? first) < first);
  const mayRead = !isSearch || read.length < MAX_SEARCHED;
  const hasMore = hasOlder && mayRead;
  // If few jobs match, read more pages.
  const isShort = jobs.length < ENOUGH && read.length < MAX_SEARCHED;
  const readsOn = hasMore && isShort && !list.isFetching && list.error === null;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  return {
    list,
    jobs,
    /** How many jobs were read. `jobs` are those that match the filter. */
    readCount: read.length,
    isSearch,
    /** Whether there are older jobs that may match. */
    hasOlder,
    /** Whether the page will read the older jobs. */
    hasMore,
    isReading: list.isPending || (jobs.length === 0 && (readsOn || list.isFetchingNextPage)),
  };
}
