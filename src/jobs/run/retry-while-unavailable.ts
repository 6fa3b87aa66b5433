import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../domain/store-unavailable.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

/**
 * Runs `work`, and repeats it while it throws StoreUnavailable, so that an outage of the database discards no finished
 * conversion. `work` must be safe to repeat: the reply to a commit can be lost. When `signal` aborts, runs `work` one
 * last time.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    const isLast = signal.aborted;
    try {
      return await work();
    } catch (error) {
      if (isLast || !(error instanceof StoreUnavailable)) throw error;
    }
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}
