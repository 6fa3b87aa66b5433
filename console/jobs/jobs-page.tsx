import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { type JobFilter, readSearch, STATUSES } from './job-filter.ts';
import { STATUS_NAMES } from './job-names.ts';
import styles from './jobs-page.module.css';
import { JobsTable } from './jobs-table.tsx';
import { joinJobs } from './join-jobs.ts';
import { useJobsRevision, useLiveJobs } from './live-jobs-provider.tsx';
import { type Pages, sharePages } from './share-pages.ts';

/** The largest page that the service allows. */
const PAGE = 200;

/** The jobs in which the page looks for words. The service itself finds metadata, in all jobs. */
const MAX_SEARCHED = 10_000;

/** A search reads on until it has found as many. Then it waits for a scroll. */
const ENOUGH = 50;

const jobsQuery = (status: JobFilter['status'], metadata: Readonly<Record<string, string>>) =>
  infiniteQueryOptions({
    queryKey: ['jobs', status, metadata],
    queryFn: ({ pageParam, signal }) =>
      client.list({
        ...(status && { status }),
        metadata,
        limit: PAGE,
        ...(pageParam !== '' && { cursor: pageParam }),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // The stream of events keeps what is shown up to date.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: (before, now) => sharePages(before as Pages | undefined, now as Pages),
  });

/** All jobs of the client, live, newest first. */
export function JobsPage() {
  const search = useSearch({ from: '/jobs' });
  // Typing goes on while thousands of jobs are filtered.
  const filter = useDeferredValue(search);
  const { metadata, words } = readSearch(filter.q);
  const navigate = useNavigate({ from: '/jobs' });
  const list = useInfiniteQuery(jobsQuery(filter.status, metadata));
  const live = useLiveJobs();
  const revision = useJobsRevision();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `live` is always the same object; the revision says that it has changed.
  const jobs = useMemo(() => {
    const read = list.data?.pages.flatMap((page) => page.jobs) ?? [];
    const joined = joinJobs(live.jobs(), read, { filter, hasMore: list.hasNextPage });
    return joined.filter(({ jobId }) => !live.isDeleted(jobId));
  }, [live, revision, list.data, list.hasNextPage, filter]);
  // Jobs that were deleted or have left the list are not acted on.
  const chosen = useMemo(
    () => new Set(jobs.flatMap(({ jobId }) => (selected.has(jobId) ? [jobId] : []))),
    [jobs, selected],
  );

  const chosenJobs = useMemo(() => jobs.filter(({ jobId }) => chosen.has(jobId)), [jobs, chosen]);
  const readCount = list.data?.pages.reduce((count, page) => count + page.jobs.length, 0) ?? 0;
  const hasMore = list.hasNextPage && (words.length === 0 || readCount < MAX_SEARCHED);
  // A page that was read may hold nothing but what is not shown.
  const isShort = jobs.length < ENOUGH && readCount < MAX_SEARCHED;
  const readsOn = hasMore && isShort && !list.isFetching && list.error === null;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  const change = (
    changes: { readonly [Name in keyof JobFilter]: JobFilter[Name] | undefined },
    replace = false,
  ): void => {
    // What is not shown must not be acted on.
    setSelected(new Set());
    const { status, q, previews } = { ...search, ...changes };
    void navigate({ search: { ...(status && { status }), ...(q && { q }), ...(previews && { previews }) }, replace });
  };

  return (
    <>
      <div className={styles.bar}>
        <PageHeading>Jobs</PageHeading>
        <div role="group" aria-label="Show" className={styles.filters}>
          {[undefined, ...STATUSES].map((status) => (
            <Button
              key={status ?? 'all'}
              variant="quiet"
              aria-pressed={search.status === status}
              onClick={() => change({ status })}
            >
              {status === undefined ? 'All' : STATUS_NAMES[status]}
            </Button>
          ))}
        </div>
        <input
          type="search"
          className={styles.search}
          aria-label="Search jobs"
          placeholder="Search, or name=value"
          title="Words of paths, ids, recipes, errors and metadata. name=value for exact metadata, such as order=A-1042"
          value={search.q ?? ''}
          onChange={({ currentTarget }) => change({ q: currentTarget.value }, true)}
        />
        <label className={styles.previews} title="Jobs that the preview of the workbench has started">
          <input
            type="checkbox"
            checked={search.previews === true}
            onChange={({ currentTarget }) => change({ previews: currentTarget.checked ? true : undefined })}
          />
          Previews
        </label>
        <BulkActions
          jobs={chosenJobs}
          isPartOfList={hasMore && chosen.size === jobs.length}
          onDone={(done) => setSelected((before) => new Set([...before].filter((jobId) => !done.includes(jobId))))}
        />
      </div>
      {list.error !== null && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending || (jobs.length === 0 && (readsOn || list.isFetchingNextPage)) ? (
        <Loading />
      ) : jobs.length === 0 ? (
        list.error === null && <NoJobs filter={filter} />
      ) : (
        <JobsTable
          jobs={jobs}
          selected={chosen}
          onSelect={setSelected}
          hasMore={hasMore}
          isLoadingMore={list.isFetchingNextPage}
          onEnd={() => void list.fetchNextPage()}
        />
      )}
      {words.length > 0 && list.hasNextPage && !hasMore && (
        <p className={styles.note}>Searched the newest {readCount.toLocaleString()} jobs.</p>
      )}
    </>
  );
}

function NoJobs({ filter: { q, status } }: { readonly filter: JobFilter }) {
  if (q !== undefined || status !== undefined)
    return (
      <Empty>
        <p>
          {q !== undefined
            ? `No jobs here match “${q}”.`
            : status && `No jobs are ${STATUS_NAMES[status].toLowerCase()}.`}
        </p>
        <p>
          <Link to="/jobs" search={{}}>
            Show all jobs
          </Link>
        </p>
      </Empty>
    );
  return (
    <Empty>
      <p>No jobs yet.</p>
      <p>
        Start one in the <Link to="/">workbench</Link>. Jobs of programs appear here too:{' '}
        <code>POST /api/conversion</code>, or <code>telecine convert in.mov --output out.mp4</code>.
      </p>
    </Empty>
  );
}
