import { setTimeout as sleep } from 'node:timers/promises';
import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import type { PrepareOptions, PublishIntent, Publishing } from '../ports/media-store.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5000;

/** `sinceMs`: when work failed first, on the clock of `performance`; absent while it succeeds. */
interface Outage {
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
 * Runs `work`, and repeats it while it throws StoreUnavailable, so that an outage discards no conversion. `work` must
 * be safe to repeat, because the reply to a commit can be lost. After an abort of `signal`, runs `work` one last time.
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

/** The longest outage of the storage to wait for: publishing jobs block others. The next attempt handles longer ones. */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Repeats requests that prepare outputs while the storage is down. They share the outage, so that thousands do not wait
 * in turn.
 */
export function prepareWhileDown(signal: AbortSignal): PrepareOptions {
  const outage: Outage = {};
  return {
    signal,
    whileDown: (work) => retryWhileUnavailable(work, signal, { isOutage: isStorageDown, maxMs: MAX_WAIT_MS, outage }),
  };
}

/** Publishes the files of an intent, and repeats it while the storage is down. After an abort, tries one last time. */
export const publishFiles = (
  media: Pick<Publishing, 'publish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<boolean> =>
  retryWhileUnavailable(() => media.publish(intent), signal, { isOutage: isStorageDown, maxMs: MAX_WAIT_MS });

/** Removes the files that an intent published. Repeats it while the storage fails, as `publishFiles` does. */
export const unpublishFiles = (
  media: Pick<Publishing, 'unpublish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<void> =>
  retryWhileUnavailable(() => media.unpublish(intent), signal, { isOutage: isStorageFault, maxMs: MAX_WAIT_MS });

const isStorageDown = (error: unknown): boolean => error instanceof StorageDown;

const isStorageFault = (error: unknown): boolean =>
  error instanceof JobFailed && error.failure.code === 'STORAGE_FAULT' && !error.nonRetryable;
