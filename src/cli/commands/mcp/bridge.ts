import { callMcp, type RpcMessage } from '../../../client/mcp.ts';
import type { RetryBudget } from '../../../client/retry.ts';
import type { Transport } from '../../../client/transport.ts';
import { headersOf, isRepeatable, type Peer, peerOf } from './mcp-headers.ts';
import { isRequest, readMessage, rpcFailure } from './mcp-messages.ts';

/** Clients give a call up after a minute: where connections are refused, they are told why well before. */
const BUDGET: RetryBudget = { busySeconds: 20, unreachableSeconds: 15 };

interface Bridge {
  readonly transport: Transport;
  /** What the client says, a message a line; their end is the end of the bridge. */
  readonly lines: AsyncIterable<string>;
  readonly write: (message: object) => void;
  /** For people; no protocol. */
  readonly log: (line: string) => void;
}

/**
 * Hands each request of a client on to `POST /mcp`, and what comes back to the client. The service keeps nothing between
 * two requests, so that one that was started anew meanwhile goes on where the other was. Notifications end here for the same
 * reason; a cancellation hangs up, which is how the service is told.
 */
export async function bridge({ transport, lines, write, log }: Bridge): Promise<void> {
  const pending = new Map<RpcMessage['id'], AbortController>();
  let peer: Peer = {};

  async function pass(request: RpcMessage, { signal }: AbortController): Promise<void> {
    try {
      const answer = await callMcp(transport, {
        request,
        headers: headersOf(request, peer),
        isRepeatable: isRepeatable(request),
        budget: BUDGET,
        signal,
        onNotification: (message) => signal.aborted || write(message),
      });
      if (signal.aborted) return;
      peer = peerOf(peer, request, answer);
      write(answer);
    } catch (error) {
      if (signal.aborted) return;
      const failure = rpcFailure(request.id, error);
      log(`${request.method}: ${failure.error.message}`);
      write(failure);
    }
  }

  for await (const line of lines) {
    if (line.trim() === '') continue;
    const read = readMessage(line);
    if ('error' in read) write(read);
    else if (isRequest(read)) {
      const controller = new AbortController();
      pending.set(read.id, controller);
      void pass(read, controller).finally(() => pending.delete(read.id));
    } else if (read.method === 'notifications/cancelled')
      pending.get((read.params as { readonly requestId?: RpcMessage['id'] } | undefined)?.requestId)?.abort();
  }
  for (const controller of pending.values()) controller.abort();
}
