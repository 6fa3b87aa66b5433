import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

interface S3ClientOptions {
  /** The address of an S3-compatible server. The default is AWS. */
  readonly endpoint?: string;
  readonly region: string;
  /** Whether the bucket is in the path of an address (`https://host/bucket/key`) instead of its host name. */
  readonly pathStyle: boolean;
  /** By default from the chain of the AWS SDK: environment variables, files, the metadata service of a machine. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** Default: `SOCKET_TIMEOUT_MS`. Tests set a shorter one. */
  readonly socketTimeoutMs?: number;
}

const CONNECTION_TIMEOUT_MS = 5000;

/** The longest time without a byte in either direction. Servers answer within seconds, even to the end of an upload. */
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * No request waits for the connection of another, which reads a large object for minutes: the connection timeout of the SDK
 * includes such a wait. Jobs limit their own requests.
 */
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

/** With these delays, a server may fail for about eight seconds without failing a request. */
const ATTEMPTS = 6;
const FIRST_DELAY_MS = 500;

/**
 * Repeats throttled and lost requests, each up to five times, after random delays that double. The SDK's strategy also has
 * a quota for all requests of a client, which one lost connection of each of 36 requests exhausts: a server that restarts
 * while a job sends 64 would fail the job.
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
