import type { Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { TEST_EVENT } from '@telecine/contract/domain/webhook.ts';
import { v7 as uuid } from 'uuid';
import type { Transactions } from '../jobs/ports/transactions.ts';
import { type CheckReceiver, requireReceiver } from './check-receiver.ts';
import { newWebhookSecret } from './delivery-headers.ts';
import type {
  EndpointChange,
  SecretOwner,
  SigningSecret,
  WebhookEndpoint,
  WebhookEndpoints,
} from './ports/endpoints.ts';
import {
  DELIVERY_LIMITS,
  type DeliveryQuery,
  type WebhookDelivery,
  type WebhookMessage,
  type WebhookOutbox,
} from './ports/outbox.ts';
import { newMessageId, payloadOf } from './record-job-end.ts';

export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** The id of the last delivery of this page. Absent on the last page. */
  readonly nextCursor?: string;
}

type DeliverySubject = { readonly webhookId: string } | { readonly jobId: string } | { readonly batchId: string };

/** A secret without its text, which nobody can read again. */
type SecretStatus = Omit<SigningSecret, 'secret'>;

/** A new secret. Its text is shown only in this reply. */
interface RotatedSecret {
  readonly secret: string;
  readonly createdAt: string;
  /** When the previous secret stops signing. Absent if there was none. */
  readonly previousExpiresAt?: string;
}

export interface WebhookOperationsDeps {
  readonly transactions: Transactions;
  readonly endpoints: WebhookEndpoints;
  readonly outbox: Pick<
    WebhookOutbox,
    'insert' | 'get' | 'payload' | 'ofEndpoint' | 'ofJob' | 'ofBatch' | 'replay' | 'makeDue'
  >;
  readonly checkReceiver: CheckReceiver;
  /** Throws JOB_NOT_FOUND unless the caller may see the job. */
  readonly authorizeJob: (caller: Caller, jobId: string) => Promise<unknown>;
  /** Throws BATCH_NOT_FOUND unless the caller may see the batch. */
  readonly authorizeBatch: (caller: Caller, batchId: string) => Promise<unknown>;
  /** How long a rotated secret still signs deliveries, in seconds. */
  readonly overlapSeconds: number;
  /** Called after a delivery is stored, so that it is sent at once. */
  readonly wake: () => void;
  readonly now: () => Date;
}

/**
 * The operations of clients on webhooks, for HTTP. For an id of another client, they throw WEBHOOK_NOT_FOUND or
 * DELIVERY_NOT_FOUND.
 */
export type WebhookOperations = ReturnType<typeof webhookOperations>;

export function webhookOperations(deps: WebhookOperationsDeps) {
  const { endpoints, outbox, checkReceiver, now } = deps;

  const find = async ({ clientId }: Caller, webhookId: string): Promise<WebhookEndpoint> => {
    const endpoint = await endpoints.get(clientId, webhookId);
    if (endpoint === undefined) throw webhookNotFound(webhookId);
    return endpoint;
  };

  const findEnabled = async (caller: Caller, webhookId: string): Promise<WebhookEndpoint> => {
    const endpoint = await find(caller, webhookId);
    if (endpoint.disabled === undefined) return endpoint;
    throw new Problem(
      'WEBHOOK_DISABLED',
      `Webhook ${webhookId} is disabled since ${endpoint.disabled.at}. Enable it with PATCH {"enabled": true}, then repeat this.`,
    );
  };

  const findDelivery = async ({ clientId }: Caller, deliveryId: string): Promise<WebhookDelivery> => {
    const delivery = await outbox.get(clientId, deliveryId);
    if (delivery === undefined) throw deliveryNotFound(deliveryId);
    return delivery;
  };

  return {
    /** Adds an endpoint. Throws INVALID_REQUEST for a URL that is not allowed, and TOO_MANY_WEBHOOKS. */
    async add(
      caller: Caller,
      { url, events, description }: Pick<WebhookEndpoint, 'url' | 'events' | 'description'>,
    ): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
      requireReceiver(checkReceiver, '/url', url);
      const secret = newWebhookSecret();
      const endpoint: WebhookEndpoint = {
        webhookId: uuid(),
        clientId: caller.clientId,
        url,
        createdAt: now().toISOString(),
        ...(events && { events }),
        ...(description !== undefined && { description }),
      };
      const { clientId, policy } = caller;
      if (await endpoints.add(endpoint, secret, policy.webhooks ?? Number.POSITIVE_INFINITY))
        return { endpoint, secret };
      throw new Problem(
        'TOO_MANY_WEBHOOKS',
        `You have ${policy.webhooks} webhooks, the most that are allowed. Delete one first, or change its URL. ${operatorHint(clientId, 'webhooks')}`,
      );
    },
    list: ({ clientId }: Caller) => endpoints.list(clientId),
    get: find,
    /** Changes an endpoint. Throws INVALID_REQUEST for a URL that is not allowed. */
    async change(caller: Caller, webhookId: string, change: EndpointChange): Promise<WebhookEndpoint> {
      if (change.url !== undefined) requireReceiver(checkReceiver, '/url', change.url);
      if (!(await endpoints.change(caller.clientId, webhookId, change, now().toISOString())))
        throw webhookNotFound(webhookId);
      return find(caller, webhookId);
    },
    async remove({ clientId }: Caller, webhookId: string): Promise<void> {
      if (!(await endpoints.remove(clientId, webhookId))) throw webhookNotFound(webhookId);
    },
    /** Replaces the secret of an endpoint. `webhookId` undefined: the secret for callbacks of the client. */
    async rotateSecret(caller: Caller, webhookId: string | undefined): Promise<RotatedSecret> {
      const owner: SecretOwner = { clientId: caller.clientId, webhookId };
      const at = now();
      const overlapUntil = new Date(at.getTime() + deps.overlapSeconds * 1000).toISOString();
      const secret = newWebhookSecret();
      if (!(await endpoints.rotate(owner, secret, at.toISOString(), overlapUntil)))
        throw webhookNotFound(webhookId ?? '');
      const [current, previous] = await endpoints.secrets(owner, at.toISOString());
      return {
        secret,
        createdAt: current?.createdAt ?? at.toISOString(),
        ...(previous?.expiresAt !== undefined && { previousExpiresAt: previous.expiresAt }),
      };
    },
    /** Returns the secrets that sign callbacks, the current one first. Returns none if the client has none yet. */
    async callbackSecrets({ clientId }: Caller): Promise<readonly SecretStatus[]> {
      const secrets = await endpoints.secrets({ clientId, webhookId: undefined }, now().toISOString());
      return secrets.map(({ secret: _, ...status }) => status);
    },
    /** Stores a test event for the endpoint. Throws WEBHOOK_DISABLED and TOO_MANY_DELIVERIES. */
    async test(caller: Caller, webhookId: string): Promise<WebhookDelivery> {
      await findEnabled(caller, webhookId);
      const at = now().toISOString();
      const delivery = { deliveryId: uuid(), createdAt: at, receiver: { webhookId } };
      const message: WebhookMessage = {
        messageId: newMessageId(),
        clientId: caller.clientId,
        event: TEST_EVENT,
        payload: payloadOf({ type: TEST_EVENT, timestamp: at, data: { webhookId, client: caller.clientId } }),
        createdAt: at,
      };
      const limits = { ...DELIVERY_LIMITS, unsent: 0 };
      const storage = await deps.transactions.run((tx) => outbox.insert(tx, message, [delivery], limits));
      if (storage !== 'DUE') throw tooManyDeliveries();
      deps.wake();
      return findDelivery(caller, delivery.deliveryId);
    },
    async deliveries(caller: Caller, webhookId: string, query: DeliveryQuery): Promise<DeliveryPage> {
      await find(caller, webhookId);
      return pageOf(query, (more) => outbox.ofEndpoint(webhookId, more));
    },
    /** Returns a delivery of an endpoint, with the body of its requests. */
    async delivery(
      caller: Caller,
      webhookId: string,
      deliveryId: string,
    ): Promise<{ readonly delivery: WebhookDelivery; readonly body: string }> {
      await find(caller, webhookId);
      const delivery = await findDelivery(caller, deliveryId);
      const body = await outbox.payload(delivery.messageId);
      if (!isDeliveryOf(delivery, { webhookId }) || body === undefined) throw deliveryNotFound(deliveryId);
      return { delivery, body };
    },
    async jobDeliveries(caller: Caller, jobId: string, query: DeliveryQuery): Promise<DeliveryPage> {
      await deps.authorizeJob(caller, jobId);
      return pageOf(query, (more) => outbox.ofJob(jobId, more));
    },
    async batchDeliveries(caller: Caller, batchId: string, query: DeliveryQuery): Promise<DeliveryPage> {
      await deps.authorizeBatch(caller, batchId);
      return pageOf(query, (more) => outbox.ofBatch(batchId, more));
    },
    /**
     * Sends the event of a delivery to the same receiver again. If the delivery waits for its next attempt, attempts it now
     * and returns it. Otherwise returns a new delivery. Throws WEBHOOK_DISABLED, DELIVERY_NOT_FINISHED while an attempt
     * runs, and TOO_MANY_DELIVERIES.
     */
    async replay(caller: Caller, of: DeliverySubject, deliveryId: string): Promise<WebhookDelivery> {
      if ('webhookId' in of) await find(caller, of.webhookId);
      const delivery = await findDelivery(caller, deliveryId);
      if (!isDeliveryOf(delivery, of)) throw deliveryNotFound(deliveryId);
      if (delivery.webhookId !== undefined) await findEnabled(caller, delivery.webhookId);
      if (delivery.state === 'PENDING') {
        if (await outbox.makeDue(deliveryId)) {
          deps.wake();
          return findDelivery(caller, deliveryId);
        }
        // The delivery may have ended since it was read.
        if ((await findDelivery(caller, deliveryId)).state === 'PENDING')
          throw new Problem(
            'DELIVERY_NOT_FINISHED',
            `Delivery ${deliveryId} is being attempted now. Read the delivery for the result, then repeat this if it failed.`,
          );
      }
      const replay = { deliveryId: uuid(), createdAt: now().toISOString() };
      const replayed = await outbox.replay(deliveryId, replay);
      if (replayed === 'FORGOTTEN') throw deliveryNotFound(deliveryId);
      if (replayed === 'NO_ROOM') throw tooManyDeliveries();
      deps.wake();
      return findDelivery(caller, replay.deliveryId);
    },
  };
}

const tooManyDeliveries = (): Problem =>
  new Problem(
    'TOO_MANY_DELIVERIES',
    `You have ${DELIVERY_LIMITS.unfinished} unfinished deliveries, the most that are allowed. Repair your receivers and wait until they have them, or delete the webhooks of receivers that are gone.`,
  );

function isDeliveryOf(delivery: WebhookDelivery, of: DeliverySubject): boolean {
  if ('webhookId' in of) return delivery.webhookId === of.webhookId;
  return 'jobId' in of ? delivery.jobId === of.jobId : delivery.batchId === of.batchId;
}

/** Reads a page of deliveries. Also reads one further delivery, to learn whether there is a next page. */
async function pageOf(
  query: DeliveryQuery,
  read: (query: DeliveryQuery) => Promise<readonly WebhookDelivery[]>,
): Promise<DeliveryPage> {
  const found = await read({ ...query, limit: query.limit + 1 });
  const deliveries = found.slice(0, query.limit);
  const last = deliveries.at(-1);
  return found.length > query.limit && last !== undefined
    ? { deliveries, nextCursor: last.deliveryId }
    : { deliveries };
}

const webhookNotFound = (webhookId: string): Problem =>
  new Problem('WEBHOOK_NOT_FOUND', `Webhook ${webhookId} does not exist, or it belongs to another client.`);

const deliveryNotFound = (deliveryId: string): Problem =>
  new Problem(
    'DELIVERY_NOT_FOUND',
    `Delivery ${deliveryId} does not exist, belongs to another client, or was removed because it is old.`,
  );
