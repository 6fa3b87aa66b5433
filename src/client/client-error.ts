import type { Problem, ProblemCode } from './api.ts';

/**
 * Why a call failed. `rejected`: the service replied with an error; `problem` has its problem document, if it sent one.
 * `unreachable`: the client received no reply, or only a part of one. `unexpected`: the reply is not from Telecine.
 * `changed`: the file was replaced while it was downloaded.
 */
export type ClientErrorKind = 'rejected' | 'unreachable' | 'unexpected' | 'changed';

/**
 * The code of the problem document, such as `INVALID_REQUEST`. Without one: `HTTP_ERROR` for an error reply that is not
 * Telecine's, such as of a proxy, or the kind of the error in capitals.
 */
export type ClientErrorCode = ProblemCode | 'HTTP_ERROR' | 'UNREACHABLE' | 'UNEXPECTED' | 'CHANGED';

/** What is wrong with one field of a request, and what to send instead. */
export type FieldError = NonNullable<Problem['errors']>[number];

interface Details {
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The error with which calls reject, except if the signal is aborted or a local file cannot be read or written. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  readonly code: ClientErrorCode;
  /** The HTTP status, if there was a reply. */
  readonly status: number | undefined;
  /** The problem document of the service. */
  readonly problem: Problem | undefined;
  /** The time from `Retry-After`, if the reply has it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ClientErrorKind, message: string, { status, problem, retryAfterSeconds, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.code = codeOf(kind, problem);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** What is wrong with each field of the request. Empty if the error is not about fields. */
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
  /** Whether it is a redirect whose status and header fields a browser hides. */
  readonly isRedirect?: boolean;
}

/** The error for a response with an error status. */
export function errorResponse({ status, header, body, isRedirect = false }: ErrorReply): ClientError {
  if (isRedirect || (status >= 300 && status < 400)) {
    const location = header('location');
    const target = location === undefined ? '' : ` to ${location}`;
    return new ClientError('unexpected', `The service redirects${target}. Set its final address.`, { status });
  }
  const problem = problemOf(header('content-type'), body);
  const message = problem?.detail ?? `The reply has status ${status} and is not in Telecine's format.`;
  return new ClientError('rejected', message, {
    status,
    problem,
    retryAfterSeconds: retryAfterSeconds(header('retry-after')),
  });
}

/** Parses a problem document. Returns undefined for any other body, such as the error page of a proxy. */
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

/** The error for a request without a complete reply. `address` is the URL of the service. */
export function unreachable(address: string, cause: unknown): ClientError {
  if (cause instanceof SyntaxError)
    return new ClientError('unexpected', `The server at ${address} is not Telecine: its reply is not JSON.`, { cause });
  return new ClientError('unreachable', `${address} cannot be reached: ${reasonOf(cause)}.`, { cause });
}

/** The reason of a network error. The message of fetch is only "fetch failed"; its cause has the reason. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return 'it did not reply in time';
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  // If a host has several addresses, there is one error per address.
  const [first] = inner instanceof AggregateError ? (inner.errors as Error[]) : [inner];
  return (first ?? inner).message || inner.name;
}

/** Whether fetch could not send a blob because its file was changed or deleted. */
export function isUnreadable({ cause }: ClientError): boolean {
  const reason = cause instanceof TypeError ? cause.cause : cause;
  return reason instanceof Error && reason.name === 'NotReadableError';
}

/** Whether an error comes from the local file system. Network errors have no path, and fetch wraps them. */
export const isLocalError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ('path' in error || !NETWORK_CALLS.has(error.syscall));

const NETWORK_CALLS: ReadonlySet<unknown> = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);
