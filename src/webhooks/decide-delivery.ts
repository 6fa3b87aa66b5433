import { TEST_EVENT } from '../domain/webhook.ts';
import type { ClaimedDelivery, DeliveryAttempt, DeliveryOutcome } from './ports.ts';
import { pauseAfter } from './retry-schedule.ts';

/** The result of one request to a receiver. */
export type SendResult =
  | {
      readonly status: number;
      readonly body?: string;
      /** As the receiver sent it. */
      readonly retryAfter?: string;
    }
  /** `isFinal`: the same request can never succeed. */
  | { readonly error: string; readonly isFinal: boolean };

const GONE = 410;

/** Decides what an attempt means for its delivery. Pure. `random`: from 0 to 1. */
export function decideDelivery(
  delivery: Pick<ClaimedDelivery, 'message' | 'createdAt' | 'attemptCount'>,
  result: SendResult,
  { at, seconds }: { readonly at: Date; readonly seconds: number },
  random: number,
): DeliveryOutcome {
  const attempt = describeAttempt(result, at, seconds);
  if ('status' in result && result.status >= 200 && result.status < 300) return { state: 'DELIVERED', attempt };
  if ('status' in result && result.status === GONE) return { state: 'FAILED', attempt, isGone: true };
  if ('error' in result && result.isFinal) return { state: 'FAILED', attempt };
  // Whoever sends a test looks at its result, and sends another one.
  if (delivery.message.event === TEST_EVENT) return { state: 'FAILED', attempt };
  const endMs = at.getTime() + seconds * 1000;
  const retryAfterSeconds = 'status' in result ? readRetryAfter(result.retryAfter, endMs) : 0;
  const afterSeconds = pauseAfter(
    {
      attempts: delivery.attemptCount + 1,
      ageSeconds: (endMs - Date.parse(delivery.createdAt)) / 1000,
      retryAfterSeconds,
    },
    random,
  );
  return afterSeconds === undefined ? { state: 'FAILED', attempt } : { state: 'PENDING', attempt, afterSeconds };
}

function describeAttempt(result: SendResult, at: Date, seconds: number): DeliveryAttempt {
  const measured = { at: at.toISOString(), seconds: Math.round(seconds * 1000) / 1000 };
  if ('error' in result) return { ...measured, error: result.error };
  const { status, body } = result;
  return {
    ...measured,
    status,
    ...(status >= 300 && { error: statusError(status) }),
    ...(body !== undefined && body !== '' && { body }),
  };
}

function statusError(status: number): string {
  if (status < 400)
    return `The receiver redirects (${status}), which is not followed. Register the address it redirects to.`;
  if (status === GONE) return 'The receiver is gone (410).';
  return `The receiver replied ${status}.`;
}

/** Seconds of a `Retry-After` (RFC 9110, 10.2.3): a number or a date. 0 if it is absent or has another form. */
function readRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
