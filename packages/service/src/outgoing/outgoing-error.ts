/** Why a request failed. */
type OutgoingErrorCode =
  /** The client may not request this URL, because of its scheme, user name, port or host. */
  | 'URL_NOT_ALLOWED'
  /** The policy allows none of the addresses of the host. Nothing was sent. */
  | 'ADDRESS_NOT_ALLOWED'
  | 'HOST_NOT_FOUND'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  /** The reply is not HTTP, its headers are too large, or a redirect has no valid target. */
  | 'INVALID_REPLY'
  /** The connection closed before the whole reply had arrived. */
  | 'CUT'
  | 'BODY_TOO_LARGE';

/** Error codes after which a retry may succeed. */
const TRANSIENT: ReadonlySet<OutgoingErrorCode> = new Set([
  'HOST_NOT_FOUND',
  'CONNECT_FAILED',
  'TIMEOUT',
  'CUT',
  'INVALID_REPLY',
]);

/**
 * Thrown if an outgoing request fails. Clients may see the message: it names the host and the fault, but no address and
 * not the rest of the URL. `cause` is for the log.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly code: OutgoingErrorCode;

  constructor(code: OutgoingErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.code);
  }
}

/** For each error code of undici and Node: our code, and the end of our message. */
const CODES: Readonly<Record<string, readonly [OutgoingError['code'], string]>> = {
  UND_ERR_HEADERS_TIMEOUT: ['TIMEOUT', 'did not reply in time'],
  UND_ERR_CONNECT_TIMEOUT: ['TIMEOUT', 'did not accept a connection in time'],
  UND_ERR_BODY_TIMEOUT: ['TIMEOUT', 'stopped sending'],
  UND_ERR_HEADERS_OVERFLOW: ['INVALID_REPLY', 'sent headers that are too large'],
  UND_ERR_SOCKET: ['CUT', 'closed the connection before the end of its reply'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['CUT', 'sent another number of bytes than it declared'],
  ECONNRESET: ['CUT', 'closed the connection before the end of its reply'],
  EPIPE: ['CUT', 'closed the connection before the end of its reply'],
  ETIMEDOUT: ['TIMEOUT', 'stopped sending'],
  UND_ERR_DESTROYED: ['CUT', 'did not send its whole reply, because the service is stopping'],
  UND_ERR_CLOSED: ['CUT', 'got no request, because the service is stopping'],
};

/** undici's message for a reply to `Expect` or `Upgrade`, which the service never sends. */
const UNEXPECTED_STATUS = /^bad (?:response|upgrade)$/;

/** Converts an error of a request to `host`. If `signal` is aborted, returns its reason. Returns a bug unchanged. */
export function requestError(host: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (!(error instanceof Error) || !('code' in error) || error instanceof OutgoingError) return error;
  const name = String(error.code);
  if (name === 'UND_ERR_INVALID_ARG') return error;
  const [code, words] = UNEXPECTED_STATUS.test(error.message)
    ? (['INVALID_REPLY', 'sent an unexpected status (100 or 101)'] as const)
    : (CODES[name] ??
      ('syscall' in error ? CODES['ECONNRESET'] : undefined) ??
      (['INVALID_REPLY', 'sent a reply that is not valid HTTP'] as const));
  // An error of the parser contains bytes of the reply, which must not get into the log.
  const cause = 'data' in error ? new Error(`${error.name}: ${error.message}`) : error;
  return new OutgoingError(code, `${host} ${words}.`, cause);
}
