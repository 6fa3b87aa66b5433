import type { NewWebhook } from '@telecine/client';
import { useId, useState } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import styles from '../operate-page.module.css';

type Event = NonNullable<NewWebhook['events']>[number];

/** A type error here: an event of the service has no box. */
const EVENTS = {
  'job.completed': true,
  'job.failed': true,
  'job.cancelled': true,
  'batch.completed': true,
  'batch.failed': true,
  'batch.cancelled': true,
} as const satisfies Record<Event, true>;

const NAMES = Object.keys(EVENTS) as Event[];

/** Which events are sent. All: also those of later versions. */
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
          All
        </label>
        {NAMES.map((event) => (
          <label key={event}>
            <input
              type="checkbox"
              name="events"
              value={event}
              disabled={hasAll}
              defaultChecked={chosen?.includes(event) ?? false}
            />
            {event}
          </label>
        ))}
      </div>
      <FieldErrors id={id} name="events" errors={errors} />
    </fieldset>
  );
}

/** The events that are chosen in a form. Undefined: all. */
export const chosenEvents = (form: FormData): Event[] | undefined =>
  form.has('allEvents') ? undefined : NAMES.filter((event) => form.getAll('events').includes(event));
