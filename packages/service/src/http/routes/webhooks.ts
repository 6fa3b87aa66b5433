import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';
import { parseBatchId, parseJobId } from '@telecine/contract/wire/job-id.ts';
import type { WEBHOOK_OPERATIONS } from '@telecine/contract/wire/operations/webhooks.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import {
  type DeliveryListView,
  type DeliveryView,
  parseDeliveryId,
  parseWebhookId,
  type WebhookView,
} from '@telecine/contract/wire/webhook.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebhookEndpoint } from '../../webhooks/ports/endpoints.ts';
import type { DeliveryQuery, WebhookDelivery } from '../../webhooks/ports/outbox.ts';
import type { DeliveryPage } from '../../webhooks/webhook-operations.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const webhookHandlers = ({ webhooks }: Pick<HttpDeps, 'webhooks'>): Handlers<typeof WEBHOOK_OPERATIONS> => {
  const replay = async (
    request: FastifyRequest<{ Params: { readonly deliveryId: string } }>,
    reply: FastifyReply,
    of: Parameters<typeof webhooks.replay>[1],
  ): Promise<DeliveryView> => {
    const delivery = await webhooks.replay(callerOf(request), of, parseDeliveryId(request.params.deliveryId));
    reply.code(202);
    return deliveryView(delivery);
  };
  return {
    addWebhook: async (request, reply) => {
      const { endpoint, secret } = await webhooks.add(callerOf(request), request.body);
      request.auditFacts = { target: endpoint.webhookId, details: { url: redactUrl(endpoint.url) } };
      reply.code(201);
      return { ...webhookView(endpoint), secret };
    },
    listWebhooks: async (request) => ({ webhooks: (await webhooks.list(callerOf(request))).map(webhookView) }),
    getWebhook: async (request) =>
      webhookView(await webhooks.get(callerOf(request), parseWebhookId(request.params.webhookId))),
    changeWebhook: async (request) => {
      const { enabled, ...rest } = request.body;
      const change = { ...rest, ...(enabled !== undefined && { isEnabled: enabled }) };
      const id = parseWebhookId(request.params.webhookId);
      return webhookView(await webhooks.change(callerOf(request), id, change));
    },
    deleteWebhook: async (request, reply) => {
      await webhooks.remove(callerOf(request), parseWebhookId(request.params.webhookId));
      return reply.code(204).send();
    },
    rotateWebhookSecret: (request) =>
      webhooks.rotateSecret(callerOf(request), parseWebhookId(request.params.webhookId)),
    testWebhook: async (request, reply) => {
      const delivery = await webhooks.test(callerOf(request), parseWebhookId(request.params.webhookId));
      reply.code(202);
      return deliveryView(delivery);
    },
    listWebhookDeliveries: async (request) => {
      const id = parseWebhookId(request.params.webhookId);
      return pageView(await webhooks.deliveries(callerOf(request), id, queryOf(request.query)));
    },
    getWebhookDelivery: async (request) => {
      const [id, deliveryId] = [parseWebhookId(request.params.webhookId), parseDeliveryId(request.params.deliveryId)];
      const { delivery, body } = await webhooks.delivery(callerOf(request), id, deliveryId);
      return { ...deliveryView(delivery), body };
    },
    listJobDeliveries: async (request) => {
      const id = parseJobId(request.params.jobId);
      return pageView(await webhooks.jobDeliveries(callerOf(request), id, queryOf(request.query)));
    },
    listBatchDeliveries: async (request) => {
      const id = parseBatchId(request.params.batchId);
      return pageView(await webhooks.batchDeliveries(callerOf(request), id, queryOf(request.query)));
    },
    replayWebhookDelivery: (request, reply) =>
      replay(request, reply, { webhookId: parseWebhookId(request.params.webhookId) }),
    replayJobDelivery: (request, reply) => replay(request, reply, { jobId: parseJobId(request.params.jobId) }),
    replayBatchDelivery: (request, reply) => replay(request, reply, { batchId: parseBatchId(request.params.batchId) }),
    getCallbackSecret: async (request) => ({ secrets: [...(await webhooks.callbackSecrets(callerOf(request)))] }),
    rotateCallbackSecret: (request) => webhooks.rotateSecret(callerOf(request), undefined),
  };
};

const queryOf = ({
  limit,
  cursor,
  state,
}: {
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: DeliveryQuery['state'];
}): DeliveryQuery => ({
  limit,
  ...(cursor !== undefined && { before: readCursor(cursor) }),
  ...(state !== undefined && { state }),
});

function webhookView(endpoint: WebhookEndpoint): WebhookView {
  const { webhookId, url, events, description, disabled, failingSince, createdAt } = endpoint;
  return {
    webhookId,
    url: redactUrl(url),
    events: events as WebhookEvent[] | undefined,
    description,
    enabled: disabled === undefined,
    disabledAt: disabled?.at,
    disabledReason: disabled?.reason,
    failingSince,
    createdAt,
  };
}

const deliveryView = ({ clientId: _, attempts, ...delivery }: WebhookDelivery): DeliveryView => ({
  ...delivery,
  attempts: [...attempts],
});

const pageView = ({ deliveries, nextCursor }: DeliveryPage): DeliveryListView => ({
  deliveries: deliveries.map(deliveryView),
  ...(nextCursor !== undefined && { nextCursor: writeCursor(nextCursor) }),
});
