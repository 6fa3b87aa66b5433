import { z } from 'zod';
import { Problem } from '../domain/problem.ts';
import { MAX_URL_LENGTH, TEST_EVENT, WEBHOOK_EVENTS } from '../domain/webhook.ts';
import { batchId, isUuid, jobId } from './job-id.ts';
import { nextCursor } from './paging.ts';

const EXAMPLE_URL = 'https://example.org/hooks/telecine';

/** Which URLs are allowed depends on the settings, so the use case checks it. */
const url = (description: string) =>
  z
    .string()
    .min(1)
    .max(MAX_URL_LENGTH)
    .meta({ description, examples: [EXAMPLE_URL] });

/** The field of a batch. */
export const batchCallbackUrl = url(
  'An http(s) URL to which the end of the batch is sent, once all its jobs have ended, as that of a request is sent.',
);

/** The field of a conversion request. */
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

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .meta({ description: 'The types of events that are sent. Default: all, also those of later versions.' });

const description = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u)
  .meta({ description: 'Your own note.', examples: ['orders'] });

const shownUrl = z.string().meta({
  description: 'Where events are sent, without user name, password and query.',
  examples: [EXAMPLE_URL],
});

const moment = (text: string) => z.iso.datetime().meta({ description: text, examples: ['2026-01-31T12:00:00.000Z'] });

/** The body of `POST /api/webhooks`. */
export const newWebhookBody = z
  .strictObject({
    url: url('An http(s) URL that accepts POST requests.'),
    events: events.exactOptional(),
    description: description.exactOptional(),
  })
  .meta({ id: 'NewWebhook', description: 'A receiver of events.' });

/** The body of `PATCH /api/webhooks/{webhookId}`. */
export const webhookChangeBody = z
  .strictObject({
    url: url('The new URL.').exactOptional(),
    events: events.nullable().exactOptional().meta({ description: 'null: all types of events.' }),
    description: description.nullable().exactOptional().meta({ description: 'null removes it.' }),
    enabled: z
      .boolean()
      .exactOptional()
      .meta({ description: '`false`: send nothing, and give up unfinished deliveries. `true`: send events again.' }),
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
    disabledReason: z.enum(['CLIENT', 'GONE', 'FAILING']).optional().meta({
      description:
        'Why it is disabled. `CLIENT`: you disabled it. `GONE`: it replied 410. `FAILING`: all deliveries failed for days.',
    }),
    failingSince: moment('Since when each delivery has failed. Absent if the last one succeeded.').optional(),
    createdAt: moment('When it was registered.'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of events.' });

const secret = z.string().meta({
  description: 'The secret that signs. It is shown only now: keep it for your receiver.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const addedWebhookSchema = z
  .object({ ...webhookSchema.shape, secret })
  .meta({ id: 'AddedWebhook', description: 'A new webhook, with its secret.' });

export const webhookListSchema = z
  .object({ webhooks: z.array(webhookSchema) })
  .meta({ id: 'WebhookList', description: 'Your webhooks, oldest first.' });

export const rotatedSecretSchema = z
  .object({
    secret,
    createdAt: moment('When it was made.'),
    previousExpiresAt: moment('Until then the previous secret signs too. Absent if there was none.').optional(),
  })
  .meta({ id: 'RotatedSecret', description: 'A new secret.' });

export const secretStatusSchema = z
  .object({
    secrets: z.array(
      z.object({
        createdAt: moment('When it was made.'),
        expiresAt: moment('When it stops to sign. Absent for the current secret.').optional(),
      }),
    ),
  })
  .meta({ id: 'CallbackSecrets', description: 'The secrets that sign callbacks, without their text.' });

const attempt = z
  .object({
    at: moment('When the request was sent.'),
    seconds: z.number().nonnegative(),
    status: z.int().optional().meta({ description: 'The status of the reply. Absent if there was none.' }),
    error: z.string().optional().meta({ description: 'Why the attempt failed.' }),
    body: z.string().optional().meta({ description: 'The begin of the body of the reply.' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to a receiver.' });

export const deliveryState = z.enum(['PENDING', 'DELIVERED', 'FAILED']).meta({
  id: 'DeliveryState',
  description: '`PENDING`: it waits for its first or next attempt. `FAILED`: it was given up.',
});

export const deliverySchema = z
  .object({
    deliveryId,
    messageId: z.string().meta({
      description: 'The `webhook-id` that the receiver gets. Attempts and replays of an event have the same.',
      examples: ['msg_0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e14'],
    }),
    event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    state: deliveryState,
    jobId: jobId.optional(),
    batchId: batchId.optional().meta({ description: 'The batch, if the event is about one.' }),
    webhookId: webhookId.optional().meta({ description: 'Absent for the `callbackUrl` of a request.' }),
    createdAt: moment('When the event happened, or its replay was requested.'),
    nextAttemptAt: moment('When it may be attempted. Absent once it has ended.').optional(),
    endedAt: moment('When it was delivered or given up.').optional(),
    reason: z.string().optional().meta({ description: 'Why it was given up, if not because of its last attempt.' }),
    attemptCount: z.int().nonnegative(),
    attempts: z.array(attempt).meta({ description: 'The latest attempts, oldest first.' }),
  })
  .meta({ id: 'Delivery', description: 'The delivery of an event to a receiver.' });

export const deliveryListSchema = z
  .object({ deliveries: z.array(deliverySchema), nextCursor })
  .meta({ id: 'DeliveryList', description: 'Deliveries, newest first. They are kept for a week.' });

export type WebhookView = z.infer<typeof webhookSchema>;
export type AddedWebhookView = z.infer<typeof addedWebhookSchema>;
export type WebhookListView = z.infer<typeof webhookListSchema>;
export type RotatedSecretView = z.infer<typeof rotatedSecretSchema>;
export type SecretStatusView = z.infer<typeof secretStatusSchema>;
export type DeliveryView = z.infer<typeof deliverySchema>;
export type DeliveryListView = z.infer<typeof deliveryListSchema>;

/** Returns the id in lower case, as the store has it. Throws WEBHOOK_NOT_FOUND if `text` is not a UUID. */
export function parseWebhookId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new Problem('WEBHOOK_NOT_FOUND', 'Unknown webhook: ids of webhooks are UUIDs.');
}

/** Returns the id in lower case, as the store has it. Throws DELIVERY_NOT_FOUND if `text` is not a UUID. */
export function parseDeliveryId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new Problem('DELIVERY_NOT_FOUND', 'Unknown delivery: ids of deliveries are UUIDs.');
}
