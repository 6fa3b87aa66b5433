import { once } from 'node:events';
import { connect } from 'node:net';

/** Posts once on a separate connection. Returns the bytes of the whole reply, including the header, and its body. */
export async function replySize(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly bytes: number; readonly body: string }> {
  const { hostname, port, pathname } = new URL(url);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let reply = '';
  socket.on('data', (text: string) => {
    reply += text;
  });
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  await once(socket, 'close');
  return { bytes: reply.length, body: reply.slice(reply.indexOf('\r\n\r\n') + 4) };
}
