import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { type JobFilter, STATUSES } from './job-filter.ts';
import { STATUS_NAMES } from './job-names.ts';
import styles from './jobs-page.module.css';
import { JobsTable } from './jobs-table.tsx';
import { joinJobs } from './join-jobs.ts';
import { useJobsRevision, useLiveJobs } from './live-jobs-provider.tsx';

/** The largest page that the service allows. */
const PAGE = 200;

const jobsQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', filter],
    queryFn: ({ pageParam, signal }) =>
      client.list({ ...filter, limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }), signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // The stream of events keeps what is shown up to date.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** All jobs of the client, live, newest first. */
export function JobsPage() {
  const filter = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const list = useInfiniteQuery(jobsQuery(filter));
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

  return (
    <>
      <div className={styles.bar}>
        <h1>Jobs</h1>
        <div role="group" aria-label="Show" className={styles.filters}>
          {[undefined, ...STATUSES].map((status) => (
            <Button
              key={status ?? 'all'}
              variant="quiet"
              aria-pressed={filter.status === status}
              onClick={() => {
                // What is not shown must not be acted on.
                setSelected(new Set());
                void navigate({ search: status === undefined ? {} : { status } });
              }}
            >
              {status === undefined ? 'All' : STATUS_NAMES[status]}
            </Button>
          ))}
        </div>
        <BulkActions
          jobIds={chosen}
          onDone={(done) => setSelected((before) => new Set([...before].filter((jobId) => !done.includes(jobId))))}
        />
      </div>
      {list.error !== null && <ProblemNotice error={list.error} />}
      {list.isPending ? (
        <p className={styles.state}>Loading…</p>
      ) : jobs.length === 0 ? (
        <Empty filter={filter} />
      ) : (
        <JobsTable
          jobs={jobs}
          selected={chosen}
          onSelect={setSelected}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEnd={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function Empty({ filter }: { readonly filter: JobFilter }) {
  return (
    <div className={styles.state}>
      <p>
        {filter.status === undefined ? 'No jobs yet.' : `No jobs are ${STATUS_NAMES[filter.status].toLowerCase()}.`}
      </p>
      {filter.status === undefined && (
        <p>
          Start one in the <Link to="/">workbench</Link>. Jobs of programs appear here too:{' '}
          <code>POST /api/conversion</code>, or <code>telecine convert in.mov --output out.mp4</code>.
        </p>
      )}
    </div>
  );
}
