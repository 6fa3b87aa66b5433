import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditList } from '@telecine/client';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { client } from '../../app/client.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
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
            empty={list.hasNextPage ? 'None of the latest records match. There are older ones.' : 'No records match.'}
            columns={[
              { name: 'When', cell: ({ at }) => <Moment at={at} /> },
              { name: 'Action', isBesideName: true, cell: ({ action }) => action },
              { name: 'Outcome', cell: (record) => <Outcome record={record} /> },
              { name: 'Client', cell: (record) => record.client },
              { name: 'Target', cell: (record) => <Target record={record} /> },
              { name: 'Via', cell: ({ address, via }) => [via, address].filter(Boolean).join(' ') },
              { name: 'Details', cell: ({ details }) => details && detailsText(details) },
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

const detailsText = (details: NonNullable<Record['details']>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return MOMENT.test(value) ? formatMoment(value) : value;
}

const TONES = { done: 'good', refused: 'warn', failed: 'bad' } as const;

function Outcome({ record: { outcome, code } }: { readonly record: Record }) {
  return (
    <>
      <Status tone={TONES[outcome]}>{outcome}</Status> {code !== undefined && <code>{code}</code>}
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

function FilterForm({ filter }: { readonly filter: AuditFilter }) {
  const navigate = useNavigate({ from: '/operate/audit' });
  const [latest, setLatest] = useState<string>(filter.latest ?? '');
  return (
    <form
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
      <Button type="submit">Show</Button>
      {Object.keys(filter).length > 0 && (
        <Button variant="quiet" onClick={() => void navigate({ search: {} })}>
          Show all
        </Button>
      )}
    </form>
  );
}
