import type { OutgoingClient } from '../outgoing/outgoing-client.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import type { OutgoingReply } from '../outgoing/outgoing-request.ts';
import { EXCERPT_BYTES, replyExcerpt } from './decide-delivery.ts';
import type { SendDelivery } from './dispatcher.ts';

/** The time limit for the headers of a reply, with DNS, TCP and TLS. */
const REPLY_TIMEOUT_MS = 10_000;

/** The time limit for the start of the body of a reply. */
const BODY_TIMEOUT_MS = 2000;

/** Sends deliveries with the client that checks addresses. Reads the status and the start of the body of a reply. */
export function webhookSender(client: Pick<OutgoingClient, 'send'>, userAgent: string): SendDelivery {
  return async ({ url, headers, body, signal }) => {
    const bodyLimit = new AbortController();
    try {
      const reply = await client.send({
        url: new URL(url),
        method: 'POST',
        headers: { 'user-agent': userAgent, ...headers },
        body,
        isUserAllowed: true,
        replyTimeoutMs: REPLY_TIMEOUT_MS,
        idleTimeoutMs: BODY_TIMEOUT_MS,
        // No limit is needed, because only the start is read.
        maxBodyBytes: Number.POSITIVE_INFINITY,
        signal: AbortSignal.any([signal, bodyLimit.signal]),
      });
      const timer = setTimeout(() => bodyLimit.abort(), BODY_TIMEOUT_MS);
      const begin = await readBegin(reply);
      clearTimeout(timer);
      const retryAfter = reply.headers['retry-after'];
      return {
        status: reply.status,
        body: replyExcerpt(begin),
        ...(retryAfter !== undefined && { retryAfter }),
      };
    } catch (error) {
      if (error instanceof OutgoingError) return { error: error.message, isFinal: error.code === 'URL_NOT_ALLOWED' };
      throw error;
    }
  };
}

/** Reads the start of a body. Ignores errors of the body. */
async function readBegin(reply: OutgoingReply): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= EXCERPT_BYTES) break;
    }
  } catch {
    // The status has arrived, and the outcome does not depend on the body.
  } finally {
    reply.discard();
  }
  return Buffer.concat(chunks);
}
