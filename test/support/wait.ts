import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

/** The pause of all that can only be polled. */
export const pauseOfPolls = (): Promise<unknown> => delay(POLL_INTERVAL_MS);

/**
 * Polls `read` until it returns a value. Throws with `what` in the message after `seconds`.
 *
 * @param pause Waits until it is worth to read again.
 */
export async function waitUntil<T>(
  what: string,
  read: () => Promise<T | undefined>,
  seconds = 60,
  pause = pauseOfPolls,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s for ${what}`);
    await pause();
  }
}
