import type { NewWebhook } from '@telecine/client';
import { useId, useState } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import styles from '../operate-page.module.css';

type Event = NonNullable<NewWebhook['events']>[number];

/** What each event says. If the service has an event that is missing here, there is a type error. */
const EVENTS = {
  'job.completed': 'A job is completed',
  'job.failed': 'A job has failed',
  'job.cancelled': 'A job was cancelled',
  'batch.completed': 'All jobs of a batch are completed',
  'batch.failed': 'A batch has ended with a failed job',
  'batch.cancelled': 'A batch has ended with a cancelled job',
  'watch.needs_attention': 'Files of a watch wait for you',
  'watch.unreachable': 'The folder of a watch cannot be read',
  'watch.reachable': 'The folder of a watch can be read again',
  'watch.stopped': 'The client may no longer do what its watch does',
} as const satisfies Record<Event, string>;

const NAMES = Object.keys(EVENTS) as Event[];

/** Chooses the events that are sent. "All" includes events that later versions add. */
export function EventFields({ chosen }: { readonly chosen?: readonly string[] | undefined }) {
  const [hasAll, setAll] = useState(chosen === undefined);
  // Without "All", the same events are sent at first, and a person takes out some.
  const [picked, setPicked] = useState<readonly string[]>(chosen ?? NAMES);
  const isEmpty = !hasAll && picked.length === 0;
  const id = useId();
  const errors = useFieldErrors('events');
  return (
    <fieldset aria-describedby={errors.length > 0 ? id : undefined}>
      <legend>Events</legend>
      <div className={styles.lines}>
        <label>
          <input
            // The browser says it before anything is sent.
            ref={(all) => all?.setCustomValidity(isEmpty ? 'Choose at least one event.' : '')}
            type="checkbox"
            name="allEvents"
            checked={hasAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
          All, also those that later versions add
        </label>
        {hasAll ? (
          <p className={styles.soft}>
            The ends of jobs and batches, and watches that need you. To choose among the {NAMES.length} types of events,
            untick it.
          </p>
        ) : (
          NAMES.map((event) => (
            <label key={event}>
              <input
                type="checkbox"
                name="events"
                value={event}
                checked={picked.includes(event)}
                onChange={({ currentTarget }) =>
                  setPicked(currentTarget.checked ? [...picked, event] : picked.filter((one) => one !== event))
                }
              />
              <span>
                {EVENTS[event]} <code className={styles.code}>{event}</code>
              </span>
            </label>
          ))
        )}
      </div>
      <FieldErrors id={id} name="events" errors={errors} />
    </fieldset>
  );
}

/** The chosen events. undefined: all. */
export const chosenEvents = (form: FormData): Event[] | undefined =>
  form.has('allEvents') ? undefined : NAMES.filter((event) => form.getAll('events').includes(event));
