import { useQuery } from '@tanstack/react-query';
import { client } from '../../app/client.ts';
import { Moment } from '../../ui/moment.tsx';
import { pollEvery } from '../poll.ts';
import { deliveriesKey } from './deliveries-query.ts';
import { DeliveryStatus } from './delivery-status.tsx';

/** The state of the newest delivery to a webhook, and when its event was. */
export function LastDelivery({ webhookId }: { readonly webhookId: string }) {
  const { data } = useQuery({
    queryKey: [...deliveriesKey(webhookId), 'last'],
    queryFn: ({ signal }) => client.webhookDeliveries(webhookId, { limit: 1, signal }),
    ...pollEvery(15),
  });
  if (data === undefined) return null;
  const [last] = data.deliveries;
  if (last === undefined) return 'none yet';
  return (
    <>
      <DeliveryStatus delivery={last} /> <Moment at={last.createdAt} />
    </>
  );
}
