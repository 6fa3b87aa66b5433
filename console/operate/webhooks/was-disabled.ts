import { ClientError } from '@telecine/client';

/** Whether a call failed because the webhook was disabled after the page had read it. */
export const wasDisabled = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'WEBHOOK_DISABLED';
