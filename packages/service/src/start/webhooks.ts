import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { endedBatchView } from '@telecine/contract/wire/batch.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import type { Config } from '../config/config.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { JobEndWrite } from '../jobs/ports/job-store.ts';
import { outgoingClient } from '../outgoing/outgoing-client.ts';
import { checkUrl } from '../outgoing/outgoing-policy.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type CheckReceiver, callbackCheck } from '../webhooks/check-receiver.ts';
import { type Dispatcher, type DispatchReport, startDispatcher } from '../webhooks/dispatcher.ts';
import { type RecordEventDeps, recordJobEnd } from '../webhooks/record-job-end.ts';
import { recordWatchEvent } from '../webhooks/record-watch-event.ts';
import { type WebhookOperations, webhookOperations } from '../webhooks/webhook-operations.ts';
import { webhookSender } from '../webhooks/webhook-sender.ts';
import { everyHour, internalErrors } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { Storage } from './storage.ts';
import { version } from './version.ts';

/** After a rotation, the previous secret still signs deliveries for this time. */
const OVERLAP_SECONDS = 24 * 3600;

/** After how many days ended deliveries are deleted. */
const DELIVERY_DAYS = 7;

export interface Webhooks {
  readonly endWrite: JobEndWrite;
  /** Stores the event of a watch in the transaction of its cause. Call `wake` after the commit. */
  readonly recordWatchEvent: ReturnType<typeof recordWatchEvent>;
  /** Returns the error of a request's `callbackUrl`, if there is one. */
  readonly checkCallback: ReturnType<typeof callbackCheck>;
  operations(jobs: Pick<JobOperations, 'get' | 'findBatch'>): WebhookOperations;
  wake(): void;
  /** Starts to deliver the event of a finished job. Does nothing if `endWrite` has stored no event for this job. */
  wakeAfter(jobId: string): void;
}

/** Opens webhooks. With `delivers`, sends deliveries until `closers` is disposed of. Without it, another process sends them. */
export async function openWebhooks(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: { readonly storage: Storage; readonly delivers: boolean; readonly metrics: Metrics },
): Promise<Webhooks> {
  const { store, isShared } = deps.storage;
  const { webhookEndpoints: endpoints, webhookOutbox: outbox, transactions } = store;
  const now = (): Date => new Date();
  const checkReceiver: CheckReceiver = (url) => checkUrl(config.webhookHosts, url, true);
  let dispatcher: Dispatcher | undefined;
  if (deps.delivers) {
    // On a shared database, other services have leases of their own, so do not release all leases.
    if (!isShared) await outbox.releaseAll();
    const client = outgoingClient(config.webhookHosts);
    const onError = internalErrors(log, { component: 'webhooks' });
    dispatcher = startDispatcher({
      ...{ outbox, endpoints, now, onError },
      send: webhookSender(client, `telecine/${version()}`),
      random: Math.random,
      onAttempt: (report) => {
        logAttempt(log, report);
        deps.metrics.countDelivery(resultOf(report));
      },
    });
    const { stop } = dispatcher;
    closers.defer(async () => {
      await stop();
      await client.close();
    });
    const forget = () => outbox.removeEndedBefore(new Date(Date.now() - DELIVERY_DAYS * DAY_MS).toISOString());
    closers.use(everyHour(forget, log));
  }
  const wake = (): void => dispatcher?.wake();
  const onOverLimit = overLimitReport(log, deps.metrics);
  const record = recordJobEnd({ ...{ outbox, viewOf: jobView, viewOfBatch: endedBatchView }, onOverLimit });
  /** Jobs that finish in this process and have no event. */
  const withoutEvent = new Set<string>();
  return {
    endWrite: async (tx, ends) => {
      const delivered = await record(tx, ends);
      for (const { jobId } of ends)
        if (delivered.has(jobId)) withoutEvent.delete(jobId);
        else withoutEvent.add(jobId);
    },
    wakeAfter: (jobId) => {
      if (!withoutEvent.delete(jobId)) wake();
    },
    recordWatchEvent: recordWatchEvent({ outbox, onOverLimit }),
    checkCallback: callbackCheck({ endpoints, checkReceiver, now }),
    wake,
    operations: (jobs) =>
      webhookOperations({
        ...{ transactions, endpoints, outbox, checkReceiver, wake, now },
        authorizeJob: (caller, jobId) => jobs.get(caller, jobId),
        authorizeBatch: (caller, batchId) => jobs.findBatch(caller, batchId),
        overlapSeconds: OVERLAP_SECONDS,
      }),
  };
}

/** The result of a delivery attempt, for metrics. */
function resultOf({ outcome }: DispatchReport): 'delivered' | 'retried' | 'failed' | 'dropped' | 'returned' {
  if (outcome.state === 'DELIVERED') return 'delivered';
  if (outcome.state === 'PENDING') return 'attempt' in outcome ? 'retried' : 'returned';
  return 'attempt' in outcome ? 'failed' : 'dropped';
}

/** Logs deliveries that were given up and endpoints that were disabled. */
function logAttempt(log: Pick<Log['log'], 'warn'>, { delivery, outcome, disabled }: DispatchReport): void {
  const { deliveryId, webhookId, message } = delivery;
  const fields = { deliveryId, webhookId, client: message.clientId, jobId: message.jobId, batchId: message.batchId };
  if (outcome.state === 'FAILED' && 'attempt' in outcome) {
    const { status, error } = outcome.attempt;
    log.warn({ ...fields, status, error }, 'webhook delivery given up');
  }
  if (disabled !== undefined) log.warn({ ...fields, reason: disabled }, 'webhook disabled');
}

/** The minimum time between two log lines about the same client. */
const PAUSE_MS = 10 * 60_000;

/** For how many clients the time of the last log line is remembered. */
const MAX_CLIENTS = 1000;

/** Returns a function that counts the events of clients with too many deliveries. It logs each such client at most every ten minutes. */
export function overLimitReport(
  log: Pick<Log['log'], 'warn'>,
  metrics: Pick<Metrics, 'countEventOverLimit'>,
  now: () => number = performance.now.bind(performance),
): RecordEventDeps['onOverLimit'] {
  const loggedAt = new Map<string, number>();
  return (client, storage) => {
    metrics.countEventOverLimit(storage);
    if (now() - (loggedAt.get(client) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    if (loggedAt.size >= MAX_CLIENTS) loggedAt.clear();
    loggedAt.set(client, now());
    log.warn({ client, storage }, 'client has too many webhook deliveries');
  };
}
