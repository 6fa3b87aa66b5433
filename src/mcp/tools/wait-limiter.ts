import { Problem } from '../../domain/problem.ts';

/** Waits of one client at once: each looks at the store twice a second and holds a connection. */
const MOST_A_CLIENT = 32;

/** Counts a client's wait, and returns what ends it. Throws RATE_LIMITED. */
export type WaitLimiter = (clientId: string) => () => void;

export function createWaitLimiter(): WaitLimiter {
  const waiting = new Map<string, number>();
  return (clientId) => {
    const count = waiting.get(clientId) ?? 0;
    if (count >= MOST_A_CLIENT)
      throw new Problem(
        'RATE_LIMITED',
        `${count} calls of wait_for_job are waiting already. Let one of them end first.`,
        {
          retryAfterSeconds: 5,
        },
      );
    waiting.set(clientId, count + 1);
    return () => {
      const left = (waiting.get(clientId) ?? 1) - 1;
      if (left > 0) waiting.set(clientId, left);
      else waiting.delete(clientId);
    };
  };
}
