import { v7 as uuid } from 'uuid';
import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { TEST_EVENT } from '../domain/webhook.ts';
import type { Transactions } from '../jobs/ports/transactions.ts';
import { type CheckReceiver, requireReceiver } from './check-receiver.ts';
import type { DeliveryPage, DeliverySubject, WebhookOperations } from './operations.ts';
import {
  DELIVERY_LIMITS,
  type DeliveryQuery,
  type SecretOwner,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpoints,
  type WebhookMessage,
  type WebhookOutbox,
} from './ports.ts';
import { newMessageId, payloadOf } from './record-event.ts';
import { newWebhookSecret } from './secrets.ts';

export interface WebhookOperationsDeps {
  readonly transactions: Transactions;
  readonly endpoints: WebhookEndpoints;
  readonly outbox: Pick<WebhookOutbox, 'insert' | 'get' | 'ofEndpoint' | 'ofJob' | 'ofBatch' | 'replay'>;
  readonly checkReceiver: CheckReceiver;
  /** Throws JOB_NOT_FOUND unless the caller may see the job. */
  readonly authorizeJob: (caller: Caller, jobId: string) => Promise<unknown>;
  /** Throws BATCH_NOT_FOUND unless the caller may see the batch. */
  readonly authorizeBatch: (caller: Caller, batchId: string) => Promise<unknown>;
  readonly maxEndpoints: number;
  /** How long a rotated secret still signs. */
  readonly overlapSeconds: number;
  /** Called when a delivery was stored. */
  readonly wake: () => void;
  readonly now: () => Date;
}

/** Composes what clients do with webhooks. */
export function webhookOperations(deps: WebhookOperationsDeps): WebhookOperations {
  const { endpoints, outbox, checkReceiver, maxEndpoints, now } = deps;

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
    async add(caller, { url, events, description }) {
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
      if (await endpoints.add(endpoint, secret, maxEndpoints)) return { endpoint, secret };
      throw new Problem(
        'TOO_MANY_WEBHOOKS',
        `You have ${maxEndpoints} webhooks, the most that are allowed. Delete one first, or change its URL.`,
      );
    },
    list: ({ clientId }) => endpoints.list(clientId),
    get: find,
    async change(caller, webhookId, change) {
      if (change.url !== undefined) requireReceiver(checkReceiver, '/url', change.url);
      if (!(await endpoints.change(caller.clientId, webhookId, change, now().toISOString())))
        throw webhookNotFound(webhookId);
      return find(caller, webhookId);
    },
    async remove({ clientId }, webhookId) {
      if (!(await endpoints.remove(clientId, webhookId))) throw webhookNotFound(webhookId);
    },
    async rotateSecret(caller, webhookId) {
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
    async callbackSecrets({ clientId }) {
      const secrets = await endpoints.secrets({ clientId, webhookId: undefined }, now().toISOString());
      return secrets.map(({ secret: _, ...status }) => status);
    },
    async test(caller, webhookId) {
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
    async deliveries(caller, webhookId, query) {
      await find(caller, webhookId);
      return pageOf(query, (more) => outbox.ofEndpoint(webhookId, more));
    },
    async jobDeliveries(caller, jobId, query) {
      await deps.authorizeJob(caller, jobId);
      return pageOf(query, (more) => outbox.ofJob(jobId, more));
    },
    async batchDeliveries(caller, batchId, query) {
      await deps.authorizeBatch(caller, batchId);
      return pageOf(query, (more) => outbox.ofBatch(batchId, more));
    },
    async replay(caller, of, deliveryId) {
      if ('webhookId' in of) await find(caller, of.webhookId);
      const delivery = await findDelivery(caller, deliveryId);
      if (!isDeliveryOf(delivery, of)) throw deliveryNotFound(deliveryId);
      if (delivery.webhookId !== undefined) await findEnabled(caller, delivery.webhookId);
      if (delivery.state === 'PENDING')
        throw new Problem(
          'DELIVERY_NOT_FINISHED',
          `Delivery ${deliveryId} is still attempted, next at ${delivery.nextAttemptAt}. Wait until it has ended.`,
        );
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

/** Reads one delivery more than the page holds, to learn whether there is a next page. */
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
  new Problem('DELIVERY_NOT_FOUND', `Delivery ${deliveryId} does not exist here, or it was forgotten.`);
