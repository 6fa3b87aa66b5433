import type { FastifyInstance } from 'fastify';
import { freeMemory } from '../transfer/free-memory.ts';

/**
 * Frees each part of a body that arrives after a reply that does not need it, such as a rejection. Node reads this rest, so that
 * the client gets the reply, but leaves its memory to V8.
 */
export function freeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const hasRest = !raw.complete && (length !== undefined || encoding !== undefined);
    const isRead = raw.listenerCount('data') > 0 || raw.listenerCount('readable') > 0;
    // Add the listener now: after the reply, Node reads and drops the rest without one.
    if (hasRest && !isRead) raw.on('data', freeMemory);
    done(null, payload);
  });
}
