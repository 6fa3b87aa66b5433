import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { freeMemory } from '../transfer/free-memory.ts';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isRead = (request: IncomingMessage): boolean =>
  request.listenerCount('data') > 0 || request.listenerCount('readable') > 0;

/**
 * Frees each part of a body that arrives after a reply that does not need it, such as a rejection. Node reads this rest, so that
 * the client gets the reply, but leaves its memory to V8.
 */
export function freeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    // Add the listener now: after the reply, Node reads and drops the rest without one.
    if (!raw.complete && hasBody(raw) && !isRead(raw)) raw.on('data', freeMemory);
    done(null, payload);
  });
}
