/** What the open connections of a process may take. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly all: number;
  /** Connections on which no request has had a valid token yet. */
  readonly withoutToken: number;
  /** The same from one address, or from one /64 of IPv6. Behind a trusted proxy: requests that run without a valid token. */
  readonly withoutTokenPerAddress: number;
  /** The bytes of request bodies and of replies in memory. */
  readonly bytesInFlight: number;
  /** A client that takes nothing of a reply for this long is disconnected. */
  readonly stallMs: number;
  /** The time for the request line and the header fields. It also ends connections on which nothing is sent. */
  readonly headersMs: number;
  /** The time for a whole request. Uploads have a minimum speed instead. */
  readonly requestMs: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  all: 4096,
  withoutToken: 1024,
  withoutTokenPerAddress: 256,
  bytesInFlight: 96 * 2 ** 20,
  stallMs: 60_000,
  headersMs: 20_000,
  requestMs: 60_000,
};
