import { z } from 'zod';
import { batchId, jobId } from '../job-id.ts';
import { cursor, pageLimit } from '../paging.ts';
import {
  addedWebhookSchema,
  deliveryId,
  deliveryListSchema,
  deliverySchema,
  deliveryState,
  newWebhookBody,
  rotatedSecretSchema,
  secretStatusSchema,
  sentDeliverySchema,
  webhookChangeBody,
  webhookId,
  webhookListSchema,
  webhookSchema,
} from '../webhook.ts';
import { EXAMPLE_JOB_ID } from './examples.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';

const READ = { tag: 'Webhooks', access: token('jobs:read') } as const;
const WRITE = { tag: 'Webhooks', access: token('jobs:write') } as const;

const WEBHOOK = {
  webhookId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12',
  url: 'https://example.org/hooks/telecine',
  events: ['job.completed', 'job.failed'],
  enabled: true,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ROTATED = {
  secret: SECRET,
  createdAt: '2026-01-31T12:00:00.000Z',
  previousExpiresAt: '2026-02-01T12:00:00.000Z',
};
const DELIVERED = {
  deliveryId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e13',
  messageId: 'msg_0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e14',
  event: 'job.completed',
  state: 'DELIVERED',
  jobId: EXAMPLE_JOB_ID,
  webhookId: WEBHOOK.webhookId,
  createdAt: '2026-01-31T12:00:35.000Z',
  endedAt: '2026-01-31T12:00:35.200Z',
  attemptCount: 1,
  attempts: [{ at: '2026-01-31T12:00:35.050Z', seconds: 0.141, status: 204 }],
};
const { endedAt: _, ...unfinished } = DELIVERED;
const QUEUED = {
  ...unfinished,
  state: 'PENDING',
  nextAttemptAt: '2026-01-31T12:00:35.000Z',
  attemptCount: 0,
  attempts: [],
};

const params = z.object({ webhookId });
const deliveryQuery = z.strictObject({
  state: deliveryState.exactOptional().meta({ description: 'Only deliveries in this state.' }),
  limit: pageLimit('Deliveries', 100, 20),
  cursor: cursor(),
});
const DELIVERIES = {
  200: jsonReply('One page.', deliveryListSchema, { deliveries: [DELIVERED], nextCursor: 'MDE5OWE3YzI' }),
};
const REPLAYED = {
  202: jsonReply('The new delivery, or the one that waited and is attempted now.', deliverySchema, QUEUED),
};
const REPLAY =
  'Sends the same event, with the same `webhook-id`, to the same receiver again. A receiver that remembers ids may ignore it. ' +
  'If the delivery waits for its next attempt, that begins now.';
const REPLAY_PROBLEMS = [
  'WEBHOOK_NOT_FOUND',
  'DELIVERY_NOT_FOUND',
  'WEBHOOK_DISABLED',
  'DELIVERY_NOT_FINISHED',
  'TOO_MANY_DELIVERIES',
] as const;

export const WEBHOOK_OPERATIONS = {
  addWebhook: {
    ...WRITE,
    summary: 'Register a webhook',
    verb: 'webhook add',
    description:
      'From now on, events about your jobs are sent to the URL as signed POST requests (Standard Webhooks). The reply shows ' +
      'the secret, once.',
    audit: { action: 'webhook.add', target: 'handler' },
    body: jsonBody(newWebhookBody, { url: WEBHOOK.url, events: WEBHOOK.events }),
    replies: { 201: jsonReply('The webhook.', addedWebhookSchema, { ...WEBHOOK, secret: SECRET }) },
    problems: ['TOO_MANY_WEBHOOKS'],
  },
  listWebhooks: {
    ...READ,
    summary: 'List your webhooks',
    verb: 'webhook list',
    description: 'Lists them with their state, without their secrets.',
    replies: { 200: jsonReply('The webhooks.', webhookListSchema, { webhooks: [WEBHOOK] }) },
  },
  getWebhook: {
    ...READ,
    summary: 'Get a webhook',
    description: 'Returns its state, and why it is disabled if it is.',
    params,
    replies: { 200: jsonReply('The webhook.', webhookSchema, WEBHOOK) },
    problems: ['WEBHOOK_NOT_FOUND'],
  },
  changeWebhook: {
    ...WRITE,
    summary: 'Change, disable or enable a webhook',
    verb: { 'webhook enable': { enabled: true }, 'webhook disable': { enabled: false } },
    description: 'Unfinished deliveries go to the new URL.',
    audit: { action: 'webhook.change', target: 'webhookId' },
    params,
    body: jsonBody(webhookChangeBody, { enabled: true }),
    replies: { 200: jsonReply('The webhook.', webhookSchema, WEBHOOK) },
    problems: ['WEBHOOK_NOT_FOUND'],
  },
  deleteWebhook: {
    ...WRITE,
    summary: 'Delete a webhook',
    verb: 'webhook delete',
    description: 'Deletes it with its secrets and its deliveries.',
    audit: { action: 'webhook.delete', target: 'webhookId' },
    params,
    replies: { 204: { description: 'The webhook is deleted.' } },
    problems: ['WEBHOOK_NOT_FOUND'],
  },
  rotateWebhookSecret: {
    ...WRITE,
    summary: 'Rotate the secret of a webhook',
    verb: 'webhook rotate',
    description:
      'Makes a new secret, which is shown once. Until `previousExpiresAt`, each request has a signature by both, so that ' +
      'you can change the receiver meanwhile.',
    audit: { action: 'webhook.rotate', target: 'webhookId' },
    params,
    replies: { 200: jsonReply('The new secret.', rotatedSecretSchema, ROTATED) },
    problems: ['WEBHOOK_NOT_FOUND'],
  },
  testWebhook: {
    ...WRITE,
    summary: 'Send a test event',
    verb: 'webhook test',
    description: 'Sends an event of the type `webhook.test`, once. Read the result in the deliveries of the webhook.',
    audit: { action: 'webhook.test', target: 'webhookId' },
    params,
    replies: {
      202: jsonReply('The delivery.', deliverySchema, { ...QUEUED, event: 'webhook.test', jobId: undefined }),
    },
    problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'TOO_MANY_DELIVERIES'],
  },
  listWebhookDeliveries: {
    ...READ,
    summary: 'List the deliveries of a webhook',
    verb: 'webhook deliveries',
    description: 'Lists what was sent and how the receiver replied, newest first.',
    params,
    query: deliveryQuery,
    replies: DELIVERIES,
    problems: ['WEBHOOK_NOT_FOUND'],
  },
  getWebhookDelivery: {
    ...READ,
    summary: 'Get a delivery of a webhook',
    description: 'Returns it with the body of its requests. The service stores it for a week.',
    params: z.object({ webhookId, deliveryId }),
    replies: {
      200: jsonReply('The delivery.', sentDeliverySchema, {
        ...DELIVERED,
        body: `{"type":"job.completed","timestamp":"2026-01-31T12:00:35.000Z","data":{"jobId":"${EXAMPLE_JOB_ID}"}}`,
      }),
    },
    problems: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  },
  replayWebhookDelivery: {
    ...WRITE,
    summary: 'Replay a delivery of a webhook',
    verb: 'webhook replay',
    description: REPLAY,
    audit: { action: 'webhook.replay', target: 'webhookId' },
    params: z.object({ webhookId, deliveryId }),
    replies: REPLAYED,
    problems: REPLAY_PROBLEMS,
  },
  listJobDeliveries: {
    ...READ,
    summary: 'List the deliveries about a job',
    description: 'Lists the deliveries to webhooks and to the `callbackUrl` of the request, newest first.',
    params: z.object({ jobId }),
    query: deliveryQuery,
    replies: DELIVERIES,
    problems: ['JOB_NOT_FOUND'],
  },
  replayJobDelivery: {
    ...WRITE,
    summary: 'Replay a delivery about a job',
    description: REPLAY,
    audit: { action: 'webhook.replay', target: 'jobId' },
    params: z.object({ jobId, deliveryId }),
    replies: REPLAYED,
    problems: [...REPLAY_PROBLEMS, 'JOB_NOT_FOUND'],
  },
  listBatchDeliveries: {
    ...READ,
    summary: 'List the deliveries about a batch',
    description:
      'Lists the deliveries to webhooks and to the `callbackUrl` of the batch, newest first, without deliveries about its jobs.',
    params: z.object({ batchId }),
    query: deliveryQuery,
    replies: DELIVERIES,
    problems: ['BATCH_NOT_FOUND'],
  },
  replayBatchDelivery: {
    ...WRITE,
    summary: 'Replay a delivery about a batch',
    description: REPLAY,
    audit: { action: 'webhook.replay', target: 'batchId' },
    params: z.object({ batchId, deliveryId }),
    replies: REPLAYED,
    problems: [...REPLAY_PROBLEMS, 'BATCH_NOT_FOUND'],
  },
  getCallbackSecret: {
    ...READ,
    summary: 'See which secrets sign callbacks',
    description: 'Returns when they were made, not the secrets. Empty: requests cannot have a `callbackUrl` yet.',
    replies: {
      200: jsonReply('The secrets.', secretStatusSchema, { secrets: [{ createdAt: ROTATED.createdAt }] }),
    },
  },
  rotateCallbackSecret: {
    ...WRITE,
    summary: 'Make or rotate the secret of callbacks',
    verb: 'webhook secret',
    description:
      'Makes the secret that signs requests to the `callbackUrl` of your jobs, and shows it once. The previous one signs ' +
      'too until `previousExpiresAt`.',
    audit: { action: 'webhook.rotate', target: 'nothing' },
    replies: { 200: jsonReply('The new secret.', rotatedSecretSchema, ROTATED) },
  },
} satisfies Operations;
