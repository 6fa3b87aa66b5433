import { OutgoingError } from './outgoing-error.ts';

/** Codes of undici and Node → what they mean. Any other code is a reply that is not HTTP. */
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
};

/** What went wrong with a request to `host`. If the caller cancelled it, the reason of its signal. */
export function requestError(host: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof OutgoingError || !(error instanceof Error)) return error;
  const [code, words] = CODES['code' in error ? String(error.code) : ''] ?? [
    'INVALID_REPLY',
    'sent a reply that is not valid HTTP',
  ];
  return new OutgoingError(code, `${host} ${words}.`, error);
}
