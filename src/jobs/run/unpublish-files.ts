import { JobFailed } from '../../domain/failure.ts';
import type { PublishIntent, Publishing } from '../ports/publishing.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** The longest outage of the storage to wait for. A fault that lasts longer is left to the next attempt. */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Removes the files that an intent published. Repeats it while the storage fails, so that an outage delays the job instead of
 * costing it an attempt. When `signal` aborts, tries one last time.
 */
export const unpublishFiles = (
  media: Pick<Publishing, 'unpublish'>,
  intent: PublishIntent,
  signal: AbortSignal,
): Promise<void> =>
  retryWhileUnavailable(() => media.unpublish(intent), signal, { isOutage: isStorageFault, maxMs: MAX_WAIT_MS });

const isStorageFault = (error: unknown): boolean =>
  error instanceof JobFailed && error.failure.code === 'STORAGE_FAULT' && !error.nonRetryable;
