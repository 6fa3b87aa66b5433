import { createServer, request } from 'node:http';
import { listenOnLoopback } from './loopback.ts';

/** A loopback proxy that adds a token, for programs that cannot send one. Closed after the test. */
export async function tokenProxy(target: string, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: { ...incoming.headers, authorization: `Bearer ${token}` } },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return listenOnLoopback(server);
}
