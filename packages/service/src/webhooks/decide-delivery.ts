import { retryAfterMs } from '@telecine/contract/domain/retry-after.ts';
import { HIDDEN } from '@telecine/contract/domain/secret-options.ts';
import { GIVE_UP_SECONDS, TEST_EVENT } from '@telecine/contract/domain/webhook.ts';
import type { ClaimedDelivery, DeliveryAttempt, DeliveryOutcome } from './ports/outbox.ts';

export type SendResult =
  | {
      readonly status: number;
      readonly body?: string;
      /** The field `Retry-After`, as the receiver sent it. */
      readonly retryAfter?: string;
    }
  /** `isFinal`: the request can never succeed, so it is not repeated. */
  | { readonly error: string; readonly isFinal: boolean };

const GONE = 410;

/** Decides what happens after an attempt to deliver. Pure. `random`: a number from 0 to 1. */
export function decideDelivery(
  delivery: Pick<ClaimedDelivery, 'message' | 'createdAt' | 'attemptCount' | 'plannedAt'>,
  result: SendResult,
  { at, seconds }: { readonly at: Date; readonly seconds: number },
  random: number,
): DeliveryOutcome {
  const attempt = describeAttempt(result, at, seconds);
  if ('status' in result && result.status >= 200 && result.status < 300) return { state: 'DELIVERED', attempt };
  if ('status' in result && result.status === GONE) return { state: 'FAILED', attempt, isGone: true };
  if ('error' in result && result.isFinal) return { state: 'FAILED', attempt };
  // Do not repeat a test event: its sender sees the result and can send another one.
  if (delivery.message.event === TEST_EVENT) return { state: 'FAILED', attempt };
  const endMs = at.getTime() + seconds * 1000;
  const retryAfterSeconds = 'status' in result ? (retryAfterMs(result.retryAfter, endMs) ?? 0) / 1000 : 0;
  const plannedSeconds = delivery.plannedAt === undefined ? 0 : (Date.parse(delivery.plannedAt) - endMs) / 1000;
  // An attempt that a person asked for keeps the schedule: otherwise, each one would make the next pause four times as long.
  if (plannedSeconds > 0)
    return { state: 'PENDING', attempt, afterSeconds: Math.max(plannedSeconds, allowedRetryAfter(retryAfterSeconds)) };
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
  if (status === GONE) return 'The receiver replied 410 (Gone), so it gets no more events.';
  return `The receiver replied ${status}.`;
}

/** The pause after the first failed attempt, in seconds. Each further pause is four times as long as the last one. */
const FIRST_PAUSE = 5;
const FACTOR = 4;

const LONGEST_PAUSE = 4 * 3600;

/**
 * Each pause varies by this share. Otherwise, many deliveries to a receiver that was down would come back at the same
 * time.
 */
const JITTER = 0.2;

/** The longest `Retry-After` that is followed, in seconds. */
const LONGEST_RETRY_AFTER = LONGEST_PAUSE;

interface FailedAttempt {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** The seconds since the delivery was created. */
  readonly ageSeconds: number;
  readonly retryAfterSeconds?: number;
}

const allowedRetryAfter = (seconds: number): number => Math.min(LONGEST_RETRY_AFTER, seconds);

const plannedPause = (attempts: number): number => Math.min(LONGEST_PAUSE, FIRST_PAUSE * FACTOR ** (attempts - 1));

/**
 * Returns how many attempts the schedule has made at an age at most, by its shortest pauses. The number of attempts may be
 * higher: attempts that a person asked for count too.
 */
function scheduledAttempts(ageSeconds: number): number {
  let attempts = 1;
  for (let at = plannedPause(1); at * (1 - JITTER) <= ageSeconds; at += plannedPause(attempts)) attempts += 1;
  return attempts;
}

/**
 * Returns the seconds until the next attempt: 5 s, 20 s, … up to 4 h, ± 20 %. undefined: the delivery is given up,
 * because its event would be more than 24 h old. `random`: a number from 0 to 1.
 */
export function pauseAfter(
  { attempts, ageSeconds, retryAfterSeconds = 0 }: FailedAttempt,
  random: number,
): number | undefined {
  const planned = plannedPause(Math.min(attempts, scheduledAttempts(ageSeconds)));
  const varied = planned * (1 - JITTER + 2 * JITTER * random);
  const pause = Math.max(varied, allowedRetryAfter(retryAfterSeconds));
  return ageSeconds + pause > GIVE_UP_SECONDS ? undefined : pause;
}

/** How many bytes of a reply are stored and shown. */
export const EXCERPT_BYTES = 256;

/** Texts in a reply that may be credentials, because a receiver may repeat the request in its reply. */
const SECRETS = [/whsec_[\w+/=]+/g, /\b(?:Bearer|Basic) +[\w.~+/=-]+/gi, /\bey[\w-]+\.[\w-]+\.[\w-]+/g];

/** Returns the start of a reply as one line of text, without control characters and credentials. */
export function replyExcerpt(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES)).replace(/\uFFFD$/, '');
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return SECRETS.reduce((hidden, secret) => hidden.replace(secret, HIDDEN), line);
}
