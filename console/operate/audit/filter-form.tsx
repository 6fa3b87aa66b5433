import { Link, useNavigate } from '@tanstack/react-router';
import Filter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ZONE } from '../../ui/format.ts';
import { useMedia } from '../../ui/use-media.ts';
import styles from '../operate-page.module.css';
import {
  ACTION_NAMES,
  ACTIONS,
  type AuditFilter,
  dayOf,
  isDay,
  LATEST,
  OUTCOME_NAMES,
  OUTCOMES,
  queryOfTime,
  readAuditFilter,
  TIMES,
  type TimeChoice,
  timeChoiceOf,
} from './audit-filter.ts';

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
  if (name === 'latest') return LATEST.find(({ value }) => value === filter.latest)?.name.toLowerCase();
  if (name === 'action') return filter.action && `is “${ACTION_NAMES[filter.action]}”`;
  if (name === 'outcome') return filter.outcome && `is “${OUTCOME_NAMES[filter.outcome]}”`;
  return name === 'from' || name === 'to' ? filter[name] : `is “${filter[name]}”`;
};

/** A filter in words: `Action is “Client revoked”, from 2026-01-31`. '': none is set. */
export function filterText(filter: AuditFilter): string {
  const text = (Object.keys(FIELDS) as (keyof AuditFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map((name) => `${FIELDS[name]} ${filterValue(filter, name)}`)
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where the fields fit beside each other. */
const WIDE = '(width >= 64rem)';

/**
 * The fields of the filter. In a narrow window, they are behind a button, so that the records come first, and a filter that is set is named
 * and can be removed. `isEmpty`: no record matches; the list says so, and removes the filter.
 */
export function FilterForm({ filter, isEmpty }: { readonly filter: AuditFilter; readonly isEmpty: boolean }) {
  const id = useId();
  const isWide = useMedia(WIDE);
  const [isOpen, setOpen] = useState(false);
  const text = isEmpty ? '' : filterText(filter);
  const count = Object.keys(filter).length;
  if (isWide) return <FilterFields id={id} filter={filter} canRemove={text !== ''} />;
  return (
    <div className={styles.folded}>
      <div className={styles.actions}>
        <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
          <Filter /> Filter{count > 0 && ` (${count})`}
        </Button>
        {text !== '' && (
          <Link to="/operate/audit" search={{}} className={buttonClass('plain')}>
            <span className="visually-hidden">Remove the filter:</span> {text} <X />
          </Link>
        )}
        {!isEmpty && <span className={`${styles.soft} ${styles.zone}`}>Times in {ZONE}</span>}
      </div>
      {isOpen && <FilterFields id={id} filter={filter} canRemove={false} />}
    </div>
  );
}

function FilterFields({
  id,
  filter,
  canRemove,
}: {
  readonly id: string;
  readonly filter: AuditFilter;
  /** Whether the filter is removed here. */
  readonly canRemove: boolean;
}) {
  const navigate = useNavigate({ from: '/operate/audit' });
  const [time, setTime] = useState<TimeChoice>(() => timeChoiceOf(filter));
  // Fill in both days or none: a day that is missing means all records up to the other one, or from it on.
  const usual = filter.from === undefined && filter.to === undefined ? dayOf(new Date()) : undefined;
  return (
    <form
      id={id}
      className={styles.bar}
      aria-label="Show records"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = Object.fromEntries(new FormData(event.currentTarget));
        void navigate({ search: readAuditFilter({ ...fields, ...queryOfTime(time) }) });
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
        <input name="client" placeholder="shop" defaultValue={filter.client} autoComplete="off" />
      </label>
      <label>
        Target
        <input
          name="target"
          placeholder="web/film.mp4"
          title="The path of a file, or the id of a job, client, worker or key"
          defaultValue={filter.target}
          autoComplete="off"
        />
      </label>
      <label>
        Time
        <select
          value={time}
          onChange={({ currentTarget }) =>
            setTime(TIMES.find(({ value }) => value === currentTarget.value)?.value ?? '')
          }
        >
          {TIMES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {time === 'days' && (
        <>
          <DayField label="From" name="from" value={filter.from ?? usual} />
          <DayField label="To" name="to" value={filter.to ?? usual} />
        </>
      )}
      <Button type="submit" className={styles.show}>
        Show
      </Button>
      {canRemove && (
        <Link to="/operate/audit" search={{}} className={buttonClass('quiet')}>
          <X /> Show all records
        </Link>
      )}
    </form>
  );
}

/**
 * A day as it is written in the log. The field of a browser would have the order of its own language, but it would not let a day through that
 * the calendar does not have.
 */
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
        defaultValue={value}
        onChange={({ currentTarget }) => {
          const day = currentTarget.value.trim();
          const isKnown = day === '' || isDay(day);
          currentTarget.setCustomValidity(isKnown ? '' : 'There is no such day. Enter one such as 2026-01-31.');
        }}
        title="A day such as 2026-01-31"
        inputMode="numeric"
        autoComplete="off"
      />
    </label>
  );
}
