import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { Dispatcher } from 'undici';
import { guardedConnect } from './guarded-connect.ts';
import { type HostLookup, hostLookup } from './host-lookup.ts';
import type { OutgoingPolicy } from './outgoing-policy.ts';
import { followRedirects, type OutgoingReply, type OutgoingRequest } from './outgoing-request.ts';

export interface OutgoingClient {
  /** Sends a request. Throws `OutgoingError`, or the reason of an aborted signal. */
  send(request: OutgoingRequest): Promise<OutgoingReply>;
  /** Closes all connections. Running requests fail. */
  close(): Promise<void>;
}

export interface OutgoingClientOptions {
  /** The time limit for DNS and TCP together. TLS then has as much time again. Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** The maximum size of the headers of a reply, in bytes. Default: 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Default: `hostLookup`. */
  readonly findAddresses?: HostLookup;
  /** The certificates (PEM) of the trusted authorities. Default: those that Node trusts. */
  readonly ca?: string;
}

/** Creates an HTTP/1.1 client that connects only where the policy allows it. No proxies, cookies or compression. */
export function outgoingClient(policy: OutgoingPolicy, options: OutgoingClientOptions = {}): OutgoingClient {
  const agent = rememberSuccess(() => openAgent(policy, options));
  return {
    async send(request) {
      return await followRedirects(await agent(), policy, request);
    },
    async close() {
      await (await agent.started())?.destroy();
    },
  };
}

/** Imports undici at the first request, because most services never send one. */
async function openAgent(
  policy: OutgoingPolicy,
  { connectTimeoutMs = 10_000, maxHeaderBytes = 16_384, findAddresses = hostLookup, ca }: OutgoingClientOptions,
): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import('undici');
  const startTls = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Set this although it is the default, which NODE_TLS_REJECT_UNAUTHORIZED can change.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    connect: guardedConnect({ policy, findAddresses, startTls, timeoutMs: connectTimeoutMs }),
    allowH2: false,
    // Set this, because UNDICI_USE_MILO can select another parser.
    useMilo: false,
    maxHeaderSize: maxHeaderBytes,
    pipelining: 1,
  }).compose(completeBodies);
}

/**
 * Ends a body as soon as all bytes of its Content-Length have arrived (RFC 9112, 6.3). Without this, undici loses the
 * unread rest of a complete body if the server closes the connection without `Connection: close`.
 */
const completeBodies: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, options.method === 'HEAD' ? handler : endAtLength(handler));

function endAtLength(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let missing: number | undefined;
  let isComplete = false;
  return {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (controller, status, headers, text) => {
      missing = status < 200 ? undefined : contentLength(headers['content-length']);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData: (controller, chunk) => {
      handler.onResponseData?.(controller, chunk);
      if (missing === undefined) return;
      missing -= chunk.length;
      if (missing > 0) return;
      isComplete = true;
      handler.onResponseEnd?.(controller, {});
      // Resume the connection: if it stays paused, no later request can use it.
      controller.resume();
    },
    onResponseEnd: (controller, trailers) => {
      if (!isComplete) handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => {
      if (!isComplete) handler.onResponseError?.(controller, error);
    },
  };
}

const contentLength = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
