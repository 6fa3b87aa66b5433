import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Delivery } from '@telecine/client';
import { client } from '../../app/client.ts';

export type DeliveryState = Delivery['state'];

/** The number of deliveries that are read: `50+` if there are more. */
export const readCountText = (read: number, hasMore: boolean): string =>
  `${read.toLocaleString()}${hasMore ? '+' : ''}`;

/** The query key that all delivery lists of a webhook begin with. */
export const deliveriesKey = (webhookId: string) => ['deliveries', webhookId] as const;

export const deliveriesQuery = (webhookId: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(webhookId), state],
    queryFn: ({ pageParam, signal }) =>
      client.webhookDeliveries(webhookId, {
        ...(state !== undefined && { state }),
        limit: 50,
        ...(pageParam !== '' && { cursor: pageParam }),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
