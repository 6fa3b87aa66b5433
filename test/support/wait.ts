import { setTimeout as delay } from 'node:timers/promises';

/** Between two polls. */
const EVERY_MS = 50;

/** Polls `look` until it returns a value. Throws with `what` in the message after `seconds`. */
export async function waitUntil<T>(what: string, look: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s for ${what}`);
    await delay(EVERY_MS);
  }
}
