import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';

/** Why an endpoint receives no events. The client can enable it again. */
export type DisabledReason =
  /** Its client has disabled it. */
  | 'CLIENT'
  /** The receiver replied with 410 Gone. */
  | 'GONE'
  /** All deliveries to the endpoint failed for days. */
  | 'FAILING';

export interface WebhookEndpoint {
  /** UUID version 7. */
  readonly webhookId: string;
  readonly clientId: string;
  /** The URL as the client sent it, which can contain secrets; see `redactUrl`. */
  readonly url: string;
  /** The types of events to send. Absent: all types, including future ones. */
  readonly events?: readonly WebhookEvent[];
  readonly description?: string;
  readonly createdAt: string;
  readonly disabled?: { readonly at: string; readonly reason: DisabledReason };
  /** Since when all deliveries have failed. Absent if the last one succeeded. */
  readonly failingSince?: string;
}

/** What a client changes of an endpoint. null removes a value. */
export interface EndpointChange {
  readonly url?: string;
  readonly events?: readonly WebhookEvent[] | null;
  readonly description?: string | null;
  /** false disables the endpoint with the reason CLIENT. true enables it, whatever the reason was. */
  readonly isEnabled?: boolean;
}

/** The owner of a secret: an endpoint or, if `webhookId` is undefined, a client whose callbacks it signs. */
export interface SecretOwner {
  readonly clientId: string;
  readonly webhookId: string | undefined;
}

export interface SigningSecret {
  /** `whsec_` and base64, as in Standard Webhooks. */
  readonly secret: string;
  readonly createdAt: string;
  /** When a rotated secret stops signing. Absent for the current secret. */
  readonly expiresAt?: string;
}

export interface WebhookEndpoints {
  /** Stores an endpoint with its first secret. Resolves to false if the client already has `max` endpoints. */
  add(endpoint: WebhookEndpoint, secret: string, max: number): Promise<boolean>;
  list(clientId: string): Promise<readonly WebhookEndpoint[]>;
  get(clientId: string, webhookId: string): Promise<WebhookEndpoint | undefined>;
  /** The endpoints of all clients whose deliveries fail, also those that were disabled because of it. The first to fail comes first. */
  failing(): Promise<readonly WebhookEndpoint[]>;
  /**
   * Changes an endpoint. If that disables it, its unfinished deliveries are given up. Resolves to false if the client
   * has no such endpoint.
   */
  change(clientId: string, webhookId: string, change: EndpointChange, at: string): Promise<boolean>;
  /** Removes an endpoint with its secrets and deliveries. Resolves to false if the client has no such endpoint. */
  remove(clientId: string, webhookId: string): Promise<boolean>;
  /** Returns the secrets that sign at this time, the current one first. */
  secrets(owner: SecretOwner, at: string): Promise<readonly SigningSecret[]>;
  /**
   * Adds a new current secret. The previous one signs until `overlapUntil`. Resolves to false if the client has no such
   * endpoint.
   */
  rotate(owner: SecretOwner, secret: string, at: string, overlapUntil: string): Promise<boolean>;
}
