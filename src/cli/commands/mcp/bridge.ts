import { callMcp, type RpcMessage } from '../../../client/mcp.ts';
import type { RetryBudget } from '../../../client/options.ts';
import type { Transport } from '../../../client/transport.ts';
import { headersOf, isRepeatable, type Peer, peerOf } from './mcp-headers.ts';
import { isRequest, readMessage, rpcFailure } from './mcp-messages.ts';

/** Clients time out calls after a minute. An unreachable service is reported well before that. */
const BUDGET: RetryBudget = { busySeconds: 20, unreachableSeconds: 15 };

interface Bridge {
  readonly transport: Transport;
  /** The messages of the client, one per line. The bridge ends when the lines end. */
  readonly lines: AsyncIterable<string>;
  readonly write: (message: object) => void;
  /** Prints a line for people, which is not part of the protocol. */
  readonly log: (line: string) => void;
}

/**
 * Passes each request of the client to `POST /mcp`, and the replies back. The service keeps no state between requests,
 * so a restart of the service does not disturb the client. Notifications are not passed on, because the service would
 * not remember them. If the client cancels a request, the bridge closes the connection, by which the service notices
 * it.
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
        onNotification: (notification) => signal.aborted || write(notification),
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
    const message = readMessage(line);
    if ('error' in message) write(message);
    else if (isRequest(message)) {
      const controller = new AbortController();
      pending.set(message.id, controller);
      void pass(message, controller).finally(() => pending.delete(message.id));
    } else if (message.method === 'notifications/cancelled')
      pending.get((message.params as { readonly requestId?: RpcMessage['id'] } | undefined)?.requestId)?.abort();
  }
  for (const controller of pending.values()) controller.abort();
}
