/** Why a request failed. */
export type OutgoingErrorCode =
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
