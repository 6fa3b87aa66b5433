import { useInfiniteQuery } from '@tanstack/react-query';
import type { Webhook } from '@telecine/client';
import { WithCode } from '../../ui/with-code.tsx';
import { deliveriesQuery } from './deliveries-query.ts';
import { lastFailure } from './last-failure.ts';

/** Why the latest attempt to send to a webhook failed. It is read for webhooks that fail, which are few. `after`: what divides it from the text before it. */
export function FailureReason({
  webhook: { webhookId, failingSince },
  after = '',
}: {
  readonly webhook: Webhook;
  readonly after?: string;
}) {
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(webhookId, undefined),
    enabled: failingSince !== undefined,
  });
  if (failingSince === undefined) return null;
  const reason = lastFailure(deliveries.data?.pages[0]?.deliveries ?? []);
  return reason === undefined ? null : <WithCode text={after + reason} />;
}
