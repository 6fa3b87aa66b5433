import { setTimeout as sleep } from 'node:timers/promises';
import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import type { PrepareOptions, PublishIntent, Publishing } from '../ports/media-store.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

/**
 * An outage that several calls share. `sinceMs`: when the first call that failed began, by `performance.now`. Absent if
 * the last call succeeded.
 */
interface Outage {
  sinceMs?: number | undefined;
}

interface RetryOptions {
  /** Returns whether an error means an outage, so that the call is repeated. Default: only `StoreUnavailable` does. */
  readonly isOutage?: (error: unknown) => boolean;
  /** How long to repeat the call during an outage, in ms. A call that lasts longer is the last. Default: no limit. */
  readonly maxMs?: number;
  /**
   * The outage that concurrent calls share. It ends when one of the calls succeeds. Default: each call counts its own
   * outage.
   */
  readonly outage?: Outage;
}

/**
 * Runs `work`, and repeats it while it throws StoreUnavailable, so that an outage does not discard a conversion. `work`
 * must be safe to repeat, because it may have been committed although its reply was lost. After an abort of `signal`,
 * runs `work` one last time.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  { isOutage = isStoreUnavailable, maxMs = Number.POSITIVE_INFINITY, outage = {} }: RetryOptions = {},
): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    const isLast = signal.aborted;
    const beganMs = performance.now();
    try {
      const result = await work();
      outage.sinceMs = undefined;
      return result;
    } catch (error) {
      if (isLast || !isOutage(error)) throw error;
      outage.sinceMs ??= beganMs;
      if (performance.now() - outage.sinceMs > maxMs) throw error;
    }
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

const isStoreUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;

/**
 * The least and the most that a job waits for the storage while it publishes. A publishing job blocks other jobs, so
 * after a longer outage it goes back to the queue.
 */
const [MIN_WAIT_MS, MAX_WAIT_MS] = [30_000, 5 * 60_000];

/** Returns how long a job waits for the storage, in ms: at most as long as another attempt would take. */
export const publishWait = (attemptMs: number): number => Math.max(MIN_WAIT_MS, Math.min(attemptMs, MAX_WAIT_MS));

/**
 * Returns options with which `prepare` repeats its requests while the storage is down. All requests share one outage:
 * otherwise, thousands of requests would each wait for the maximum time.
 */
export function prepareWhileDown(signal: AbortSignal, maxMs = MAX_WAIT_MS): PrepareOptions {
  const outage: Outage = {};
  return {
    signal,
    whileDown: (work) => retryWhileUnavailable(work, signal, { isOutage: isStorageDown, maxMs, outage }),
  };
}

/** Publishes the files of an intent. Tries again while the storage is down. After an abort, tries one last time. */
export const publishFiles = (
  media: Pick<Publishing, 'publish'>,
  intent: PublishIntent,
  signal: AbortSignal,
  maxMs = MAX_WAIT_MS,
): Promise<boolean> => retryWhileUnavailable(() => media.publish(intent), signal, { isOutage: isStorageDown, maxMs });

/**
 * Removes the files that an intent published. Tries again while the storage fails. After an abort, tries one last time.
 */
export const unpublishFiles = (
  media: Pick<Publishing, 'unpublish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<void> =>
  retryWhileUnavailable(() => media.unpublish(intent), signal, { isOutage: isStorageFault, maxMs: MAX_WAIT_MS });

/** The records of uploads and of reserved paths are in the database, so its outage stops publishing too. */
const isStorageDown = (error: unknown): boolean => error instanceof StorageDown || isStoreUnavailable(error);

const isStorageFault = (error: unknown): boolean =>
  isStoreUnavailable(error) ||
  (error instanceof JobFailed && error.failure.code === 'STORAGE_FAULT' && !error.nonRetryable);
