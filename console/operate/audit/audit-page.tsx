import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditList } from '@telecine/client';
import Filter from 'lucide-react/icons/list-filter';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import ScrollText from 'lucide-react/icons/scroll-text';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { client } from '../../app/client.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatFullMoment, ZONE } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import styles from '../operate-page.module.css';
import { isId, ShortId } from '../short-id.tsx';
import {
  ACTION_NAMES,
  ACTIONS,
  type AuditFilter,
  auditQueryOf,
  DAY_PATTERN,
  dayOf,
  LATEST,
  OUTCOMES,
  readAuditFilter,
  type TimeChoice,
  timeChoiceOf,
  withDays,
} from './audit-filter.ts';

type Record = AuditList['records'][number];

const PAGE = 100;

/** The heading names the time zone once for all records. */
const WHEN = `When (${ZONE})`;

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
            icon={ScrollText}
            empty={<NoRecords filter={filter} hasOlder={list.hasNextPage} />}
            columns={[
              { name: 'Action', cell: ({ action }) => <Action action={action} /> },
              { name: 'Outcome', isBesideName: true, cell: (record) => <Outcome record={record} /> },
              { name: 'Target', isPlain: true, cell: (record) => <Target record={record} /> },
              { name: 'Client', isPlain: true, cell: (record) => record.client },
              { name: 'Details', isPlain: true, isWide: true, cell: detailsText },
              { name: WHEN, isPlain: true, cell: ({ at }) => <Moment at={at} isExact /> },
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
  rest: 'the API',
  mcp: 'MCP',
  'command line': 'the command line',
  service: 'the service',
};

/** An action in words. Newer services can have actions that are not known here. */
function Action({ action }: Pick<Record, 'action'>) {
  const words: string | undefined = ACTION_NAMES[action];
  return words === undefined ? action : <span title={action}>{words}</span>;
}

/** The name of a detail in words: `expires at` of `expiresAt`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What else is known of a record, and by which way it came: `expires at: in 3 h, by the command line`. */
const detailsText = ({ details = {}, via, address }: Record): string => {
  const text = [
    ...Object.entries(details).map(([name, value]) => `${wordsOf(name)}: ${valueText(value)}`),
    [via && `by ${VIA[via]}`, address && `from ${address}`].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, each]) => `${wordsOf(name)} ${valueText(each)}`)
      .join(', ');
  if (typeof value !== 'string') return String(value);
  return MOMENT.test(value) ? formatFullMoment(value) : value;
}

const TONES = { refused: 'warn', failed: 'bad' } as const;
const OUTCOME_NAMES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const;

function Outcome({ record: { outcome, code } }: { readonly record: Record }) {
  // Most records are of what was done, so only the others are marked.
  if (outcome === 'done') return <span className={styles.soft}>Done</span>;
  return (
    <>
      <Status tone={TONES[outcome]}>{OUTCOME_NAMES[outcome]}</Status>{' '}
      {code !== undefined && <code className={styles.code}>{code}</code>}
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

const filterValue = (filter: AuditFilter, name: keyof AuditFilter): string | undefined => {
  if (name === 'latest') return filter.latest && LATEST[filter.latest].name.toLowerCase();
  if (name === 'action') return filter.action && `“${ACTION_NAMES[filter.action]}”`;
  return filter[name];
};

/** A filter in words: `action “Client revoked”, from 2026-01-31`. */
const filterText = (filter: AuditFilter): string =>
  (Object.keys(FIELDS) as (keyof AuditFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map((name) => `${FIELDS[name]} ${filterValue(filter, name)}`)
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

/** The fields are behind a button, so that the records come first. A filter that is set is named, and can be removed. */
function FilterForm({ filter }: { readonly filter: AuditFilter }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const text = filterText(filter);
  return (
    <div className={styles.folded}>
      <div className={styles.actions}>
        <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
          <Filter /> Filter
        </Button>
        {text !== '' && (
          <Link to="/operate/audit" search={{}} className={buttonClass('plain')}>
            <span className="visually-hidden">Remove the filter:</span> {text} <X />
          </Link>
        )}
      </div>
      {isOpen && <FilterFields id={id} filter={filter} />}
    </div>
  );
}

function FilterFields({ id, filter }: { readonly id: string; readonly filter: AuditFilter }) {
  const navigate = useNavigate({ from: '/operate/audit' });
  const [time, setTime] = useState<TimeChoice>(() => timeChoiceOf(filter));
  return (
    <form
      id={id}
      className={styles.bar}
      aria-label="Show records"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = Object.fromEntries(new FormData(event.currentTarget));
        void navigate({ search: readAuditFilter(withDays(fields)) });
      }}
    >
      <label>
        Action
        <select name="action" defaultValue={filter.action ?? ''}>
          <option value="">All</option>
          {ACTIONS.map((action) => (
            <option key={action} value={action}>
              {ACTION_NAMES[action]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Outcome
        <select name="outcome" defaultValue={filter.outcome ?? ''}>
          <option value="">All</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {OUTCOME_NAMES[outcome]}
            </option>
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
        <select name="latest" value={time} onChange={({ currentTarget }) => setTime(currentTarget.value as TimeChoice)}>
          <option value="">All</option>
          <option value="hour">{LATEST.hour.name}</option>
          <option value="today">Today</option>
          <option value="day">{LATEST.day.name}</option>
          <option value="week">{LATEST.week.name}</option>
          <option value="days">From … to</option>
        </select>
      </label>
      {time === 'days' && (
        <>
          <DayField label="From" name="from" value={filter.from} />
          <DayField label="To" name="to" value={filter.to} />
        </>
      )}
      <Button type="submit" className={styles.show}>
        Show
      </Button>
    </form>
  );
}

/** A day as it is written in the log. The field of a browser would have the order of its own language. */
function DayField({
  label,
  name,
  value,
}: {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
}) {
  return (
    <label>
      {label}
      <input
        name={name}
        defaultValue={value ?? dayOf(new Date())}
        pattern={DAY_PATTERN}
        title="A day such as 2026-01-31"
        inputMode="numeric"
        autoComplete="off"
      />
    </label>
  );
}
