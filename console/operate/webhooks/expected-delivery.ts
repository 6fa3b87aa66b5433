import type { Delivery } from '@telecine/client';

/** How near the next attempt of an expected delivery is, in ms. An attempt that is later than this waits for something else. */
const NEAR_MS = 60_000;

/** Whether the result of an attempt is soon there. Not if it is overdue: its webhook is disabled, or its receiver has many to get. */
export const isExpected = ({ state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>, now: number): boolean =>
  state === 'PENDING' && nextAttemptAt !== undefined && Math.abs(Date.parse(nextAttemptAt) - now) < NEAR_MS;
