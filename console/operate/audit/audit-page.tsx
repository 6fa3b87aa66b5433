import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import ScrollText from 'lucide-react/icons/scroll-text';
import { client } from '../../app/client.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ZONE } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import styles from '../operate-page.module.css';
import { isId, ShortId } from '../short-id.tsx';
import { auditCsv } from './audit-csv.ts';
import { type AuditFilter, auditQueryOf, OUTCOME_NAMES, readAuditFilter } from './audit-filter.ts';
import auditStyles from './audit-page.module.css';
import { type AuditRecord, actionText, actorOf, detailsText, namesOfTargets, watchOf } from './audit-texts.ts';
import { FilterForm, filterText } from './filter-form.tsx';

const PAGE = 100;

/** The first page is read again after this time, so that new records appear. Further pages would all be read again. */
const POLL_MS = 15_000;

/** The heading names the time zone once for all records. */
const WHEN = `When (${ZONE})`;

const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      client.audit({ ...auditQueryOf(filter), limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }), signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? POLL_MS : false),
  });

export function AuditPage() {
  const filter = readAuditFilter(useSearch({ from: '/operate/audit' }));
  const list = useInfiniteQuery(auditQuery(filter));
  const all = list.data?.pages.flatMap(({ records }) => records) ?? [];
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Audit log</PageHeading>
        <div className={styles.actions}>
          {all.length > 0 && (
            <Button onClick={() => save(auditCsv(all))}>
              <Download /> Export as CSV
            </Button>
          )}
          <Button
            variant="quiet"
            aria-label="Refresh"
            title="Refresh"
            disabled={list.isFetching}
            onClick={() => void list.refetch()}
          >
            <RefreshCw />
          </Button>
        </div>
      </header>
      <FilterForm key={JSON.stringify(filter)} filter={filter} isEmpty={list.isSuccess && all.length === 0} />
      <QueryState query={list} columns={['Action', 'Outcome', 'Target', 'By', 'Details', WHEN]}>
        {() => <Records records={all} filter={filter} hasOlder={list.hasNextPage} />}
      </QueryState>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show older ones'}
        </Button>
      )}
    </>
  );
}

/** Saves the records that are shown as a file. */
function save(csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'audit.csv' });
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function Records({
  records,
  filter,
  hasOlder,
}: {
  readonly records: readonly AuditRecord[];
  readonly filter: AuditFilter;
  readonly hasOlder: boolean;
}) {
  const names = namesOfTargets(records);
  return (
    <div className={auditStyles.records}>
      <DataTable<AuditRecord>
        label="Audit log"
        rows={records}
        keyOf={({ auditId }) => auditId}
        icon={ScrollText}
        empty={<NoRecords filter={filter} hasOlder={hasOlder} />}
        columns={[
          { name: 'Action', cell: (record) => <span title={record.action}>{actionText(record)}</span> },
          { name: 'Outcome', isPlain: true, cell: (record) => <Outcome record={record} /> },
          { name: 'Target', isPlain: true, cell: (record) => <Target record={record} names={names} /> },
          { name: 'By', cell: actorOf },
          { name: 'Details', isPlain: true, isWide: true, cell: (record) => <Details record={record} /> },
          { name: WHEN, isPlain: true, cell: ({ at }) => <Moment at={at} isExact /> },
        ]}
      />
    </div>
  );
}

const TONES = { refused: 'warn', failed: 'bad' } as const;

function Outcome({ record: { outcome, code } }: { readonly record: AuditRecord }) {
  if (outcome === 'done')
    return (
      <Status tone="good" isQuiet>
        {OUTCOME_NAMES.done}
      </Status>
    );
  return (
    <>
      <Status tone={TONES[outcome]}>{OUTCOME_NAMES[outcome]}</Status>{' '}
      {code !== undefined && <code className={styles.code}>{code}</code>}
    </>
  );
}

function Target({
  record: { action, target, client: of },
  names,
}: {
  readonly record: AuditRecord;
  readonly names: ReadonlyMap<string, string>;
}) {
  // Tokens and sessions are those of their client.
  if (target === undefined) return /^(?:token|session)\./.test(action) ? of : null;
  const name = names.get(target) ?? (isId(target) ? undefined : target);
  const shown = name === undefined ? <ShortId id={target} /> : <PathText path={name} />;
  if (action.startsWith('job.') || (/^(?:link|share)\.create$/.test(action) && isId(target)))
    return (
      <Link to="/jobs/$jobId" params={{ jobId: target }} title={target}>
        {shown}
      </Link>
    );
  if (action.startsWith('watch.') && action !== 'watch.delete')
    return (
      <Link to="/watches/$watchId" params={{ watchId: target }} title={target}>
        {shown}
      </Link>
    );
  return <span title={target}>{shown}</span>;
}

function Details({ record }: { readonly record: AuditRecord }) {
  const watchId = watchOf(record);
  const text = detailsText(record);
  if (watchId === undefined) return text === '' ? null : <span title={text}>{text}</span>;
  return (
    <Link to="/watches/$watchId" params={{ watchId }}>
      Via a watch
    </Link>
  );
}

/** Replaces the list if no record matches. It says which filter is set, and removes it. */
function NoRecords({ filter, hasOlder }: { readonly filter: AuditFilter; readonly hasOlder: boolean }) {
  const text = filterText(filter);
  return (
    <>
      <p>
        <strong>{hasOlder ? 'None of the latest records match. There are older ones.' : 'No records match.'}</strong>
      </p>
      <p>{text === '' ? 'What people and programs do is listed here.' : `${text}.`}</p>
      {text !== '' && (
        <Link to="/operate/audit" search={{}} className={buttonClass('plain')}>
          Show all records
        </Link>
      )}
    </>
  );
}
