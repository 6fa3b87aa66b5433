import type { EndedBatch } from '../domain/batch.ts';
import type { Job } from '../domain/job.ts';
import {
  type DeliveredEvent,
  MAX_UNFINISHED_DELIVERIES,
  MAX_UNSENT_DELIVERIES,
  type WebhookEvent,
} from '../domain/webhook.ts';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';

/** Why an endpoint receives nothing. The client can enable it again. */
export type DisabledReason =
  /** The client disabled it. */
  | 'CLIENT'
  /** It replied 410 Gone. */
  | 'GONE'
  /** All its deliveries failed for days. */
  | 'FAILING';

export interface WebhookEndpoint {
  /** UUID version 7. */
  readonly webhookId: string;
  readonly clientId: string;
  /** As the client sent it. It can contain secrets; see `redactUrl`. */
  readonly url: string;
  /** Absent: all types of events, including future ones. */
  readonly events?: readonly WebhookEvent[];
  readonly description?: string;
  readonly createdAt: string;
  readonly disabled?: { readonly at: string; readonly reason: DisabledReason };
  /** Since when each delivery has failed. Absent if the last one succeeded. */
  readonly failingSince?: string;
}

/** The changes of a client. null removes a value. */
export interface EndpointChange {
  readonly url?: string;
  readonly events?: readonly WebhookEvent[] | null;
  readonly description?: string | null;
  /** false disables the endpoint, with the reason CLIENT. true enables it, whatever the reason was. */
  readonly isEnabled?: boolean;
}

/** The secret of an endpoint, or with the endpoint `undefined` the default secret of a client, which signs callbacks. */
export interface SecretOwner {
  readonly clientId: string;
  readonly webhookId: string | undefined;
}

export interface SigningSecret {
  /** `whsec_` and base64, as Standard Webhooks writes it. */
  readonly secret: string;
  readonly createdAt: string;
  /** When it stops to sign, because it was rotated. Absent for the current secret. */
  readonly expiresAt?: string;
}

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

export interface WebhookEndpoints {
  /** Stores an endpoint with its first secret. Resolves to false if the client has `max` endpoints. */
  add(endpoint: WebhookEndpoint, secret: string, max: number): Promise<boolean>;
  list(clientId: string): Promise<readonly WebhookEndpoint[]>;
  get(clientId: string, webhookId: string): Promise<WebhookEndpoint | undefined>;
  /** Resolves to false if the client has no such endpoint. A disabled endpoint gives up its deliveries. */
  change(clientId: string, webhookId: string, change: EndpointChange, at: string): Promise<boolean>;
  /** Removes an endpoint with its secrets and deliveries. Resolves to false if the client has no such endpoint. */
  remove(clientId: string, webhookId: string): Promise<boolean>;
  /** The secrets that sign now, the current one first. */
  secrets(owner: SecretOwner, at: string): Promise<readonly SigningSecret[]>;
  /**
   * Adds a secret, which becomes the current one. The previous one signs until `overlapUntil`; older ones are removed.
   * Resolves to false if the client has no such endpoint.
   */
  rotate(owner: SecretOwner, secret: string, at: string, overlapUntil: string): Promise<boolean>;
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
  /**
   * Stores a new delivery of the same event to the same receiver, unless the event is forgotten or the client has too
   * many unfinished deliveries.
   */
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
