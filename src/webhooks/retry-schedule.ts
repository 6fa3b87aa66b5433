/** The pause after the first failed attempt, in seconds. Each later pause is four times as long. */
const FIRST_PAUSE = 5;
const FACTOR = 4;

/** The longest pause. */
const LONGEST_PAUSE = 4 * 3600;

/** How long after the event a delivery may still be attempted. */
export const GIVE_UP_SECONDS = 24 * 3600;

/** How much a pause varies, so that many deliveries to a receiver that was down do not come back at once. */
const JITTER = 0.2;

/** The longest `Retry-After` that is honoured. */
const LONGEST_RETRY_AFTER = LONGEST_PAUSE;

export interface FailedAttempt {
  /** The number of attempts so far, this one included. */
  readonly attempts: number;
  /** How long ago the delivery was created. */
  readonly ageSeconds: number;
  /** What the receiver asked for. */
  readonly retryAfterSeconds?: number;
}

/**
 * Seconds until the next attempt: 5 s, 20 s, 80 s, … up to 4 h, each 20 % more or less. undefined: the delivery is given
 * up, because the next attempt would be more than 24 h after the event. `random`: from 0 to 1.
 */
export function pauseAfter(
  { attempts, ageSeconds, retryAfterSeconds = 0 }: FailedAttempt,
  random: number,
): number | undefined {
  const planned = Math.min(LONGEST_PAUSE, FIRST_PAUSE * FACTOR ** (attempts - 1));
  const varied = planned * (1 - JITTER + 2 * JITTER * random);
  const pause = Math.max(varied, Math.min(LONGEST_RETRY_AFTER, retryAfterSeconds));
  return ageSeconds + pause > GIVE_UP_SECONDS ? undefined : pause;
}
