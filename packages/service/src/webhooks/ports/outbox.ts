import type { EndedBatch } from '@telecine/contract/domain/batch.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  type DeliveredEvent,
  MAX_UNFINISHED_DELIVERIES,
  MAX_UNSENT_DELIVERIES,
} from '@telecine/contract/domain/webhook.ts';
import type { JobEnd } from '../../jobs/ports/job-store.ts';
import type { Tx } from '../../jobs/ports/transactions.ts';
import type { DisabledReason, WebhookEndpoint } from './endpoints.ts';

export interface DeliveryAttempt {
  readonly at: string;
  readonly seconds: number;
  /** The HTTP status of the reply. Absent: there was no reply. */
  readonly status?: number;
  /** Why the attempt failed, in words for the client. */
  readonly error?: string;
  /** The start of the reply's body. */
  readonly body?: string;
}

export type DeliveryState =
  /** The delivery waits for its first or next attempt. */
  'PENDING' | 'DELIVERED' | 'FAILED';

export interface WebhookDelivery {
  /** UUID version 7. */
  readonly deliveryId: string;
  /** The `webhook-id` of the event, which is the same for retries and replays. */
  readonly messageId: string;
  readonly clientId: string;
  /** The job that the event is about. An event about a batch or a watch has its id instead, and a test event has none. */
  readonly jobId?: string;
  readonly batchId?: string;
  readonly watchId?: string;
  /** Absent if the receiver is the callback URL of a request. */
  readonly webhookId?: string;
  readonly event: DeliveredEvent;
  readonly state: DeliveryState;
  readonly createdAt: string;
  /** When the next attempt may start. Absent if the delivery is finished. */
  readonly nextAttemptAt?: string;
  readonly endedAt?: string;
  /** Why the delivery was given up. Absent if its last attempt tells that. */
  readonly reason?: string;
  readonly attemptCount: number;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface WebhookMessage {
  readonly messageId: string;
  readonly clientId: string;
  readonly jobId?: string;
  readonly batchId?: string;
  readonly watchId?: string;
  readonly event: DeliveredEvent;
  /** The JSON body of each request. */
  readonly payload: string;
  readonly createdAt: string;
}

export interface NewDelivery {
  readonly deliveryId: string;
  readonly createdAt: string;
  /** The endpoint, or the URL of a callback. */
  readonly receiver: { readonly webhookId: string } | { readonly url: string };
}

export interface DeliveryLimits {
  readonly unfinished: number;
  /** The maximum number of deliveries that were given up without an attempt. */
  readonly unsent: number;
}

export const DELIVERY_LIMITS: DeliveryLimits = { unfinished: MAX_UNFINISHED_DELIVERIES, unsent: MAX_UNSENT_DELIVERIES };

/**
 * How a new event was stored. `DUE`: its deliveries are due. `GIVEN_UP`: its deliveries are given up, because the
 * client has too many unfinished ones. `NOT_STORED`: nothing is stored, because the client also has too many given-up
 * ones.
 */
export type EventStorage = 'DUE' | 'GIVEN_UP' | 'NOT_STORED';

/** A job that ends, with the endpoints of its client. */
export interface EndedJob {
  /** Absent if the event of the job has no receiver. */
  readonly job?: Job;
  readonly batchId?: string;
  /** The endpoints that are enabled. */
  readonly endpoints: readonly Pick<WebhookEndpoint, 'webhookId' | 'events'>[];
}

/** A delivery that this process must attempt before its lease ends. */
export interface ClaimedDelivery {
  readonly deliveryId: string;
  /** Rises with each claim. An outcome with an older receipt is ignored. */
  readonly receipt: number;
  readonly message: WebhookMessage;
  readonly webhookId?: string;
  /**
   * Where to send the event. undefined: send nothing, because the endpoint was deleted or disabled, or the client was
   * revoked.
   */
  readonly url: string | undefined;
  readonly createdAt: string;
  readonly attemptCount: number;
  /** When the next attempt was planned. Absent unless `makeDue` brought this attempt forward. */
  readonly plannedAt?: string;
}

export type DeliveryOutcome =
  | { readonly state: 'DELIVERED'; readonly attempt: DeliveryAttempt }
  /** `isGone`: the receiver replied that it wants no more events. */
  | { readonly state: 'FAILED'; readonly attempt: DeliveryAttempt; readonly isGone?: true }
  | { readonly state: 'PENDING'; readonly attempt: DeliveryAttempt; readonly afterSeconds: number }
  /** Nothing was sent, and nothing will be sent. */
  | { readonly state: 'FAILED'; readonly reason: string }
  /** Nothing was sent, because the service stops. The delivery stays in the outbox. */
  | { readonly state: 'PENDING' };

/** The deliveries of a page, newest first. `before`: only those older than this id. */
export interface DeliveryQuery {
  readonly limit: number;
  readonly before?: string;
  readonly state?: DeliveryState;
}

/** The outbox and the log of deliveries. Leases and attempts are by the clock of the database. */
export interface WebhookOutbox {
  /**
   * Reads a job that ends. Call this after its row is written. undefined: neither the job nor a batch of it has a
   * receiver, or the client is revoked.
   */
  endedJob(tx: Tx, end: Pick<JobEnd, 'jobId' | 'clientId'>): Promise<EndedJob | undefined>;
  /** The enabled endpoints of a client. */
  endpoints(tx: Tx, clientId: string): Promise<EndedJob['endpoints']>;
  /**
   * Returns the batch of a job if the job is the last one of it to end. Call this in the transaction that ends the job.
   * Other transactions that end jobs of the batch wait for it, so that only one of them gets the batch. `hasEndpoint`:
   * an endpoint wants the event. If false, a batch without a callback is neither locked nor read.
   */
  endedBatch(tx: Tx, batchId: string, hasEndpoint: boolean): Promise<EndedBatch | undefined>;
  /** Stores an event with its deliveries if the limits of the client allow it. Default: `DELIVERY_LIMITS`. */
  insert(
    tx: Tx,
    message: WebhookMessage,
    deliveries: readonly NewDelivery[],
    limits?: DeliveryLimits,
  ): Promise<EventStorage>;
  /**
   * Lists up to `limit` receivers with unfinished deliveries, by name, starting after `after`. `isDue`: the receiver
   * has a due delivery.
   */
  receiversAfter(after: string, limit: number): Promise<readonly { readonly name: string; readonly isDue: boolean }[]>;
  /** Claims up to `limit` due deliveries to a receiver, oldest first. Concurrent calls claim different deliveries. */
  claim(receiver: string, limit: number, leaseSeconds: number): Promise<readonly ClaimedDelivery[]>;
  /**
   * Stores the outcome of an attempt. If a delivery is given up and its endpoint has failed for `disableAfterSeconds`,
   * disables the endpoint and resolves to the reason. Does nothing if the delivery was claimed again.
   */
  storeOutcome(
    delivery: ClaimedDelivery,
    outcome: DeliveryOutcome,
    disableAfterSeconds: number,
  ): Promise<DisabledReason | undefined>;
  /** Ends all leases. Only for a database that no other process uses. */
  releaseAll(): Promise<void>;
  get(clientId: string, deliveryId: string): Promise<WebhookDelivery | undefined>;
  /** Returns the JSON body of the requests of an event. undefined: the event is no longer stored. */
  payload(messageId: string): Promise<string | undefined>;
  ofEndpoint(webhookId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  ofJob(jobId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  ofBatch(batchId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  /**
   * Stores a new delivery of the same event to the same receiver. `FORGOTTEN`: the event is no longer stored.
   * `NO_ROOM`: the client has too many deliveries.
   */
  replay(
    deliveryId: string,
    replay: Pick<NewDelivery, 'deliveryId' | 'createdAt'>,
    limits?: DeliveryLimits,
  ): Promise<'DUE' | 'FORGOTTEN' | 'NO_ROOM'>;
  /**
   * Makes the next attempt of a delivery due now, and keeps the time for which it was planned. An overdue delivery keeps its
   * place before later ones. Resolves to false if the delivery is being attempted, or has ended.
   */
  makeDue(deliveryId: string): Promise<boolean>;
  /** Removes finished deliveries that were created before this time, and their events. */
  removeEndedBefore(before: string): Promise<void>;
  /** Returns how many deliveries are unfinished, up to 10,000, and the age of the oldest one in seconds. */
  backlog(): Promise<{ readonly deliveries: number; readonly oldestSeconds: number }>;
}
