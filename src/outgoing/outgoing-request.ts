/** A request to a URL of a client. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** How many redirects to follow, only for GET and HEAD. Default: 0, so that a redirect is a reply like others. */
  readonly maxRedirects?: number;
  /** Whether to send a user name and password of the URL as Basic authentication. Default: such a URL is rejected. */
  readonly isUserAllowed?: boolean;
  /** Time from the start to the headers of a reply, for each redirect. */
  readonly replyTimeoutMs: number;
  /** Longest time without a byte of the body. */
  readonly idleTimeoutMs: number;
  /** Larger bodies end with BODY_TOO_LARGE. */
  readonly maxBodyBytes: number;
  /** Ends the request and its body. The error is the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A reply, whatever its status. */
export interface OutgoingReply {
  readonly status: number;
  /** By their names in lower case. Repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL that replied: after redirects, another than the requested one. Without user name and password. */
  readonly url: URL;
  /** The bytes as they were sent; nothing is decompressed. Read it or call `discard`, otherwise the connection stays open. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard(): void;
}
