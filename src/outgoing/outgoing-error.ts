/** Why a request failed. */
type OutgoingErrorCode =
  /** The URL is not one that the client may request: its scheme, user name, port or host. */
  | 'URL_NOT_ALLOWED'
  /** The host has no address that the policy allows. Nothing was sent. */
  | 'ADDRESS_NOT_ALLOWED'
  | 'HOST_NOT_FOUND'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  /** The reply is not HTTP, its headers are too large, or a redirect leads nowhere. */
  | 'INVALID_REPLY'
  /** The connection closed before the reply was complete. */
  | 'CUT'
  | 'BODY_TOO_LARGE';

/** Codes of failures that may not happen again. */
const TRANSIENT: ReadonlySet<OutgoingErrorCode> = new Set([
  'HOST_NOT_FOUND',
  'CONNECT_FAILED',
  'TIMEOUT',
  'CUT',
  'INVALID_REPLY',
]);

/**
 * Ends an outgoing request. The message starts with the host, says what is wrong, and can be shown to clients: it
 * contains neither the rest of the URL nor an address that the host resolved to. `cause` is only for the log.
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

/** Codes of undici and Node → what they mean. Any other code is a broken connection, or a reply that is not HTTP. */
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
  UND_ERR_DESTROYED: ['CUT', 'was not heard to the end, because the service is stopping'],
  UND_ERR_CLOSED: ['CUT', 'was not asked, because the service is stopping'],
};

/** How undici calls an informational reply that only answers `Expect` or `Upgrade`, which the service never sends. */
const UNASKED = /^bad (?:response|upgrade)$/;

/** What went wrong with a request to `host`. If the caller cancelled it, the reason of its signal. Returns a bug unchanged. */
export function requestError(host: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (!(error instanceof Error) || !('code' in error) || error instanceof OutgoingError) return error;
  const name = String(error.code);
  if (name === 'UND_ERR_INVALID_ARG') return error;
  const [code, words] =
    (UNASKED.test(error.message)
      ? (['INVALID_REPLY', 'sent a status that nobody asked for (100 or 101)'] as const)
      : undefined) ??
    CODES[name] ??
    ('syscall' in error ? CODES['ECONNRESET'] : undefined) ??
    (['INVALID_REPLY', 'sent a reply that is not valid HTTP'] as const);
  // An error of the parser has the bytes that it could not read. They belong to others, so they do not go to the log.
  return new OutgoingError(
    code,
    `${host} ${words}.`,
    'data' in error ? new Error(`${error.name}: ${error.message}`) : error,
  );
}
