import { useQueries, useQuery } from '@tanstack/react-query';
import type { Delivery } from '@telecine/client';
import { client } from '../app/client.ts';
import { pollEvery } from '../operate/poll.ts';
import { deliveriesKey } from '../operate/webhooks/deliveries-query.ts';
import { webhooksQuery } from '../operate/webhooks/webhooks-query.ts';

/** How bad a state is. Of several webhooks, the one that needs a person most is shown. */
const RANKS: Readonly<Record<Delivery['state'], number>> = { DELIVERED: 0, PENDING: 1, FAILED: 2 };

/**
 * The deliveries about jobs to the webhooks of the signed-in client, by the ids of the jobs. One request for each webhook reads the newest
 * hundred, so that older jobs have none here. `isOwn`: whether the jobs are of this client. Otherwise nothing is read.
 */
export function useJobDeliveries(isOwn: boolean): ReadonlyMap<string, Delivery> {
  const { data } = useQuery({ ...webhooksQuery, enabled: isOwn });
  // Also disabled ones: their failed deliveries are why.
  const webhooks = isOwn ? (data?.webhooks ?? []) : [];
  const read = useQueries({
    queries: webhooks.map(({ webhookId }) => ({
      queryKey: [...deliveriesKey(webhookId), 'of jobs'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.webhookDeliveries(webhookId, { limit: 100, signal }),
      ...pollEvery(5),
    })),
  });
  const worst = new Map<string, Delivery>();
  for (const { data: page } of read)
    for (const [jobId, delivery] of newestByJob(page?.deliveries ?? [])) {
      const other = worst.get(jobId);
      if (other === undefined || RANKS[delivery.state] > RANKS[other.state]) worst.set(jobId, delivery);
    }
  return worst;
}

/** Deliveries are listed newest first, and one that is sent again is a new one. */
const newestByJob = (deliveries: readonly Delivery[]): ReadonlyMap<string, Delivery> =>
  new Map(
    deliveries
      .flatMap((delivery) => (delivery.jobId === undefined ? [] : [[delivery.jobId, delivery] as const]))
      .toReversed(),
  );
