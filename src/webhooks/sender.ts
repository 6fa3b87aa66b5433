import type { SendResult } from './decide-delivery.ts';

/** Sends one request to a receiver. Follows no redirect, and reads little of the reply. Throws only if the signal aborts. */
export type SendDelivery = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<SendResult>;
