import { queryOptions } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../../app/client.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => client.webhooks({ signal }),
});

export const webhookQuery = (webhookId: string) =>
  queryOptions({ queryKey: ['webhook', webhookId], queryFn: ({ signal }) => client.webhook(webhookId, { signal }) });

/** Whether a delivery was not sent again because an attempt runs. */
export const isBeingSent = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'DELIVERY_NOT_FINISHED';

/** Whether a call failed because the webhook was disabled after the page had read it. */
export const wasDisabled = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'WEBHOOK_DISABLED';
