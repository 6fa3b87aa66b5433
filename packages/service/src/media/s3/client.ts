import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';

interface S3ClientOptions {
  /** The address of an S3-compatible server, see `readEndpoint`. Default: AWS, which expects the bucket in the host name. */
  readonly endpoint?: string;
  readonly region: string;
  /** Default: the AWS SDK looks for them in environment variables, files and the metadata service of the machine. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** In milliseconds. Default: `SOCKET_TIMEOUT_MS`. */
  readonly socketTimeoutMs?: number;
}

const CONNECTION_TIMEOUT_MS = 5000;

/** A connection fails after this time without a byte in either direction. */
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * No limit: the SDK counts the wait for a free socket as part of the connection timeout, and a large read occupies a
 * socket for minutes.
 */
const MAX_SOCKETS = Number.POSITIVE_INFINITY;

/** Creates an S3 client, which repeats throttled and lost requests. Destroy the client to close its connections. */
export function s3Client(options: S3ClientOptions): S3Client {
  const { endpoint } = options;
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    // The SDK puts the bucket in front of the host itself.
    ...(endpoint !== undefined && { endpoint: endpoint.replace('//{bucket}.', '//') }),
    ...(options.credentials !== undefined && { credentials: options.credentials }),
    region: options.region,
    forcePathStyle: endpoint !== undefined && !endpoint.includes('//{bucket}.'),
    retryStrategy,
    // Add checksums only where S3 requires them. By default, the SDK sends them as trailers, which many S3-compatible
    // servers reject.
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

/** How many times a request is sent, at most. With these delays, it survives an outage of about eight seconds. */
const ATTEMPTS = 6;
const FIRST_DELAY_MS = 500;

/** How many times a request that stalls is sent: each takes `SOCKET_TIMEOUT_MS`, and then its caller decides. */
const STALLED_ATTEMPTS = 2;

/**
 * Repeats throttled and lost requests. The delays are random, up to a limit that doubles each time. The SDK's own
 * strategy has one quota of retries for all requests of a client, which a restart of the server during 64 requests
 * would use up.
 */
const retryStrategy: RetryStrategy = {
  acquireInitialRetryToken: async () => tokenOf(0, 0),
  refreshRetryTokenForRetry: async (token, { errorType, retryAfterHint, error }) => {
    const retries = token.getRetryCount() + 1;
    // The SDK signs by the clock of the last reply. If the clock of the machine has changed since, the server rejects the request, and only
    // a repetition has the right time. The reply to a HEAD does not say why it is rejected.
    const mayBeSkewed = retries === 1 && error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
    const isRepeatable = errorType === 'THROTTLING' || errorType === 'TRANSIENT' || mayBeSkewed;
    // The SDK gives a lost connection the same name, but it has a code.
    const isStalled = error instanceof Error && error.name === 'TimeoutError' && !('code' in error);
    const most = isStalled ? STALLED_ATTEMPTS : ATTEMPTS;
    // This error ends the retries. The SDK then throws the error of the request itself.
    if (!isRepeatable || retries >= most) throw new Error('The S3 client does not retry this request.');
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
