import { useInfiniteQuery } from '@tanstack/react-query';
import type { Webhook } from '@telecine/client';
import { deliveriesQuery } from './deliveries-query.ts';
import { lastFailure } from './last-failure.ts';

/** Why the latest attempt to send to a webhook failed. It is read for webhooks that fail, which are few. */
export function FailureReason({ webhook: { webhookId, failingSince } }: { readonly webhook: Webhook }) {
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(webhookId, undefined),
    enabled: failingSince !== undefined,
  });
  if (failingSince === undefined) return null;
  return lastFailure(deliveries.data?.pages[0]?.deliveries ?? []) ?? null;
}
