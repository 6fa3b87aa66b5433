import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';

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
  /** Adds the current secret. The previous one signs until `overlapUntil`. False if the client has no such endpoint. */
  rotate(owner: SecretOwner, secret: string, at: string, overlapUntil: string): Promise<boolean>;
}
