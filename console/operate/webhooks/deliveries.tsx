import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, Webhook } from '@telecine/client';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Send from 'lucide-react/icons/send';
import { type ReactNode, useState } from 'react';
import { GIVE_UP_SECONDS } from '../../../packages/contract/src/domain/webhook.ts';
import { client } from '../../app/client.ts';
import { JobLink } from '../../jobs/job-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatDuration, formatFullMoment, formatMoment } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Until } from '../../ui/until.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { ShortId } from '../short-id.tsx';
import { type DeliveryState, deliveriesKey, deliveriesQuery, readCountText } from './deliveries-query.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { isExpected } from './expected-delivery.ts';
import { resultText } from './last-failure.ts';
import { repeatsAmong } from './repeats.ts';
import { isBeingSent, wasDisabled, webhookQuery } from './webhooks-query.ts';

/** The states of the API in the words of the filter. */
const FILTER_NAMES: Readonly<Record<DeliveryState, string>> = {
  PENDING: 'Pending or retrying',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
};

/** The deliveries to a webhook, with the replies of the receiver. */
export function Deliveries({
  webhook: { webhookId, enabled },
  mayReplay,
  empty,
}: {
  readonly webhook: Webhook;
  readonly mayReplay: boolean;
  /** Replaces the list if nothing was sent. */
  readonly empty: ReactNode;
}) {
  const [state, setState] = useState<DeliveryState>();
  const list = useInfiniteQuery({
    ...deliveriesQuery(webhookId, state),
    ...pollEvery(5),
    // Poll more often while a delivery is about to be sent, because the user may wait for its result.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some((one) => isExpected(one, Date.now()))) === true
        ? 1000
        : 5000,
  });
  // With a filter, the list may be without the original of a repeat, so no row is marked.
  const repeats =
    state === undefined
      ? repeatsAmong(list.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [])
      : new Set<string>();
  const count =
    list.data && readCountText(list.data.pages.flatMap(({ deliveries }) => deliveries).length, list.hasNextPage);
  // One message for the list, because each row would be a live region of its own.
  const [replayed, setReplayed] = useState('');
  return (
    <section className={styles.section}>
      <div className={styles.header}>
        <div className={styles.actions}>
          <h2>Deliveries</h2>
          {count !== undefined && (
            <p className={styles.soft}>
              {count} in the last 7 days
              {state !== undefined && `, ${FILTER_NAMES[state].toLowerCase()}`}
            </p>
          )}
        </div>
        <Segments
          label="Show deliveries"
          options={([undefined, 'PENDING', 'DELIVERED', 'FAILED'] as const).map((each) => ({
            value: each,
            name: each === undefined ? 'All' : FILTER_NAMES[each],
          }))}
          value={state}
          onChoose={setState}
        />
      </div>
      {!enabled && mayReplay && (
        <p className={styles.soft}>
          Nothing is sent while the webhook is disabled. Press “Enable” first to send again.
        </p>
      )}
      <p role="status" className={styles.soft}>
        {replayed}
      </p>
      <QueryState query={list} columns={['Event', 'State', 'About', 'Created', 'Attempts', 'Last reply']}>
        {({ pages }) => (
          <DataTable<Delivery>
            label="Deliveries"
            rows={pages.flatMap(({ deliveries }) => deliveries)}
            keyOf={({ deliveryId }) => deliveryId}
            empty={state === undefined ? empty : 'No deliveries are in this state.'}
            columns={[
              {
                name: 'Event',
                cell: ({ deliveryId, event }) => (
                  <>
                    {event}
                    {repeats.has(deliveryId) && <div className={styles.soft}>Repeat</div>}
                  </>
                ),
              },
              {
                name: 'State',
                isBesideName: true,
                cell: (delivery) => <DeliveryStatus delivery={delivery} />,
              },
              { name: 'About', isPlain: true, cell: (delivery) => <About delivery={delivery} /> },
              { name: 'Created', isPlain: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { name: 'Attempts', isNumber: true, cell: ({ attemptCount }) => attemptCount },
              {
                name: 'Last reply',
                isPlain: true,
                isWide: true,
                cell: (delivery) => <LastReply webhookId={webhookId} delivery={delivery} />,
              },
              {
                name: '',
                isBesideName: true,
                cell: (delivery) =>
                  mayReplay &&
                  !isNotSent(delivery) && (
                    <Replay
                      webhookId={webhookId}
                      delivery={delivery}
                      isDisabled={!enabled}
                      onReplayed={(deliveryId) =>
                        setReplayed(
                          deliveryId === delivery.deliveryId
                            ? ''
                            : `The service sends ${delivery.event} again, as a new delivery.`,
                        )
                      }
                    />
                  ),
              },
            ]}
          />
        )}
      </QueryState>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show older ones'}
        </Button>
      )}
    </section>
  );
}

function About({ delivery: { jobId, batchId, watchId } }: { readonly delivery: Delivery }) {
  if (jobId !== undefined)
    return (
      <span className={styles.name}>
        <JobLink jobId={jobId} />
      </span>
    );
  if (watchId !== undefined)
    return (
      <Link to="/watches/$watchId" params={{ watchId }}>
        watch <ShortId id={watchId} />
      </Link>
    );
  return batchId === undefined ? null : (
    <span className={styles.id}>
      batch <ShortId id={batchId} />
    </span>
  );
}

/**
 * Whether the first attempt of a delivery has not ended. `nextAttemptAt` is then the time of the next attempt if the
 * first one fails.
 */
const isNotSent = ({ state, attemptCount }: Delivery): boolean => state === 'PENDING' && attemptCount === 0;

/** When the service gives up a delivery that fails, at the latest: it gives up as soon as the next pause would be longer. */
const givenUpAt = ({ createdAt }: Delivery): string =>
  new Date(Date.parse(createdAt) + GIVE_UP_SECONDS * 1000).toISOString();

/** The result of the last attempt. It opens to all attempts with the replies, and to what was sent. */
function LastReply({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const [isOpen, setIsOpen] = useState(false);
  const { attempts, attemptCount, messageId, reason, nextAttemptAt, event, createdAt } = delivery;
  const last = attempts.at(-1);
  if (isNotSent(delivery)) return 'Sending…';
  return (
    <details className={styles.attempts} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary title={`Show the replies and what was sent: ${event} of ${formatMoment(createdAt)}`}>
        <WithCode text={[last && resultText(last), reason].filter(Boolean).join(' ')} />
        {nextAttemptAt !== undefined && (
          <>
            {' '}
            Next attempt <Until at={nextAttemptAt} />.
          </>
        )}
      </summary>
      {nextAttemptAt !== undefined && (
        <p className={styles.soft}>
          The service gives up at the latest on {formatFullMoment(givenUpAt(delivery))}. Until then, it retries with
          pauses of up to four hours, each up to a fifth shorter or longer.
        </p>
      )}
      {attempts.length > 0 && (
        // The newest first, like the deliveries.
        <ol aria-label="Attempts" reversed start={attemptCount}>
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.at}>
              <time dateTime={attempt.at}>{formatFullMoment(attempt.at)}</time> {resultText(attempt)}
              {attempt.error !== undefined && ` (${formatDuration(attempt.seconds)})`}
              {attempt.body !== undefined && attempt.body !== '' && <pre>{attempt.body}</pre>}
            </li>
          ))}
        </ol>
      )}
      <p className={styles.messageId}>
        <span>
          webhook-id <code>{messageId}</code>
        </span>
        <CopyButton text={messageId} label="Copy the id" />
      </p>
      {isOpen && <Sent webhookId={webhookId} delivery={delivery} />}
    </details>
  );
}

/** The body of the requests of a delivery. It is read when the user opens it, because it can be long. */
function Sent({ webhookId, delivery: { deliveryId } }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const sent = useQuery({
    queryKey: ['delivery', webhookId, deliveryId],
    queryFn: ({ signal }) => client.webhookDelivery(webhookId, deliveryId, { signal }),
    // An event never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={sent}>
      {({ body }) => <CodeBlock label="Body of the request">{indented(body)}</CodeBlock>}
    </QueryState>
  );
}

/** A JSON text in lines. Other texts stay as they are. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** Sends a delivery again: as a new one if it has ended, and at once if it waits for its next attempt. */
function Replay({
  webhookId,
  delivery,
  isDisabled,
  onReplayed,
}: {
  readonly webhookId: string;
  readonly delivery: Delivery;
  readonly isDisabled: boolean;
  /** Gets the id of the delivery that is sent. It is another one if this delivery has ended, also if the list does not say so yet. */
  readonly onReplayed: (deliveryId: string) => void;
}) {
  const queries = useQueryClient();
  const replay = useMutation({
    mutationFn: () => client.replayDelivery(webhookId, delivery.deliveryId),
    onSuccess: ({ deliveryId }) => {
      onReplayed(deliveryId);
      return queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
    },
    // If the webhook was disabled, read it again. The page then shows a text that names the button to press.
    onError: (error) => {
      if (wasDisabled(error)) void queries.invalidateQueries({ queryKey: webhookQuery(webhookId).queryKey });
      // The service is sending it, so the list has its result in a moment.
      if (isBeingSent(error)) void queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
    },
  });
  const { error } = replay;
  const [Icon, name] = delivery.state === 'PENDING' ? [RotateCw, 'Retry now'] : [Send, 'Send again'];
  return (
    <>
      <Button
        aria-label={`${name}: ${delivery.event} of ${formatMoment(delivery.createdAt)}`}
        disabled={isDisabled || replay.isPending}
        onClick={() => replay.mutate()}
      >
        <Icon /> {name}
      </Button>
      {error !== null && !wasDisabled(error) && !isBeingSent(error) && <ProblemNotice error={error} />}
    </>
  );
}
