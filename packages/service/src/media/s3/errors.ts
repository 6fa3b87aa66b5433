import { S3ServiceException } from '@aws-sdk/client-s3';

type S3ErrorKind =
  /** No object has this key. */
  | 'missing'
  /** The multipart upload does not exist: it is complete or aborted, or never began. */
  | 'no-upload'
  /** A condition (`If-Match`, `If-None-Match`) is not met, or the server is busy with another request for the key. */
  | 'precondition'
  /** The object is too short for the requested range. */
  | 'range'
  /** A retry would fail too: the bucket or the credentials are wrong, or the server does not support the request. */
  | 'rejected'
  /** The object store, or its quota, is full. */
  | 'full'
  /** The server does not allow a key of this form. */
  | 'key'
  /** The server cannot be reached, fails or throttles requests. A later retry may succeed. */
  | 'unavailable';

/** Error codes of S3 and of compatible servers. If a code is not listed, the HTTP status decides. */
const KINDS = byKind({
  missing: ['NoSuchKey', 'NotFound'],
  'no-upload': ['NoSuchUpload'],
  precondition: ['PreconditionFailed', 'ConditionalRequestConflict'],
  range: ['InvalidRange'],
  rejected: ['NoSuchBucket'],
  full: ['QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage', 'XMinioStorageFull'],
  key: ['KeyTooLongError', 'KeyTooLong', 'InvalidObjectName', 'XMinioInvalidObjectName'],
  // A retry may succeed, although the HTTP status of these errors says otherwise.
  unavailable: ['BadDigest', 'RequestTimeout'],
});

const STATUSES = byKind({
  missing: [404],
  precondition: [409, 412],
  range: [416],
  full: [507],
  unavailable: [408, 429],
});

function byKind<T>(names: Partial<Record<S3ErrorKind, readonly T[]>>): ReadonlyMap<T, S3ErrorKind> {
  return new Map(Object.entries(names).flatMap(([kind, all]) => all.map((one) => [one, kind as S3ErrorKind] as const)));
}

/** The SDK's error for missing credentials, which is not an `S3ServiceException`. */
const CREDENTIALS = 'CredentialsProviderError';

/** errno codes and names of errors of connections. */
const CONNECTION =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|HOST\w+|NET\w+|AI_\w+|PROTO)|ENOTFOUND|UND_ERR_\w+|ERR_(?:SSL|TLS|STREAM)_\w+|TimeoutError|NetworkingError|aborted)$/;

/**
 * Returns what is wrong with a failed request to S3. Returns undefined for an abort, an error of the local disk, or a
 * bug.
 */
export function s3ErrorKind(error: unknown): S3ErrorKind | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === CREDENTIALS) return 'rejected';
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? error.$response?.statusCode ?? 0;
    return (
      KINDS.get(error.name) ?? STATUSES.get(status) ?? (status >= 400 && status < 500 ? 'rejected' : 'unavailable')
    );
  }
  return isConnectionError(error) ? 'unavailable' : undefined;
}

const isConnectionError = (error: Error): boolean =>
  CONNECTION.test(error.name) ||
  ('code' in error && typeof error.code === 'string' && CONNECTION.test(error.code)) ||
  // The SDK adds `$response` to its error if the reply is not XML, such as the reply of a proxy.
  '$response' in error;

/** Returns the error code of S3 or of the connection, for messages. It contains no host, key or credential. */
export function s3ErrorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if ('code' in error && typeof error.code === 'string' && /^\w+$/.test(error.code)) return error.code;
  return /^\w+$/.test(error.name) ? error.name : 'unknown error';
}

/** Waits for the reply to a request. Returns undefined if the object or the upload does not exist. */
export async function ifFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const kind = s3ErrorKind(error);
    if (kind === 'missing' || kind === 'no-upload') return undefined;
    throw error;
  }
}

/** Returns an ETag without quotes. Some servers omit the quotes. */
export const plainETag = (etag: string | undefined): string => (etag ?? '').replace(/^"(.*)"$/, '$1');
