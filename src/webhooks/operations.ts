import type { Caller } from '../domain/client.ts';
import type { DeliveryQuery, EndpointChange, SigningSecret, WebhookDelivery, WebhookEndpoint } from './ports.ts';

/** A page of deliveries, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** The id of the last delivery, if there are more. */
  readonly nextCursor?: string;
}

/** What deliveries are listed under. */
export type DeliverySubject =
  | { readonly webhookId: string }
  | { readonly jobId: string }
  | { readonly batchId: string };

/** The registered and the default secrets, without their text: nobody can read it again. */
export type SecretStatus = Omit<SigningSecret, 'secret'>;

/** A new secret, which is shown only now. */
export interface RotatedSecret {
  readonly secret: string;
  readonly createdAt: string;
  /** When the previous secret stops to sign. Absent if there was none. */
  readonly previousExpiresAt?: string;
}

/**
 * What clients do with webhooks, for HTTP. Each client has its own: an id of another client is WEBHOOK_NOT_FOUND or
 * DELIVERY_NOT_FOUND.
 */
export interface WebhookOperations {
  /** Throws INVALID_REQUEST for a URL that is not allowed, TOO_MANY_WEBHOOKS. */
  add(
    caller: Caller,
    endpoint: Pick<WebhookEndpoint, 'url' | 'events' | 'description'>,
  ): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }>;
  list(caller: Caller): Promise<readonly WebhookEndpoint[]>;
  get(caller: Caller, webhookId: string): Promise<WebhookEndpoint>;
  /** Throws INVALID_REQUEST for a URL that is not allowed. */
  change(caller: Caller, webhookId: string, change: EndpointChange): Promise<WebhookEndpoint>;
  remove(caller: Caller, webhookId: string): Promise<void>;
  /** Gives an endpoint, or with undefined the callbacks of the client, a new secret. */
  rotateSecret(caller: Caller, webhookId: string | undefined): Promise<RotatedSecret>;
  /** The secrets that sign callbacks, the current one first. Empty if the client has none yet. */
  callbackSecrets(caller: Caller): Promise<readonly SecretStatus[]>;
  /** Stores a test event for the endpoint. Throws WEBHOOK_DISABLED, TOO_MANY_DELIVERIES. */
  test(caller: Caller, webhookId: string): Promise<WebhookDelivery>;
  deliveries(caller: Caller, webhookId: string, query: DeliveryQuery): Promise<DeliveryPage>;
  /** The deliveries about a job of the caller. */
  jobDeliveries(caller: Caller, jobId: string, query: DeliveryQuery): Promise<DeliveryPage>;
  /** The deliveries about a batch of the caller. */
  batchDeliveries(caller: Caller, batchId: string, query: DeliveryQuery): Promise<DeliveryPage>;
  /** Stores the same event again for the same receiver. Throws WEBHOOK_DISABLED, DELIVERY_NOT_FINISHED, TOO_MANY_DELIVERIES. */
  replay(caller: Caller, of: DeliverySubject, deliveryId: string): Promise<WebhookDelivery>;
}
