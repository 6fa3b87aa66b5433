import { OutgoingError } from './outgoing-error.ts';

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
