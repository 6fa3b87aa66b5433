import { setTimeout as sleep } from 'node:timers/promises';
import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import type { PrepareOptions, PublishIntent, Publishing } from '../ports/media-store.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

/** An outage. `sinceMs`: the time of the first failure, on the clock of `performance`. Absent if the last call succeeded. */
interface Outage {
  sinceMs?: number | undefined;
}

interface RetryOptions {
  /** Returns whether an error is worth a retry. Default: only StoreUnavailable is. */
  readonly isOutage?: (error: unknown) => boolean;
  /** The maximum duration of an outage to wait for, in ms. Default: no limit. */
  readonly maxMs?: number;
  /**
   * The state of an outage, if concurrent calls share it. The outage ends when one of the calls succeeds. Default: each
   * call has its own state.
   */
  readonly outage?: Outage;
}

/**
 * Runs `work` and repeats it while it throws StoreUnavailable, so that an outage does not discard a conversion. `work`
 * must be safe to repeat, because the reply to a commit can be lost. If `signal` is aborted, runs `work` one last time.
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

/**
 * The maximum time to wait for the storage. A job that publishes blocks other jobs, so after a longer outage the job is
 * tried again later.
 */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Repeats the requests that prepare outputs while the storage is down. All requests share one outage, so that thousands
 * of requests do not each wait for the maximum time.
 */
export function prepareWhileDown(signal: AbortSignal): PrepareOptions {
  const outage: Outage = {};
  return {
    signal,
    whileDown: (work) => retryWhileUnavailable(work, signal, { isOutage: isStorageDown, maxMs: MAX_WAIT_MS, outage }),
  };
}

/** Publishes the files of an intent. Repeats this while the storage is down. After an abort, tries one last time. */
export const publishFiles = (
  media: Pick<Publishing, 'publish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<boolean> =>
  retryWhileUnavailable(() => media.publish(intent), signal, { isOutage: isStorageDown, maxMs: MAX_WAIT_MS });

/** Removes the files that an intent published. Repeats this while the storage fails. After an abort, tries one last time. */
export const unpublishFiles = (
  media: Pick<Publishing, 'unpublish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<void> =>
  retryWhileUnavailable(() => media.unpublish(intent), signal, { isOutage: isStorageFault, maxMs: MAX_WAIT_MS });

const isStorageDown = (error: unknown): boolean => error instanceof StorageDown;

const isStorageFault = (error: unknown): boolean =>
  error instanceof JobFailed && error.failure.code === 'STORAGE_FAULT' && !error.nonRetryable;
