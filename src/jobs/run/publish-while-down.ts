import { JobFailed, StorageDown } from '../../domain/failure.ts';
import type { PrepareOptions, PublishIntent, Publishing } from '../ports/media-store.ts';
import { type Outage, retryWhileUnavailable } from './retry-while-unavailable.ts';

/**
 * The longest outage of the storage to wait for. Few jobs are published at a time, so longer waits would keep others from running.
 * A fault that lasts longer is left to the next attempt.
 */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Repeats each request that prepares outputs while their storage is down, for as long as `publishFiles` does. The requests share
 * the outage, so that thousands of them do not wait one after the other.
 */
export function prepareWhileDown(signal: AbortSignal): PrepareOptions {
  const outage: Outage = {};
  return {
    signal,
    whileDown: (work) => retryWhileUnavailable(work, signal, { isOutage: isStorageDown, maxMs: MAX_WAIT_MS, outage }),
  };
}

/**
 * Publishes the files of an intent. Repeats it while the storage is down, so that an outage costs no conversion. When `signal`
 * aborts, tries one last time.
 */
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
