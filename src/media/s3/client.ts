import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { retryStrategy } from './retry-strategy.ts';

export interface S3ClientOptions {
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
