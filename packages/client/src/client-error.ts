import type { Problem, ProblemCode } from './api.ts';

/**
 * Why a call failed. `rejected`: the service replied with an error; `problem` is its problem document, if it sent one. Also: the client
 * sent nothing because an id or a path would address another operation; there is then no `status`. `unreachable`: the client received no
 * complete reply. `unexpected`: the reply is not from Telecine. `changed`: the file was replaced during its download, or changed during its
 * upload.
 */
export type ClientErrorKind = 'rejected' | 'unreachable' | 'unexpected' | 'changed';

/**
 * The code of the problem document, such as `INVALID_REQUEST`. A reply to HEAD has a code too, although it cannot have a document.
 * `HTTP_ERROR`: an error reply of another server, such as a proxy. Otherwise the kind of the error in capitals.
 */
export type ClientErrorCode = ProblemCode | 'HTTP_ERROR' | 'UNREACHABLE' | 'UNEXPECTED' | 'CHANGED';

/** What is wrong with one field of a request, and what to send instead. */
export type FieldError = NonNullable<Problem['errors']>[number];

interface Details {
  /** The code of the error. Default: the code of the problem. */
  readonly code?: ProblemCode | undefined;
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The error with which calls reject. Exceptions: the signal is aborted, or a local file cannot be read or written. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  readonly code: ClientErrorCode;
  /** The HTTP status. undefined: there was no reply. */
  readonly status: number | undefined;
  /** The problem document of the service. undefined: the service sent none. */
  readonly problem: Problem | undefined;
  /** The seconds in `Retry-After`. undefined: the reply has no such header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ClientErrorKind, message: string, details: Details = {}) {
    const { code, status, problem, retryAfterSeconds, cause } = details;
    super(message, { cause });
    this.kind = kind;
    this.code = code ?? codeOf(kind, problem);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The error of each wrong field of the request. Empty if the error is not about fields. */
  get errors(): readonly FieldError[] {
    return this.problem?.errors ?? [];
  }

  /** What to send instead: the fixes of `errors`. */
  get fixes(): readonly string[] {
    return this.errors.flatMap(({ fix }) => fix ?? []);
  }
}

const codeOf = (kind: ClientErrorKind, problem: Problem | undefined): ClientErrorCode => {
  if (problem !== undefined) return problem.code as ProblemCode;
  return kind === 'rejected' ? 'HTTP_ERROR' : (kind.toUpperCase() as Uppercase<Exclude<ClientErrorKind, 'rejected'>>);
};

/** An HTTP response with an error status, from fetch or from Node's client. */
interface ErrorReply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  /** Whether the reply belongs to a HEAD request. Such a reply has no body. */
  readonly isHead?: boolean;
  /** Whether the reply is a redirect whose status and header fields the browser hides. */
  readonly isRedirect?: boolean;
}

/** The error for a response with an error status. */
export function errorResponse({ status, header, body, isHead = false, isRedirect = false }: ErrorReply): ClientError {
  if (isRedirect || (status >= 300 && status < 400))
    return new ClientError(
      'unexpected',
      `The service redirects${targetOf(header('location'))}. Set its final address.`,
      { status },
    );
  const seconds = retryAfterSeconds(header('retry-after'));
  const ofHead = isHead ? HEAD_PROBLEMS[status] : undefined;
  if (ofHead !== undefined) {
    const [code, message] = ofHead;
    return new ClientError('rejected', message, { code, status, retryAfterSeconds: seconds });
  }
  const problem = problemOf(header('content-type'), body);
  const message = problem?.detail ?? foreignReplyText(status);
  return new ClientError('rejected', message, { status, problem, retryAfterSeconds: seconds });
}

/** The problems of files and uploads, by the status of a reply to HEAD. */
const HEAD_PROBLEMS: Readonly<Record<number, readonly [code: ProblemCode, message: string]>> = {
  401: ['INVALID_TOKEN', 'The access token is missing or invalid.'],
  403: ['INSUFFICIENT_SCOPE', 'The token does not have the scope that this request needs.'],
  404: ['NOT_FOUND', 'There is no such file or upload.'],
  410: ['NOT_FOUND', 'The file or upload no longer exists.'],
  412: ['PRECONDITION_FAILED', 'A file exists at this path, and the upload must not replace it.'],
  423: ['UPLOAD_LOCKED', 'Another request uses this upload.'],
  429: ['RATE_LIMITED', 'There were too many requests.'],
  503: ['UNAVAILABLE', 'The service is busy or shuts down.'],
};

/** The target of a redirect, for a message. The query is removed, because it can contain a signature. */
function targetOf(location: string | undefined): string {
  if (location === undefined) return '';
  const [url = ''] = location.split(/[?#]/, 1);
  return ` to ${url.replace(/\/\/[^/]*@/, '//')}`;
}

/** Parses a problem document. undefined: the body is something else, such as the error page of a proxy. */
function problemOf(type: string | undefined, body: string): Problem | undefined {
  if (!/^application\/problem\+json\b/.test(type ?? '')) return undefined;
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After`, which contains seconds or a date (RFC 9110, 10.2.3). */
function retryAfterSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.max(0, (ms - Date.now()) / 1000);
}

/** The error for a request without a complete reply. `address`: the URL of the service. */
export function unreachable(address: string, cause: unknown): ClientError {
  if (cause instanceof SyntaxError)
    return new ClientError('unexpected', `The server at ${address} is not Telecine: its reply is not JSON.`, { cause });
  if (isUnreadable(cause))
    return new ClientError('changed', 'The file was changed or deleted during the upload. Upload it again.', { cause });
  const message = isTimeout(cause)
    ? `${address} did not reply in time: it is busy, or the connection is slow.`
    : `${address} cannot be reached: ${reasonOf(cause)}.`;
  return new ClientError('unreachable', message, { cause });
}

/** Whether a call failed because the reply did not come within the time limit. The service may still be at work on it. */
export const isTimedOut = (error: unknown): boolean => error instanceof ClientError && isTimeout(error.cause);

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError';

/** The reason of a network error. The message of fetch is only "fetch failed"; the reason is in its cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  // If a host has several addresses, there is one error per address.
  const [first] = inner instanceof AggregateError ? (inner.errors as Error[]) : [inner];
  return (first ?? inner).message || inner.name;
}

/** Whether fetch failed to send a blob because its file was changed or deleted. */
function isUnreadable(error: unknown): boolean {
  const reason = error instanceof TypeError ? error.cause : error;
  return reason instanceof Error && reason.name === 'NotReadableError';
}

/** Whether an error comes from the local file system. Network errors have no path, and fetch wraps network errors. */
export const isLocalError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ('path' in error || !NETWORK_CALLS.has(error.syscall));

const NETWORK_CALLS: ReadonlySet<unknown> = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);

/** The message for a reply of another server, such as a proxy. Proxies send these statuses while the service starts or is down. */
const foreignReplyText = (status: number): string =>
  [502, 503, 504].includes(status)
    ? `The service cannot be reached (status ${status}): it is starting or down.`
    : `The reply has status ${status} and is not in Telecine's format.`;
