import type { NewWebhook } from '@telecine/client';
import { useId, useState } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import styles from '../operate-page.module.css';

type Event = NonNullable<NewWebhook['events']>[number];

/** All events. If the service has an event that is missing here, there is a type error. */
const EVENTS = {
  'job.completed': true,
  'job.failed': true,
  'job.cancelled': true,
  'batch.completed': true,
  'batch.failed': true,
  'batch.cancelled': true,
  'watch.needs_attention': true,
  'watch.unreachable': true,
  'watch.reachable': true,
  'watch.stopped': true,
  'watch.drained': true,
} as const satisfies Record<Event, true>;

const NAMES = Object.keys(EVENTS) as Event[];

/** Chooses the events that are sent. "All" includes events that later versions add. */
export function EventFields({ chosen }: { readonly chosen?: readonly string[] | undefined }) {
  const [hasAll, setAll] = useState(chosen === undefined);
  const id = useId();
  const errors = useFieldErrors('events');
  return (
    <fieldset aria-describedby={errors.length > 0 ? id : undefined}>
      <legend>Events</legend>
      <div className={styles.columns}>
        <label>
          <input
            type="checkbox"
            name="allEvents"
            checked={hasAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
          All, also those that later versions add
        </label>
        {/* Hidden, not removed: what was chosen is there again when "All" is unchecked. */}
        {NAMES.map((event) => (
          <label key={event} hidden={hasAll}>
            <input
              type="checkbox"
              name="events"
              value={event}
              disabled={hasAll}
              defaultChecked={chosen?.includes(event) ?? false}
            />
            <code>{event}</code>
          </label>
        ))}
      </div>
      <FieldErrors id={id} name="events" errors={errors} />
    </fieldset>
  );
}

/** The chosen events. undefined: all. */
export const chosenEvents = (form: FormData): Event[] | undefined =>
  form.has('allEvents') ? undefined : NAMES.filter((event) => form.getAll('events').includes(event));
