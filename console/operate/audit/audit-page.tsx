import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditList } from '@telecine/client';
import Filter from 'lucide-react/icons/list-filter';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useId, useState } from 'react';
import { client } from '../../app/client.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import { useMedia } from '../../ui/use-media.ts';
import styles from '../operate-page.module.css';
import { isId, ShortId } from '../short-id.tsx';
import {
  ACTIONS,
  type AuditFilter,
  auditQueryOf,
  LATEST,
  LATEST_KEYS,
  OUTCOMES,
  readAuditFilter,
} from './audit-filter.ts';

type Record = AuditList['records'][number];

const PAGE = 100;

const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      client.audit({ ...auditQueryOf(filter), limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }), signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export function AuditPage() {
  const filter = useSearch({ from: '/operate/audit' });
  const list = useInfiniteQuery(auditQuery(filter));
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Audit log</PageHeading>
        <Button disabled={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw /> Refresh
        </Button>
      </header>
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <QueryState query={list}>
        {({ pages }) => (
          <DataTable<Record>
            label="Audit log"
            rows={pages.flatMap(({ records }) => records)}
            keyOf={({ auditId }) => auditId}
            empty={<NoRecords filter={filter} hasOlder={list.hasNextPage} />}
            columns={[
              { name: 'Action', cell: ({ action }) => action },
              { name: 'Outcome', isBesideName: true, cell: (record) => <Outcome record={record} /> },
              { name: 'When', isPlain: true, cell: ({ at }) => <Moment at={at} isExact /> },
              { name: 'Client', isPlain: true, cell: (record) => record.client },
              { name: 'Target', isPlain: true, cell: (record) => <Target record={record} /> },
              { name: 'Via', isPlain: true, cell: (record) => <Via record={record} /> },
              { name: 'Details', isPlain: true, cell: ({ details }) => details && detailsText(details) },
            ]}
          />
        )}
      </QueryState>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show older ones'}
        </Button>
      )}
    </>
  );
}

const VIA: { readonly [Via in NonNullable<Record['via']>]: string } = {
  rest: 'API',
  mcp: 'MCP',
  'command line': 'the command line',
  service: 'the service',
};

function Via({ record: { address, via } }: { readonly record: Record }) {
  const text = [via && VIA[via], address].filter(Boolean).join(', ');
  return text === '' ? null : <span className={styles.id}>{text}</span>;
}

/** The name of a detail in words: `expires at` of `expiresAt`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const detailsText = (details: NonNullable<Record['details']>): string =>
  Object.entries(details)
    .map(([name, value]) => `${wordsOf(name)}: ${valueText(value)}`)
    .join(', ');

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, each]) => `${wordsOf(name)} ${valueText(each)}`)
      .join(', ');
  if (typeof value !== 'string') return String(value);
  return MOMENT.test(value) ? formatMoment(value) : value;
}

const TONES = { done: 'good', refused: 'warn', failed: 'bad' } as const;

function Outcome({ record: { outcome, code } }: { readonly record: Record }) {
  return (
    <>
      <Status tone={TONES[outcome]} isQuiet={outcome === 'done'}>
        {outcome}
      </Status>{' '}
      {code !== undefined && <code>{code}</code>}
    </>
  );
}

function Target({ record: { action, target } }: { readonly record: Record }) {
  if (target === undefined) return null;
  const isOfJob = action.startsWith('job.') || (/^(?:link|share)\.create$/.test(action) && isId(target));
  if (!isOfJob) return <ShortId id={target} />;
  return (
    <Link to="/jobs/$jobId" params={{ jobId: target }}>
      <ShortId id={target} />
    </Link>
  );
}

/** The names of the fields of the filter. */
const FIELDS: { readonly [Name in keyof AuditFilter]-?: string } = {
  action: 'action',
  outcome: 'outcome',
  client: 'client',
  target: 'target',
  latest: 'time',
  from: 'from',
  to: 'to',
};

/** A filter in words: `action client.rotate, from 2026-01-31`. */
const filterText = (filter: AuditFilter): string =>
  (Object.keys(FIELDS) as (keyof AuditFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map(
      (name) =>
        `${FIELDS[name]} ${filter.latest !== undefined && name === 'latest' ? LATEST[filter.latest].name.toLowerCase() : filter[name]}`,
    )
    .join(', ');

/** Replaces the list if no record matches. It says which filter is set, and removes it. */
function NoRecords({ filter, hasOlder }: { readonly filter: AuditFilter; readonly hasOlder: boolean }) {
  const text = filterText(filter);
  return (
    <>
      <p>
        <strong>{hasOlder ? 'None of the latest records match. There are older ones.' : 'No records match.'}</strong>
      </p>
      {text !== '' && <p>The filter is set: {text}.</p>}
      {text !== '' && (
        <Link to="/operate/audit" search={{}} className={buttonClass('plain')}>
          Show all records
        </Link>
      )}
    </>
  );
}

/** In a narrow window, the fields are behind a button, so that the records come first. */
const NARROW = '(width < 48rem)';

function FilterForm({ filter }: { readonly filter: AuditFilter }) {
  const id = useId();
  const isNarrow = useMedia(NARROW);
  const [isOpen, setOpen] = useState(false);
  const text = filterText(filter);
  if (!isNarrow) return <FilterFields filter={filter} />;
  return (
    <div className={styles.folded}>
      <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
        <Filter /> {text === '' ? 'Filter' : `Filter: ${text}`}
      </Button>
      {isOpen && <FilterFields id={id} filter={filter} />}
    </div>
  );
}

function FilterFields({ id, filter }: { readonly id?: string; readonly filter: AuditFilter }) {
  const navigate = useNavigate({ from: '/operate/audit' });
  const [latest, setLatest] = useState<string>(filter.latest ?? '');
  return (
    <form
      id={id}
      className={styles.bar}
      aria-label="Show records"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = Object.fromEntries(new FormData(event.currentTarget));
        void navigate({ search: readAuditFilter(fields) });
      }}
    >
      <label>
        Action
        <select name="action" defaultValue={filter.action ?? ''}>
          <option value="">All</option>
          {ACTIONS.map((action) => (
            <option key={action}>{action}</option>
          ))}
        </select>
      </label>
      <label>
        Outcome
        <select name="outcome" defaultValue={filter.outcome ?? ''}>
          <option value="">All</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
        </select>
      </label>
      <label>
        Client
        <input name="client" defaultValue={filter.client} autoComplete="off" />
      </label>
      <label>
        Target
        <input name="target" defaultValue={filter.target} autoComplete="off" />
      </label>
      <label>
        Time
        <select name="latest" value={latest} onChange={({ currentTarget }) => setLatest(currentTarget.value)}>
          <option value="">By day</option>
          {LATEST_KEYS.map((key) => (
            <option key={key} value={key}>
              {LATEST[key].name}
            </option>
          ))}
        </select>
      </label>
      {latest === '' && (
        <>
          <label>
            From
            <input type="date" name="from" defaultValue={filter.from} />
          </label>
          <label>
            To
            <input type="date" name="to" defaultValue={filter.to} />
          </label>
        </>
      )}
      <Button type="submit" className={styles.show}>
        Show
      </Button>
      {Object.keys(filter).length > 0 && (
        <Button variant="quiet" onClick={() => void navigate({ search: {} })}>
          Show all
        </Button>
      )}
    </form>
  );
}
