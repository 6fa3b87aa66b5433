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
  /** The status of the reply. Absent if there was none. */
  readonly status?: number;
  /** Why the attempt failed, for the client. */
  readonly error?: string;
  /** The begin of the body of the reply. */
  readonly body?: string;
}

export type DeliveryState =
  /** It waits for its first or next attempt. */
  | 'PENDING'
  | 'DELIVERED'
  /** It was given up. */
  | 'FAILED';

export interface WebhookDelivery {
  /** UUID version 7. */
  readonly deliveryId: string;
  /** The `webhook-id` of the event, which repeats and replays share. */
  readonly messageId: string;
  readonly clientId: string;
  /** The job or the batch that the event is about. Absent for a test. */
  readonly jobId?: string;
  readonly batchId?: string;
  /** The endpoint. Absent for a callback of one request. */
  readonly webhookId?: string;
  readonly event: DeliveredEvent;
  readonly state: DeliveryState;
  readonly createdAt: string;
  /** When the next attempt may start. Absent once the delivery has ended. */
  readonly nextAttemptAt?: string;
  readonly endedAt?: string;
  /** Why a delivery was given up, if not because of its last attempt. */
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
  readonly event: DeliveredEvent;
  /** The body of each request, JSON. */
  readonly payload: string;
  readonly createdAt: string;
}

interface NewDelivery {
  readonly deliveryId: string;
  readonly createdAt: string;
  /** An endpoint, or the URL of a callback. */
  readonly receiver: { readonly webhookId: string } | { readonly url: string };
}

export interface DeliveryLimits {
  readonly unfinished: number;
  /** Deliveries that were given up without an attempt. */
  readonly unsent: number;
}

export const DELIVERY_LIMITS: DeliveryLimits = { unfinished: MAX_UNFINISHED_DELIVERIES, unsent: MAX_UNSENT_DELIVERIES };

/**
 * The result for a new event. `DUE`: its deliveries are due. `GIVEN_UP`: stored as given up, because the client has too
 * many unfinished ones. `NOT_STORED`: it has too many given up ones too.
 */
export type EventStorage = 'DUE' | 'GIVEN_UP' | 'NOT_STORED';

/** A job that ends, with the receivers that its client has. */
export interface EndedJob {
  readonly job: Job;
  /** The endpoints that are enabled. */
  readonly endpoints: readonly Pick<WebhookEndpoint, 'webhookId' | 'events'>[];
}

/** A delivery that this process has to attempt before its lease ends. */
export interface ClaimedDelivery {
  readonly deliveryId: string;
  /** Rises with each claim. A later claim invalidates it. */
  readonly receipt: number;
  readonly message: WebhookMessage;
  readonly webhookId?: string;
  /** Where to send it. undefined: the endpoint is deleted or disabled, or the client is revoked, so that nothing is sent. */
  readonly url: string | undefined;
  readonly createdAt: string;
  readonly attemptCount: number;
}

export type DeliveryOutcome =
  | { readonly state: 'DELIVERED'; readonly attempt: DeliveryAttempt }
  /** `isGone`: the receiver wants no more events. */
  | { readonly state: 'FAILED'; readonly attempt: DeliveryAttempt; readonly isGone?: true }
  | { readonly state: 'PENDING'; readonly attempt: DeliveryAttempt; readonly afterSeconds: number }
  /** Nothing was sent, and nothing will be. */
  | { readonly state: 'FAILED'; readonly reason: string }
  /** Nothing was sent, because the service stops. */
  | { readonly state: 'PENDING' };

/** Deliveries of a page, newest first. `before`: only older ones than this id. */
export interface DeliveryQuery {
  readonly limit: number;
  readonly before?: string;
  readonly state?: DeliveryState;
}

/** The outbox and the log of deliveries. Times of leases and attempts are by the clock of the database. */
export interface WebhookOutbox {
  /** Reads a job that ends, after its row is written. undefined if its client is revoked. */
  endedJob(tx: Tx, end: Pick<JobEnd, 'jobId' | 'clientId'>): Promise<EndedJob | undefined>;
  /**
   * Returns the batch of a job that ends in this transaction, if that was its last job. Other transactions that end
   * jobs of the batch wait, so that exactly one gets it. `hasEndpoint`: whether an endpoint wants the event; without
   * one, a batch without a callback is neither locked nor read.
   */
  endedBatch(tx: Tx, batchId: string, hasEndpoint: boolean): Promise<EndedBatch | undefined>;
  /** Stores an event with its deliveries, as far as the limits of its client allow (default: `DELIVERY_LIMITS`). */
  insert(
    tx: Tx,
    message: WebhookMessage,
    deliveries: readonly NewDelivery[],
    limits?: DeliveryLimits,
  ): Promise<EventStorage>;
  /** Lists up to `limit` receivers with unfinished deliveries, by name, after `after`. `isDue`: a delivery is due. */
  receiversAfter(after: string, limit: number): Promise<readonly { readonly name: string; readonly isDue: boolean }[]>;
  /** Claims up to `limit` due deliveries to a receiver, oldest first. Concurrent calls never get the same one. */
  claim(receiver: string, limit: number, leaseSeconds: number): Promise<readonly ClaimedDelivery[]>;
  /**
   * Stores the outcome of an attempt. Disables an endpoint that gives up a delivery after it has failed for
   * `disableAfterSeconds`, and resolves to the reason. Does nothing after a later claim.
   */
  storeOutcome(
    delivery: ClaimedDelivery,
    outcome: DeliveryOutcome,
    disableAfterSeconds: number,
  ): Promise<DisabledReason | undefined>;
  /** Ends all leases, in a process that no other one shares the database with. */
  releaseAll(): Promise<void>;
  get(clientId: string, deliveryId: string): Promise<WebhookDelivery | undefined>;
  ofEndpoint(webhookId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  ofJob(jobId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  ofBatch(batchId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  /** Stores a new delivery of the same event to the same receiver, if the event exists and the client has room. */
  replay(
    deliveryId: string,
    replay: Pick<NewDelivery, 'deliveryId' | 'createdAt'>,
    limits?: DeliveryLimits,
  ): Promise<'DUE' | 'FORGOTTEN' | 'NO_ROOM'>;
  /** Removes ended deliveries and their events that were created before this time. */
  removeEndedBefore(before: string): Promise<void>;
  /** The number of unfinished deliveries, counted up to 10,000, and how long ago the oldest was created. */
  backlog(): Promise<{ readonly deliveries: number; readonly oldestSeconds: number }>;
}
