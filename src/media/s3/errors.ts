import { S3ServiceException } from '@aws-sdk/client-s3';

/** What a failed request means for the caller. */
type S3ErrorKind =
  /** There is no object with the key. */
  | 'missing'
  /** There is no multipart upload with the id: it is complete, aborted, or was never begun. */
  | 'no-upload'
  /** A condition (`If-Match`, `If-None-Match`) does not hold, or another request for the key runs. */
  | 'precondition'
  /** The object is shorter than the range. */
  | 'range'
  /** A retry fails too: the bucket or the credentials are missing or wrong, or the server does not support the request. */
  | 'rejected'
  /** The store or its quota is full. */
  | 'full'
  /** The server allows no such key. */
  | 'key'
  /** The server cannot be reached, fails or throttles requests. A later retry may succeed. */
  | 'unavailable';

/** Error codes of S3 and of servers that are compatible with it. Others go by their status. */
const KINDS = byKind({
  missing: ['NoSuchKey', 'NotFound'],
  'no-upload': ['NoSuchUpload'],
  precondition: ['PreconditionFailed', 'ConditionalRequestConflict'],
  range: ['InvalidRange'],
  rejected: ['NoSuchBucket'],
  full: ['QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage', 'XMinioStorageFull'],
  key: ['KeyTooLongError', 'KeyTooLong', 'InvalidObjectName', 'XMinioInvalidObjectName'],
  // A retry may fix them, although their status says otherwise.
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

/** The name of an error of the SDK for missing credentials; it is an error of no service. */
const CREDENTIALS = 'CredentialsProviderError';

/** errno codes and names of errors of a connection. */
const CONNECTION =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|HOST\w+|NET\w+|AI_\w+|PROTO)|ENOTFOUND|UND_ERR_\w+|ERR_(?:SSL|TLS|STREAM)_\w+|TimeoutError|NetworkingError|aborted)$/;

/**
 * Classifies an error of a request to S3. Returns undefined for an error that does not come from S3: an abort by a signal,
 * an error of the local disk, or a bug.
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
  // A reply that is not XML, for example of a proxy: the SDK adds what it received.
  '$response' in error;

/** The name of an error for messages: the error code of S3 or of the connection. Names no host, key or credential. */
export function s3ErrorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if ('code' in error && typeof error.code === 'string' && /^\w+$/.test(error.code)) return error.code;
  return /^\w+$/.test(error.name) ? error.name : 'unknown error';
}

/** Runs a request, and returns undefined if there is no such object or upload. */
export async function ifFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const kind = s3ErrorKind(error);
    if (kind === 'missing' || kind === 'no-upload') return undefined;
    throw error;
  }
}

/** An ETag without its quotes, which some servers omit in some replies. */
export const plainETag = (etag: string | undefined): string => (etag ?? '').replace(/^"(.*)"$/, '$1');
