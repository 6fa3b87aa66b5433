import type { Dispatcher } from 'undici';
import { OutgoingError, requestError } from './outgoing-error.ts';
import { checkUrl, destinationOf, type OutgoingPolicy } from './outgoing-policy.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /**
   * The maximum number of redirects to follow, only for GET and HEAD. Default: 0, which returns a redirect like any
   * other reply.
   */
  readonly maxRedirects?: number;
  /**
   * true: the URL may contain a user name and a password, which are sent as Basic authentication. Default: false, which
   * rejects such a URL.
   */
  readonly isUserAllowed?: boolean;
  /** The time limit for the headers of a reply, in ms. It starts again with each redirect. */
  readonly replyTimeoutMs: number;
  /** The body fails after this time without a byte, in ms. */
  readonly idleTimeoutMs: number;
  /** The maximum size of the body, in bytes. Reading a larger one throws BODY_TOO_LARGE. */
  readonly maxBodyBytes: number;
  /** An abort ends the request and its body with the reason of the abort. */
  readonly signal?: AbortSignal;
}

/** A reply with any status. */
export interface OutgoingReply {
  readonly status: number;
  /** By the names of the header fields, in lower case. Repeated fields are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL that replied, after redirects, without a user name and a password. */
  readonly url: URL;
  /** The bytes of the body, not decompressed. Read the body or call `discard`: otherwise, the connection stays open. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard(): void;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that must not be sent to another origin after a redirect. */
const PRIVATE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Sends a request and follows redirects. Checks each URL and each connection against the policy. */
export async function followRedirects(
  agent: Dispatcher,
  policy: OutgoingPolicy,
  request: OutgoingRequest,
): Promise<OutgoingReply> {
  const { maxRedirects = 0 } = request;
  if (maxRedirects > 0 && request.method === 'POST') throw new RangeError('redirects of a POST cannot be followed');
  check(policy, request.url, request.isUserAllowed === true);
  let headers = requestHeaders(request);
  // Remove the user name and password, which a relative redirect would repeat.
  let url = withoutUser(request.url);
  for (let followed = 0; ; followed++) {
    check(policy, url);
    const reply = await send(agent, url, headers, request);
    const location = reply.headers['location'];
    if (maxRedirects === 0 || location === undefined || !REDIRECTS.has(reply.status)) return reply;
    reply.discard();
    if (followed === maxRedirects)
      throw new OutgoingError(
        'TOO_MANY_REDIRECTS',
        `${hostOf(request.url)} redirects more than ${maxRedirects} times.`,
      );
    const next = redirectTarget(url, location);
    if (next.origin !== url.origin) headers = publicHeaders(headers);
    url = next;
  }
}

function check(policy: OutgoingPolicy, url: URL, isUserAllowed = false): void {
  const fault = checkUrl(policy, url.href, isUserAllowed);
  const host = hostOf(url);
  if (fault === 'SCHEME')
    throw new OutgoingError('URL_NOT_ALLOWED', `${host}: ${url.protocol} is not http: or https:.`);
  if (fault === 'USER')
    throw new OutgoingError('URL_NOT_ALLOWED', `${host}: the URL contains a user name or password.`);
  if (fault !== undefined)
    throw new OutgoingError(
      'ADDRESS_NOT_ALLOWED',
      `${host} port ${destinationOf(url).port} is not public, and the operator does not allow it.`,
    );
}

/** Returns the URL to which a redirect leads. Throws if it leads from https to http. */
function redirectTarget(from: URL, header: string): URL {
  const location = asUtf8(header);
  if (!URL.canParse(location, from.href))
    throw new OutgoingError('INVALID_REPLY', `${hostOf(from)} redirects to something that is not a URL.`);
  const next = new URL(location, from);
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new OutgoingError('URL_NOT_ALLOWED', `${hostOf(from)} redirects from https to http.`);
  return next;
}

/**
 * Decodes a header field as UTF-8. undici decodes it as Latin-1, but servers write file names in UTF-8, although the
 * standard only allows percent-encoding. Returns a field that is not UTF-8 unchanged.
 */
function asUtf8(field: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(field, 'latin1'));
  } catch {
    return field;
  }
}

function requestHeaders({ url, headers = {} }: OutgoingRequest): Record<string, string> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { 'accept-encoding': 'identity', ...basicAuthorization(url), ...named };
}

function basicAuthorization({ username, password, host }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  try {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
  } catch {
    throw new OutgoingError('URL_NOT_ALLOWED', `${host}: the user name or password has a % that encodes nothing.`);
  }
}

const publicHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name)));

function withoutUser(from: URL): URL {
  const url = new URL(from);
  url.username = '';
  url.password = '';
  return url;
}

const hostOf = (url: URL): string => destinationOf(url).host;

/** Sends one request, without following redirects. Throws `OutgoingError`, or the reason of an aborted signal. */
async function send(
  agent: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  { method, body, replyTimeoutMs, idleTimeoutMs, maxBodyBytes, signal }: OutgoingRequest,
): Promise<OutgoingReply> {
  const host = hostOf(url);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new OutgoingError('TIMEOUT', `${host} did not reply in time.`));
  }, replyTimeoutMs);
  try {
    const reply = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      // No limit here, because the timer `late` limits the wait for the headers.
      headersTimeout: 0,
      bodyTimeout: idleTimeoutMs,
    });
    return outgoingReply(reply, url, maxBodyBytes, signal);
  } catch (error) {
    throw requestError(host, error, signal);
  } finally {
    clearTimeout(timer);
  }
}

function outgoingReply(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBodyBytes: number,
  signal: AbortSignal | undefined,
): OutgoingReply {
  // Add a listener, because an error without one would end the process.
  body.on('error', () => undefined);
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
      ),
    ),
    url,
    body: replyBody(body, hostOf(url), maxBodyBytes, signal),
    discard: () => void body.destroy(),
  };
}

/**
 * Yields the bytes of a body. Throws BODY_TOO_LARGE, or CUT if the connection closes early. If the loop of the caller
 * ends early, closes the connection.
 */
async function* replyBody(
  body: AsyncIterable<Uint8Array>,
  host: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new OutgoingError('BODY_TOO_LARGE', `${host} sent more than the limit of ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (error) {
    throw requestError(host, error, signal);
  }
}
