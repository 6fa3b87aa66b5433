import type { TokensView } from '../../../packages/contract/src/wire/token.ts';
import { isFinal, must } from '../../../scripts/lib/api.ts';
import { waitUntil } from '../../support/wait.ts';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import type { Ledger } from '../soak/ledger.ts';
import { ADMIN, type Cluster } from './cluster.ts';

/** How long the last webhooks may take. A delivery that failed is repeated after half a minute and more. */
const ARRIVED_SECONDS = 180;

export async function startClusterWebhooks(closers: AsyncDisposableStack): Promise<WebhookReceiver> {
  const receiver = await startReceiver();
  closers.defer(() => receiver.close());
  return receiver;
}

export async function registerWebhook({ members }: Cluster, receiver: WebhookReceiver): Promise<void> {
  const url = members[0]?.url() ?? '';
  const { accessToken: token } = await must<TokensView>(`${url}/api/auth/token`, { body: ADMIN });
  await must(`${url}/api/webhooks`, { token, body: { url: receiver.url('/jobs') } });
}

/** Each job must have exactly one event, which says how it ended. A delivery whose reply was lost is repeated with the same id. */
export async function checkWebhooks(ledger: Ledger, receiver: WebhookReceiver): Promise<void> {
  const ended = [...ledger.entries.values()].flatMap(({ job }) => (job && isFinal(job) ? [job] : []));
  const eventsOf = (): Map<string | undefined, Set<string>> => {
    const events = Map.groupBy(receiver.received('/jobs'), ({ event }) => event.data.jobId);
    return new Map([...events].map(([job, all]) => [job, new Set(all.map(({ id, event }) => `${id} ${event.type}`))]));
  };
  const allArrived = async () => ended.every(({ jobId }) => eventsOf().has(jobId)) || undefined;
  await waitUntil('all webhooks', allArrived, ARRIVED_SECONDS).catch(() => {});
  const events = eventsOf();
  for (const { jobId, status } of ended) {
    const got = [...(events.get(jobId) ?? [])];
    if (got.length !== 1 || got[0]?.endsWith(` job.${status.toLowerCase()}`) !== true)
      ledger.fault(`job ${jobId} is ${status}, and its webhooks are: ${got.join(', ') || 'none'}`);
  }
}
