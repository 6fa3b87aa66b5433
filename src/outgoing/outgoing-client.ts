import type { Dispatcher } from 'undici';
import { completeBodies } from './complete-bodies.ts';
import { followRedirects } from './follow-redirects.ts';
import { guardedConnect } from './guarded-connect.ts';
import { hostLookup } from './host-lookup.ts';
import type { OutgoingPolicy } from './outgoing-policy.ts';
import type { OutgoingReply, OutgoingRequest } from './outgoing-request.ts';
import type { HostLookup } from './resolve-host.ts';

export interface OutgoingClient {
  /** Throws `OutgoingError`, or the reason of the signal. */
  send(request: OutgoingRequest): Promise<OutgoingReply>;
  /** Closes all connections. Running requests fail. */
  close(): Promise<void>;
}

export interface OutgoingClientOptions {
  /** Time for DNS and TCP together, and as much again for TLS. Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** Largest size of the headers of a reply. Default: 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Default: `hostLookup`. */
  readonly findAddresses?: HostLookup;
  /** Certificates of authorities (PEM) instead of those that Node trusts. */
  readonly ca?: string;
}

/**
 * An HTTP(S) client that connects only where the policy allows it. It speaks HTTP/1.1, reads no proxy variables, keeps no
 * cookies and asks for bodies without compression.
 */
export function outgoingClient(policy: OutgoingPolicy, options: OutgoingClientOptions = {}): OutgoingClient {
  let agent: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      agent ??= openAgent(policy, options);
      return await followRedirects(await agent, policy, request);
    },
    async close() {
      await (await agent)?.destroy();
    },
  };
}

/** Loads undici at the first request, because most services send none. */
async function openAgent(
  policy: OutgoingPolicy,
  { connectTimeoutMs = 10_000, maxHeaderBytes = 16_384, findAddresses = hostLookup, ca }: OutgoingClientOptions,
): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import('undici');
  const startTls = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    connect: guardedConnect({ policy, findAddresses, startTls, timeoutMs: connectTimeoutMs }),
    allowH2: false,
    // Explicit, because UNDICI_USE_MILO selects another parser.
    useMilo: false,
    maxHeaderSize: maxHeaderBytes,
    pipelining: 1,
  }).compose(completeBodies);
}
