import { setTimeout as delay } from 'node:timers/promises';

/** Between two looks. */
const EVERY_MS = 50;

/** Looks until `look` gives something; throws with `what` at the deadline. */
export async function waitUntil<T>(what: string, look: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}`);
    await delay(EVERY_MS);
  }
}
