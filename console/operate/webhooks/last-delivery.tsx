import { useQuery } from '@tanstack/react-query';
import { client } from '../../app/client.ts';
import { Moment } from '../../ui/moment.tsx';
import { pollEvery } from '../poll.ts';
import { deliveriesKey, readCountText } from './deliveries-query.ts';
import { DeliveryStatus } from './delivery-status.tsx';

/** The newest deliveries to a webhook. With more of them, each with its attempts, the list of webhooks would be read slowly. */
const useNewest = (webhookId: string) =>
  useQuery({
    queryKey: [...deliveriesKey(webhookId), 'newest'],
    queryFn: ({ signal }) => client.webhookDeliveries(webhookId, { limit: 50, signal }),
    ...pollEvery(15),
  }).data;

/** The state of the newest delivery to a webhook, and when its event was. */
export function LastDelivery({ webhookId }: { readonly webhookId: string }) {
  const data = useNewest(webhookId);
  if (data === undefined) return null;
  const [last] = data.deliveries;
  if (last === undefined) return 'none yet';
  return (
    <>
      <DeliveryStatus delivery={last} /> <Moment at={last.createdAt} />
    </>
  );
}

/** How many deliveries to a webhook the service has stored, which it does for a week. */
export function DeliveryCount({ webhookId }: { readonly webhookId: string }) {
  const data = useNewest(webhookId);
  if (data === undefined) return null;
  return <span title="In the last 7 days">{readCountText(data.deliveries.length, data.nextCursor !== undefined)}</span>;
}
