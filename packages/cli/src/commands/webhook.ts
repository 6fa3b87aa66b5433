import type { NewWebhook, RotatedSecret } from '@telecine/client/api.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';
import type { DeliveryView, WebhookView } from '@telecine/contract/wire/webhook.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { numberIn } from '../session/command-options.ts';
import { addValue } from '../session/parameters.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { runListen } from './webhook-listener.ts';

const LISTEN_PORT = 4280;

interface AddFlags extends ServiceFlags {
  readonly event?: readonly string[];
  readonly description?: string;
}

export function declare(webhook: Command): void {
  addVerb(
    webhook.command('list', { isDefault: true }),
    'list your webhooks (the default)',
    ({ client, signal }) => client.webhooks({ signal }),
    ({ webhooks }) => showWebhooks(webhooks),
  );
  addVerb(
    webhook.command('add <url>'),
    'register a webhook and show its secret, once',
    ({ client, signal, flags: { event, description } }: Call<AddFlags>, url) =>
      // Do not check the event types here: the service checks them, and its error lists the valid types.
      client.addWebhook(
        definedMembers<NewWebhook>({ url, events: event && ([...event] as WebhookEvent[]), description }),
        { signal },
      ),
    ({ webhookId, secret }) => [
      `webhook  ${webhookId}`,
      `secret   ${secret}`,
      'Save the secret now: it is not shown again.',
    ],
  )
    .option('--event <type>', 'only events of this type, repeatable, such as job.failed', addValue)
    .option('--description <text>', 'your own note');
  for (const [verb, about, enabled] of [
    ['enable', 'send events again', true],
    ['disable', 'send no events', false],
  ] as const)
    addVerb(
      webhook.command(`${verb} <id>`),
      about,
      ({ client, signal }, id) => client.changeWebhook(id, { enabled }, { signal }),
      (changed) => showWebhooks([changed]),
    );
  addVerb(
    webhook.command('delete <id>'),
    'delete a webhook with its deliveries',
    async ({ client, signal }, id) => {
      await client.removeWebhook(id, { signal });
      return { webhookId: id };
    },
    (_, id) => [`${id} is deleted.`],
  );
  addVerb(
    webhook.command('rotate <id>'),
    'show a new secret, once; the old one signs for another day',
    ({ client, signal }, id) => client.rotateWebhookSecret(id, { signal }),
    showSecret,
  );
  addVerb(
    webhook.command('secret'),
    'show a new secret for the callbackUrl of requests, once',
    ({ client, signal }) => client.rotateWebhookSecret(undefined, { signal }),
    showSecret,
  );
  addVerb(
    webhook.command('test <id>'),
    'send a test event',
    ({ client, signal }, id) => client.testWebhook(id, { signal }),
    ({ deliveryId }, id) => [`Test event ${deliveryId} is sent. "telecine webhook deliveries ${id}" shows its result.`],
  );
  addVerb(
    webhook.command('deliveries <id>'),
    'list the newest deliveries of a webhook',
    ({ client, signal }, id) => client.webhookDeliveries(id, { signal }),
    ({ deliveries }) => showDeliveries(deliveries),
  );
  addVerb(
    webhook.command('replay <id> <delivery>'),
    'send an event again, or now if it waits for its next attempt',
    ({ client, signal }, id, delivery) => client.replayDelivery(id, delivery, { signal }),
    ({ deliveryId }, _id, delivery) => [
      deliveryId === delivery ? 'The event is sent again now.' : `The event is sent again, as delivery ${deliveryId}.`,
    ],
  );
  webhook
    .command('listen')
    .description('receive webhooks on this machine, and print and verify them; for development')
    .option('--port <port>', 'port to listen on, 0 for any', numberIn(0, 65_535), LISTEN_PORT)
    .option('--json', 'print JSON lines, for programs')
    .addHelpText(
      'after',
      '\nThe secret is read from TELECINE_WEBHOOK_SECRET, from the file in TELECINE_WEBHOOK_SECRET_FILE, or from standard input.',
    )
    .action(runListen);
}

const showSecret = ({ secret, previousExpiresAt }: RotatedSecret): readonly string[] => [
  `secret  ${secret}`,
  'Save the secret now: it is not shown again.',
  ...(previousExpiresAt === undefined ? [] : [`The previous secret signs too until ${previousExpiresAt}.`]),
];

const showWebhooks = (webhooks: readonly WebhookView[]): readonly string[] =>
  webhooks.length === 0
    ? ['There are no webhooks. "telecine webhook add URL" registers one.']
    : table([['WEBHOOK', 'STATE', 'EVENTS', 'URL'], ...webhooks.map(webhookRow)]);

const webhookRow = ({ webhookId, enabled, disabledReason, failingSince, events, url }: WebhookView): string[] => [
  webhookId,
  enabled ? (failingSince === undefined ? 'enabled' : 'failing') : `disabled (${disabledReason})`,
  events?.join(' ') ?? 'all',
  url,
];

const showDeliveries = (deliveries: readonly DeliveryView[]): readonly string[] =>
  deliveries.length === 0
    ? ['There are no deliveries.']
    : table([['DELIVERY', 'STATE', 'EVENT', 'JOB', 'ATTEMPTS', 'LAST RESULT'], ...deliveries.map(deliveryRow)]);

function deliveryRow({ deliveryId, state, event, jobId, attemptCount, attempts, reason }: DeliveryView): string[] {
  const last = attempts.at(-1);
  const result = reason ?? last?.error ?? (last?.status === undefined ? '' : String(last.status));
  return [deliveryId, state, event, jobId ?? '', String(attemptCount), result];
}
