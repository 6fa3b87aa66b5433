import { z } from 'zod';
import { MAX_URL_LENGTH, TEST_EVENT, WEBHOOK_EVENTS } from '../domain/webhook.ts';
import { boolean, choice, integer, list, moment, text } from './described-schemas.ts';
import { batchId, idReader, jobId, watchId } from './job-id.ts';
import { nextCursor } from './paging.ts';
import type { Shape } from './shape.ts';

const EXAMPLE_URL = 'https://example.org/hooks/telecine';

/** The settings decide which URLs are allowed, so the use case checks this and not the schema. */
const url = (description: string) =>
  z
    .string()
    .min(1)
    .max(MAX_URL_LENGTH)
    .meta({ description, examples: [EXAMPLE_URL] });

/** The field `callbackUrl` of a batch. */
export const batchCallbackUrl = url(
  'An http(s) URL to which the end of the batch is sent, once all its jobs have ended: as for the `callbackUrl` of a request.',
);

/** The field `callbackUrl` of a conversion request. */
export const callbackUrl = url(
  'An http(s) URL to which the end of the job is sent, signed with your callback secret (`POST ' +
    '/api/webhook-secret/rotate`). A user name and password in it are sent as Basic authentication. Views of the job hide ' +
    'them and the query.',
);

export const webhookId = z.uuid().meta({
  description: 'The id of a webhook.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12'],
});

export const deliveryId = z.uuid().meta({
  description: 'The id of a delivery.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e13'],
});

const events = list(
  z.enum(WEBHOOK_EVENTS),
  'The types of events that are sent. Default: all, also types of later versions.',
)
  .min(1)
  .max(WEBHOOK_EVENTS.length);

const description = text('Your own note.', 'orders')
  .max(200)
  .regex(/^\P{Cc}*$/u);

const shownUrl = text('Where events are sent, without user name, password and query.', EXAMPLE_URL);

export const newWebhookBody = z
  .strictObject({
    url: url('An http(s) URL that accepts POST requests.'),
    events: events.exactOptional(),
    description: description.exactOptional(),
  })
  .meta({ id: 'NewWebhook', description: 'A receiver of events.' });

export const webhookChangeBody = z
  .strictObject({
    url: url('The new URL.').exactOptional(),
    events: events.nullable().exactOptional().meta({ description: 'null: all types of events.' }),
    description: description.nullable().exactOptional().meta({ description: 'null removes it.' }),
    enabled: boolean('`false`: send nothing, and give up unfinished deliveries. `true`: send again.').exactOptional(),
  })
  .meta({ id: 'WebhookChange', description: 'What to change. Members that are left out stay as they are.' });

export const webhookSchema = z
  .object({
    webhookId,
    url: shownUrl,
    events: z.array(z.enum(WEBHOOK_EVENTS)).optional().meta({ description: 'Absent: all types of events.' }),
    description: description.optional(),
    enabled: z.boolean(),
    disabledAt: moment('When it was disabled.').optional(),
    disabledReason: choice(
      ['CLIENT', 'GONE', 'FAILING'],
      'Why it is disabled. `CLIENT`: you disabled it. `GONE`: it replied 410. `FAILING`: all deliveries failed for days.',
    ).optional(),
    failingSince: moment('Since when each delivery has failed. Absent if the last one succeeded.').optional(),
    createdAt: moment('When it was registered.'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of events.' });

const secret = text(
  'The secret that signs. It is shown only once. The key of the HMAC-SHA256 is the part after `whsec_`, decoded from Base64.',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
);

export const addedWebhookSchema = z
  .object({ ...webhookSchema.shape, secret })
  .meta({ id: 'AddedWebhook', description: 'A new webhook, with its secret.' });

export const webhookListSchema = z
  .object({ webhooks: z.array(webhookSchema) })
  .meta({ id: 'WebhookList', description: 'Your webhooks, oldest first.' });

export const rotatedSecretSchema = z
  .object({
    secret,
    createdAt: moment('When it was created.'),
    previousExpiresAt: moment('Until then the previous secret signs too. Absent if there was none.').optional(),
  })
  .meta({ id: 'RotatedSecret', description: 'A new secret.' });

export const secretStatusSchema = z
  .object({
    secrets: z.array(
      z.object({
        createdAt: moment('When it was created.'),
        expiresAt: moment('When it stops signing. Absent for the current secret.').optional(),
      }),
    ),
  })
  .meta({ id: 'CallbackSecrets', description: 'The secrets that sign callbacks, without their text.' });

const attempt = z
  .object({
    at: moment('When the request was sent.'),
    seconds: z.number().nonnegative(),
    status: integer('The status of the reply. Absent if there was none.').optional(),
    error: text('Why the attempt failed.').optional(),
    body: text('The beginning of the body of the reply.').optional(),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to a receiver.' });

export const deliveryState = z.enum(['PENDING', 'DELIVERED', 'FAILED']).meta({
  id: 'DeliveryState',
  description: '`PENDING`: it waits for its first or next attempt. `FAILED`: it was given up.',
});

export const deliverySchema = z
  .object({
    deliveryId,
    messageId: text('The `webhook-id` of the event, also of its replays.', 'msg_0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e14'),
    event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    state: deliveryState,
    jobId: jobId.optional(),
    batchId: batchId.optional().meta({ description: 'The batch, if the event is about one.' }),
    watchId: watchId.optional().meta({ description: 'The watch, if the event is about one.' }),
    webhookId: webhookId.optional().meta({ description: 'Absent for the `callbackUrl` of a request.' }),
    createdAt: moment('When the event happened, or its replay was requested.'),
    nextAttemptAt: moment('When it may be attempted. Absent once it has ended.').optional(),
    endedAt: moment('When it was delivered or given up.').optional(),
    reason: text('Why it was given up, if not because of its last attempt.').optional(),
    attemptCount: z.int().nonnegative(),
    attempts: z.array(attempt).meta({ description: 'The latest attempts, oldest first.' }),
  })
  .meta({ id: 'Delivery', description: 'The delivery of an event to a receiver.' });

export const sentDeliverySchema = z
  .object({
    ...deliverySchema.shape,
    body: text('The body of each of its requests: the JSON of the event.', '{"type":"job.completed","data":{}}'),
  })
  .meta({ id: 'SentDelivery', description: 'A delivery with what is sent.' });

export const deliveryListSchema = z
  .object({ deliveries: z.array(deliverySchema), nextCursor })
  .meta({ id: 'DeliveryList', description: 'Deliveries, newest first. The service stores them for a week.' });

export type WebhookView = Shape<typeof webhookSchema>;
export type AddedWebhookView = Shape<typeof addedWebhookSchema>;
export type RotatedSecretView = Shape<typeof rotatedSecretSchema>;
export type DeliveryView = Shape<typeof deliverySchema>;
export type SentDeliveryView = Shape<typeof sentDeliverySchema>;
export type DeliveryListView = Shape<typeof deliveryListSchema>;

export const parseWebhookId = idReader('WEBHOOK_NOT_FOUND', 'Unknown webhook: ids of webhooks are UUIDs.');
export const parseDeliveryId = idReader('DELIVERY_NOT_FOUND', 'Unknown delivery: ids of deliveries are UUIDs.');
