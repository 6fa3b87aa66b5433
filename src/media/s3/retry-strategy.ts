import type { S3ClientConfig } from '@aws-sdk/client-s3';

type RetryStrategy = Extract<
  NonNullable<S3ClientConfig['retryStrategy']>,
  { readonly acquireInitialRetryToken: unknown }
>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

/** With these delays, a server may fail for about eight seconds without failing a request. */
const ATTEMPTS = 6;
const FIRST_DELAY_MS = 500;

/**
 * Repeats throttled and lost requests, each up to five times, after random delays that double. The SDK's strategy also has
 * a quota for all requests of a client, which one lost connection of each of 36 requests exhausts: a server that restarts
 * while a job sends 64 would fail the job.
 */
export const retryStrategy: RetryStrategy = {
  acquireInitialRetryToken: async () => tokenOf(0, 0),
  refreshRetryTokenForRetry: async (token, { errorType, retryAfterHint }) => {
    const retries = token.getRetryCount() + 1;
    const isRepeatable = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    // The SDK then throws the error of the request.
    if (!isRepeatable || retries === ATTEMPTS) throw new Error('The request is not repeated.');
    const longest = FIRST_DELAY_MS * 2 ** token.getRetryCount();
    const hinted = retryAfterHint === undefined ? 0 : retryAfterHint.getTime() - Date.now();
    return tokenOf(retries, Math.max(Math.random() * longest, Math.min(hinted, longest)));
  },
  recordSuccess: () => undefined,
};

const tokenOf = (retries: number, delayMs: number): RetryToken & { getRetryCost(): undefined } => ({
  getRetryCount: () => retries,
  getRetryDelay: () => delayMs,
  getRetryCost: () => undefined,
});
