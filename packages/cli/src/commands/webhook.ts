import type { Delivery, RotatedSecret, Webhook } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { listLines } from '../output/result-lines.ts';
import { numberIn } from '../session/command-options.ts';
import { addOperationVerbs } from '../session/operation-verbs.ts';
import { runListen } from './webhook-listener.ts';

const LISTEN_PORT = 4280;

export function declare(webhook: Command): void {
  addOperationVerbs(webhook, {
    listWebhooks: { show: ({ webhooks }) => showWebhooks(webhooks) },
    changeWebhook: { show: (changed) => showWebhooks([changed]) },
    addWebhook: { show: ({ webhookId, secret }) => [`webhook  ${webhookId}`, ...showSecret({ secret })] },
    rotateWebhookSecret: { show: showSecret },
    rotateCallbackSecret: { show: showSecret },
    testWebhook: {
      show: ({ deliveryId }, [id]) => [
        `Test event ${deliveryId} is sent. "telecine webhook deliveries ${id}" shows its result.`,
      ],
    },
    listWebhookDeliveries: { show: ({ deliveries }) => showDeliveries(deliveries) },
    replayWebhookDelivery: { show: (replayed) => showDeliveries([replayed]) },
  });
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

const showSecret = ({
  secret,
  previousExpiresAt,
}: Pick<RotatedSecret, 'secret' | 'previousExpiresAt'>): readonly string[] => [
  `secret   ${secret}`,
  'Save the secret now: it is not shown again.',
  ...(previousExpiresAt === undefined ? [] : [`The previous secret signs too until ${previousExpiresAt}.`]),
];

const showWebhooks = (webhooks: readonly Webhook[]): readonly string[] =>
  listLines(
    webhooks,
    ['webhookId', ['STATE', stateOf], ['EVENTS', ({ events }) => events?.join(' ') ?? 'all'], 'url'],
    'There are no webhooks. "telecine webhook add URL" registers one.',
  );

const stateOf = ({ enabled, failingSince, disabledReason }: Webhook): string => {
  if (!enabled) return `disabled (${disabledReason})`;
  return failingSince === undefined ? 'enabled' : 'failing';
};

const showDeliveries = (deliveries: readonly Delivery[]): readonly string[] =>
  listLines(
    deliveries,
    [
      ...(['deliveryId', 'state', 'event', 'jobId', 'attemptCount'] as const),
      ['LAST RESULT', ({ reason, attempts }) => reason ?? attempts.at(-1)?.error ?? attempts.at(-1)?.status],
    ],
    'There are no deliveries.',
  );
