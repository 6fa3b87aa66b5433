import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ClientError, type Job } from '@telecine/client';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Film from 'lucide-react/icons/film';
import Plus from 'lucide-react/icons/plus';
import SearchX from 'lucide-react/icons/search-x';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { SEARCH_LIMITS } from '../../packages/contract/src/domain/job-search.ts';
import { COMMANDS } from '../app/commands.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Floating } from '../ui/floating.tsx';
import { LoadFailed } from '../ui/load-failed.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { BulkActions } from './bulk-actions.tsx';
import { type JobFilter, STATUSES } from './job-filter.ts';
import { STATUS_NAMES } from './job-names.ts';
import { JobsActionNotice } from './jobs-action-notice.tsx';
import { jobsCountText } from './jobs-count-text.ts';
import styles from './jobs-page.module.css';
import { JobsTable } from './jobs-table.tsx';
import { useConnection, useLiveJobs, useReadAfterRetries } from './live-jobs-connection.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { RecipesLike } from './recipes-like.tsx';
import { replacementsAmong } from './replacements.ts';
import { SelectionNote } from './selection-note.tsx';
import { statusCount, tallyOf } from './status-counts.ts';
import { useJobList, useJobsOfAllStates } from './use-job-list.ts';
import { useJobsAction } from './use-jobs-action.ts';
import { useSelectRest } from './use-select-rest.ts';

export function JobsPage() {
  const search = useSearch({ from: '/jobs' });
  // Do not send a search at each key.
  const q = useDebounced(search.q, SEARCH_MS);
  // Keep the search field responsive while thousands of jobs are filtered.
  const filter = useDeferredValue(useMemo(() => withSearch(search, q), [search, q]));
  const navigate = useNavigate({ from: '/jobs' });
  const { data: session } = useSession();
  const connection = useConnection();
  const found = useJobList(filter);
  const { list, jobs, hasMore } = found;
  const all = useJobsOfAllStates(filter, found);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isSelecting, setSelecting] = useState(false);
  const select = useCallback((those: readonly Job[]) => setSelected(new Set(those.map(({ jobId }) => jobId))), []);
  const rest = useSelectRest(found, select);
  const { action, start, dismiss } = useJobsAction();
  const notice = useRef<HTMLDivElement>(null);
  // Do not act on selected jobs that were deleted or no longer match the filter.
  const chosen = useMemo(() => jobs.filter(({ jobId }) => selected.has(jobId)), [jobs, selected]);
  const chosenIds = useMemo(() => new Set(chosen.map(({ jobId }) => jobId)), [chosen]);

  const change = (
    changes: { readonly [Name in keyof JobFilter]: JobFilter[Name] | undefined },
    replace = false,
  ): void => {
    // Deselect all jobs, because the new list may hide some of them.
    setSelected(new Set());
    rest.setSelecting(false);
    const { status, q, previews, client, watch, batch, retries } = { ...search, ...changes };
    void navigate({
      search: {
        ...(status && { status }),
        ...(q && { q }),
        ...(previews && { previews }),
        ...(client && { client }),
        ...(watch && { watch }),
        ...(batch && { batch }),
        ...(retries && { retries }),
      },
      replace,
    });
  };

  // Once for each change of the jobs: there may be thousands. The lists change when the jobs of the stream do.
  const live = useLiveJobs();
  const replacementOf = useMemo(
    () => replacementsAmong([...jobs, ...all.jobs, ...live.jobs()], (jobId) => live.isDeleted(jobId)),
    [jobs, all.jobs, live],
  );
  const retryIds = useMemo(
    () => [...new Set([...jobs, ...all.jobs].flatMap(({ retriedAs }) => retriedAs ?? []))].join(' '),
    [jobs, all.jobs],
  );
  useReadAfterRetries(retryIds, ['jobs']);
  const shownTally = useMemo(() => tallyOf(jobs, replacementOf), [jobs, replacementOf]);
  const allTally = useMemo(() => tallyOf(all.jobs, replacementOf), [all.jobs, replacementOf]);

  /** Of the shown status, the list knows more than the newest jobs of all states do. */
  const countOf = (status: Job['status']) =>
    status === filter.status && !list.isPlaceholderData
      ? statusCount(shownTally.get(status), found)
      : statusCount(allTally.get(status), all);

  // No other filter helps if the service does not answer. A search that it rejects can be corrected.
  const isDown = jobs.length === 0 && list.error !== null && !isRejected(list.error);

  return (
    <>
      <div className={styles.bar}>
        <PageHeading>Jobs</PageHeading>
        {!found.isReading && jobs.length > 0 && (
          <span className={styles.count}>
            {list.isPlaceholderData
              ? 'Searching…'
              : jobsCountText({
                  shown: jobs.length,
                  // In other lists, each row says it.
                  runAgain: filter.status === 'FAILED' ? (shownTally.get('FAILED')?.runAgain ?? 0) : 0,
                  hasMore,
                  isSearch: found.isSearch,
                })}
          </span>
        )}
        {/* An empty list has the link itself. */}
        {(found.isReading || jobs.length > 0 || list.error !== null || isFiltered(filter)) && (
          <Link to="/" className={`${buttonClass(isDown ? 'plain' : 'primary')} ${styles.new}`}>
            <Plus /> New conversion
          </Link>
        )}
        <Segments
          label="Show"
          options={[undefined, ...STATUSES].map((status) => ({
            value: status,
            name: status === undefined ? 'All' : STATUS_NAMES[status],
            ...(status && { count: countOf(status) }),
          }))}
          value={search.status}
          onChoose={(status) => change({ status })}
          isDisabled={isDown}
        />
        <input
          type="search"
          aria-keyshortcuts="/"
          className={styles.search}
          aria-label="Search jobs"
          placeholder="Name, client or error"
          title="Words of paths, names, clients, ids, recipes, errors and metadata. name=value for exact metadata, such as order=A-1042"
          maxLength={SEARCH_LIMITS.length}
          disabled={isDown}
          value={search.q ?? ''}
          onChange={({ currentTarget }) => change({ q: currentTarget.value }, true)}
        />
        {jobs.length > 0 && (
          <Button
            className={styles.select}
            onClick={() => {
              setSelecting(!isSelecting);
              setSelected(new Set());
            }}
          >
            {isSelecting ? 'Done' : 'Select'}
          </Button>
        )}
        {!isDown && (
          <div className={styles.more}>
            <Menu label="More for the list">
              <Button onClick={() => change({ previews: search.previews ? undefined : true })}>
                {search.previews ? <EyeOff /> : <Eye />}
                {search.previews ? 'Hide preview jobs' : 'Show preview jobs'}
              </Button>
            </Menu>
          </div>
        )}
      </div>
      <PauseNotice />
      <JobsActionNotice ref={notice} action={action} dismiss={dismiss} />
      {isDown ? (
        <LoadFailed
          what="The jobs"
          error={list.error}
          onRetry={() => void list.refetch()}
          isNext
          actions={
            mayDo(session, 'admin') && (
              <Link to="/operate/health" className={buttonClass('plain')}>
                Show the health of the service
              </Link>
            )
          }
        >
          {connection === 'lost' && <p>The list is loaded by itself when the service replies again.</p>}
        </LoadFailed>
      ) : (
        list.error !== null && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />
      )}
      {filter.previews && (
        <p className={styles.note}>Jobs that the preview of the workbench has started are listed too.</p>
      )}
      {(filter.client ?? filter.watch ?? filter.batch ?? filter.retries) !== undefined && (
        <p className={styles.note}>
          {[
            'Only jobs',
            filter.client && `of the client ${filter.client}`,
            filter.watch && 'of one watch',
            filter.batch && 'that were submitted together',
            filter.retries && 'that were run again together',
          ]
            .filter(Boolean)
            .join(' ')}
          .{' '}
          <Link to="/jobs" search={{}}>
            Show all jobs
          </Link>
          {filter.batch !== undefined && jobs.some(({ status }) => status === 'COMPLETED') && (
            <>
              {' · '}
              <a href={`/api/conversions/${filter.batch}/outputs.zip`} download>
                Download the outputs as one zip
              </a>
            </>
          )}
        </p>
      )}
      {found.isReading ? (
        <Loading />
      ) : jobs.length === 0 ? (
        list.error === null && (
          <NoJobs filter={filter} onSearchOlder={hasMore ? () => void list.fetchNextPage() : undefined} />
        )
      ) : (
        <>
          <JobsTable
            jobs={jobs}
            replacementOf={replacementOf}
            selected={chosenIds}
            onSelect={setSelected}
            isSelecting={isSelecting || chosen.length > 0}
            hasMore={hasMore}
            isLoadingMore={list.isFetchingNextPage}
            onEnd={() => void list.fetchNextPage()}
          />
          {chosen.length > 0 && <div className={styles.room} />}
          <Floating>
            {(rest.isSelecting || (chosen.length === jobs.length && hasMore)) && (
              <SelectionNote count={jobs.length} rest={rest} />
            )}
            <BulkActions
              jobs={chosen}
              isBusy={action?.state === 'running' || rest.isSelecting}
              start={start}
              focusAfter={notice}
              onClear={() => {
                setSelected(new Set());
                setSelecting(false);
              }}
              onDone={(done) => {
                const left = new Set(done);
                setSelected((before) => new Set([...before].filter((jobId) => !left.has(jobId))));
                setSelecting(false);
              }}
            />
          </Floating>
        </>
      )}
    </>
  );
}

/** How long the page waits for the next key before it searches, in ms. */
const SEARCH_MS = 200;

/** Whether the service has answered that the request is wrong. */
const isRejected = (error: Error): boolean =>
  error instanceof ClientError && error.status !== undefined && error.status < 500;

const isFiltered = (filter: JobFilter): boolean => Object.values(filter).some((value) => value !== undefined);

const withSearch = ({ q: _, ...others }: JobFilter, q: string | undefined): JobFilter =>
  q === undefined ? others : { ...others, q };

/** What a list of jobs in one state would have. */
const WHAT_IS_HERE: Readonly<Record<Job['status'], string>> = {
  PENDING: 'Jobs that wait for a free slot are listed here.',
  PROCESSING: 'Jobs that are being converted are listed here, with their progress.',
  COMPLETED: 'Jobs whose outputs are published are listed here.',
  FAILED: 'Jobs that failed are listed here, with the reason.',
  CANCELLED: 'Jobs that were cancelled are listed here. They can be run again.',
};

function NoJobs({
  filter: { q, status, client, watch, retries },
  onSearchOlder,
}: {
  readonly filter: JobFilter;
  /** undefined: all jobs were searched. */
  readonly onSearchOlder: (() => void) | undefined;
}) {
  const showAll = (
    <Link to="/jobs" search={{}} className={buttonClass('plain')}>
      Show all jobs
    </Link>
  );
  if (q !== undefined || status !== undefined)
    return (
      <Empty
        icon={SearchX}
        title={
          q !== undefined
            ? `No jobs match “${q}”${onSearchOlder === undefined ? '' : ' so far'}.`
            : status && `No ${STATUS_NAMES[status].toLowerCase()} jobs.`
        }
        actions={
          <>
            {onSearchOlder !== undefined && <Button onClick={onSearchOlder}>Search older jobs</Button>}
            {showAll}
          </>
        }
      >
        {q === undefined && status !== undefined && <p>{WHAT_IS_HERE[status]}</p>}
        {q !== undefined && (
          <p>
            {status === undefined
              ? 'A search looks at paths, names, clients, ids, recipes, errors and metadata, such as order=A-1042.'
              : `Only ${STATUS_NAMES[status].toLowerCase()} jobs are searched.`}
          </p>
        )}
        {q !== undefined && <RecipesLike q={q} />}
      </Empty>
    );
  if ((client ?? watch ?? retries) !== undefined)
    return (
      <Empty icon={SearchX} title="No such jobs." actions={showAll}>
        None of the jobs that you may see is of this kind.
      </Empty>
    );
  return (
    <Empty
      icon={Film}
      title="No jobs yet."
      actions={
        <Link to="/" className={buttonClass('primary')}>
          Convert a file
        </Link>
      }
    >
      <p>Choose a video and say what it should become. Its job is shown here while it runs, and afterwards.</p>
      <p>
        Jobs of programs appear here too: <code>POST /api/conversion</code>, or <code>{COMMANDS.convert}</code>.
      </p>
    </Empty>
  );
}
