import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../domain/store-errors.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

/** `sinceMs`: when work failed first, on the clock of `performance`; absent while it succeeds. */
export interface Outage {
  sinceMs?: number | undefined;
}

interface RetryOptions {
  /** Which errors are worth a retry. Default: StoreUnavailable. */
  readonly isOutage?: (error: unknown) => boolean;
  /** The longest outage to wait for, in ms. Default: no limit. */
  readonly maxMs?: number;
  /** An outage that concurrent calls share. It ends when one of them succeeds. Default: each call has its own. */
  readonly outage?: Outage;
}

/**
 * Runs `work`, and repeats it while it throws StoreUnavailable, so that an outage of the database discards no finished
 * conversion. `work` must be safe to repeat: the reply to a commit can be lost. When `signal` aborts, runs `work` one
 * last time.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  { isOutage = isStoreUnavailable, maxMs = Number.POSITIVE_INFINITY, outage = {} }: RetryOptions = {},
): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    const { sinceMs = Number.POSITIVE_INFINITY } = outage;
    const isLast = signal.aborted || performance.now() - sinceMs > maxMs;
    try {
      const result = await work();
      outage.sinceMs = undefined;
      return result;
    } catch (error) {
      if (isLast || !isOutage(error)) throw error;
      outage.sinceMs ??= performance.now();
    }
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

const isStoreUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;
