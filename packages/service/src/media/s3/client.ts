import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

interface S3ClientOptions {
  /** The address of an S3-compatible server. The default is AWS. */
  readonly endpoint?: string;
  readonly region: string;
  /** Whether the bucket is in the path of a URL (`https://host/bucket/key`) instead of the host name. */
  readonly pathStyle: boolean;
  /** Default: from the chain of the AWS SDK (environment variables, files, the metadata service of the machine). */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** Default: `SOCKET_TIMEOUT_MS`. */
  readonly socketTimeoutMs?: number;
}

const CONNECTION_TIMEOUT_MS = 5000;

/** The longest time without a byte in either direction. */
const SOCKET_TIMEOUT_MS = 30_000;

/** Unlimited: the connection timeout of the SDK includes the wait for a free socket, and a large read takes minutes. */
const MAX_SOCKETS = Number.POSITIVE_INFINITY;

/** Creates a client for a bucket. It retries throttled and lost requests. Destroy it to close its connections. */
export function s3Client(options: S3ClientOptions): S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    ...(options.credentials !== undefined && { credentials: options.credentials }),
    region: options.region,
    forcePathStyle: options.pathStyle,
    retryStrategy,
    // The checksums that the SDK adds by default are trailers, which many S3-compatible servers reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: options.socketTimeoutMs ?? SOCKET_TIMEOUT_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

type RetryStrategy = Extract<
  NonNullable<S3ClientConfig['retryStrategy']>,
  { readonly acquireInitialRetryToken: unknown }
>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

/** With these delays, a request survives a server that fails for about eight seconds. */
const ATTEMPTS = 6;
const FIRST_DELAY_MS = 500;

/**
 * Repeats throttled and lost requests up to five times, after random delays that double. The SDK's own strategy has a quota
 * for all requests of a client, which a restart of the server during 64 requests would exhaust.
 */
const retryStrategy: RetryStrategy = {
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
