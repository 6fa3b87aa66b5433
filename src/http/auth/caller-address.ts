import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller. It is read when the request begins, because it is unknown once the client disconnects. */
    callerAddress: string;
  }
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write in X-Forwarded-For. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address of the caller: that of the connection, or the one that a trusted proxy names. What is not an address counts as
 * the proxy itself, and ports are removed: with a text of its own for each request, a caller would escape the limits per
 * address. Empty if the client has disconnected already.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const named = (ip as string | undefined) ?? '';
  if (isIP(named) !== 0) return named;
  const [, v6, v4] = WITH_PORT.exec(named) ?? [];
  const plain = v6 ?? v4 ?? '';
  return isIP(plain) === 0 ? (socket.remoteAddress ?? '') : plain;
}
