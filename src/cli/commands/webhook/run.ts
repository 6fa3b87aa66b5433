import { plainText } from '../../../domain/text-validation.ts';
import type { WebhookEvent } from '../../../domain/webhook.ts';
import type { DeliveryView, WebhookView } from '../../../wire/webhook.ts';
import { table } from '../../output/table.ts';
import type { JobsFlags, WebhookFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';

export const runList = (flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.webhooks({ signal }),
    ({ webhooks }) => showWebhooks(webhooks),
  );

export const runAdd = (url: string, { event, description, ...flags }: WebhookFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) =>
      client.addWebhook(
        {
          url,
          // The service names the types that exist.
          ...(event && { events: [...event] as WebhookEvent[] }),
          ...(description !== undefined && { description }),
        },
        { signal },
      ),
    ({ webhookId, secret }) => [`webhook  ${webhookId}`, `secret   ${secret}`, 'The secret is shown only now.'],
  );

export const runEnable = (id: string, enabled: boolean, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.changeWebhook(id, { enabled }, { signal }),
    (webhook) => showWebhooks([webhook]),
  );

export const runDelete = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => {
      await client.removeWebhook(id, { signal });
      return { webhookId: id };
    },
    () => [`${id} is deleted.`],
  );

/** `id`: a webhook, or undefined for the secret of callbacks. */
export const runRotate = (id: string | undefined, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.rotateWebhookSecret(id, { signal }),
    ({ secret, previousExpiresAt }) => [
      `secret  ${secret}`,
      'The secret is shown only now.',
      ...(previousExpiresAt === undefined ? [] : [`The previous secret signs too until ${previousExpiresAt}.`]),
    ],
  );

export const runTest = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.testWebhook(id, { signal }),
    ({ deliveryId }) => [`Test event ${deliveryId} is sent. "telecine webhook deliveries ${id}" shows its result.`],
  );

export const runDeliveries = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.webhookDeliveries(id, { signal }),
    ({ deliveries }) => showDeliveries(deliveries),
  );

export const runReplay = (id: string, delivery: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.replayDelivery(id, delivery, { signal }),
    ({ deliveryId }) => [`The event is sent again, as delivery ${deliveryId}.`],
  );

const showWebhooks = (webhooks: readonly WebhookView[]): readonly string[] =>
  webhooks.length === 0
    ? ['There are no webhooks. "telecine webhook add URL" registers one.']
    : table([['WEBHOOK', 'STATE', 'EVENTS', 'URL'], ...webhooks.map(webhookRow)]).map(plainText);

const webhookRow = ({ webhookId, enabled, disabledReason, failingSince, events, url }: WebhookView): string[] => [
  webhookId,
  enabled ? (failingSince === undefined ? 'enabled' : 'failing') : `disabled (${disabledReason})`,
  events?.join(' ') ?? 'all',
  url,
];

const showDeliveries = (deliveries: readonly DeliveryView[]): readonly string[] =>
  deliveries.length === 0
    ? ['There are no deliveries.']
    : table([['DELIVERY', 'STATE', 'EVENT', 'JOB', 'ATTEMPTS', 'LAST RESULT'], ...deliveries.map(deliveryRow)]).map(
        plainText,
      );

function deliveryRow({ deliveryId, state, event, jobId, attemptCount, attempts, reason }: DeliveryView): string[] {
  const last = attempts.at(-1);
  const result = reason ?? last?.error ?? (last?.status === undefined ? '' : String(last.status));
  return [deliveryId, state, event, jobId ?? '', String(attemptCount), result];
}
