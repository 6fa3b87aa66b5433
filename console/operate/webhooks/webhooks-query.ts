import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/client.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => client.webhooks({ signal }),
});

export const webhookQuery = (webhookId: string) =>
  queryOptions({ queryKey: ['webhook', webhookId], queryFn: ({ signal }) => client.webhook(webhookId, { signal }) });
