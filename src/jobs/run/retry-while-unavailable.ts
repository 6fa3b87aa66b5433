import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../domain/store-unavailable.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

interface RetryOptions {
  /** Which errors are worth a retry. Default: StoreUnavailable. */
  readonly isOutage?: (error: unknown) => boolean;
  /** How long `work` is repeated. Default: without end. */
  readonly maxMs?: number;
}

/**
 * Runs `work`, and repeats it while it throws StoreUnavailable, so that an outage of the database discards no finished
 * conversion. `work` must be safe to repeat: the reply to a commit can be lost. When `signal` aborts, runs `work` one
 * last time.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  { isOutage = isStoreUnavailable, maxMs = Number.POSITIVE_INFINITY }: RetryOptions = {},
): Promise<T> {
  const deadline = performance.now() + maxMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    const isLast = signal.aborted || performance.now() > deadline;
    try {
      return await work();
    } catch (error) {
      if (isLast || !isOutage(error)) throw error;
    }
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

const isStoreUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;
