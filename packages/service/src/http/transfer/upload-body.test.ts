import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { drainBody, type MinPace, type PacedUploads, uploadBody } from './upload-body.ts';

/** Starts a server that replies with the body or the error code of `uploadBody`, and connects to it. */
async function serve(pace: MinPace) {
  const pacedUploads: PacedUploads = new WeakSet();
  const server = createServer((raw: IncomingMessage, response: ServerResponse) => {
    const read = async (): Promise<string> => {
      let text = '';
      for await (const part of uploadBody({ raw } as FastifyRequest, { raw: response } as FastifyReply, pacedUploads, {
        pace,
      }))
        text += Buffer.from(part).toString();
      return text;
    };
    read().then(
      (text) => response.end(text),
      (error: unknown) => response.end(error instanceof Problem ? error.code : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, pacedUploads, socket: connect((server.address() as AddressInfo).port, '127.0.0.1') };
}

const HEAD = 'PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n';

const answerTo = async (socket: Socket): Promise<string> =>
  (await buffer(socket)).toString().split('\r\n\r\n').at(-1) ?? '';

test('ends a body that stops arriving', async () => {
  const { socket } = await serve({ bytes: 1, windowMs: 20 });
  socket.write(`${HEAD}12345`);
  expect(await answerTo(socket)).toContain('REQUEST_TIMEOUT');
});

test('ends a body that arrives too slowly', async () => {
  const { socket } = await serve({ bytes: 4, windowMs: 100 });
  socket.write(HEAD);
  const dripping = setInterval(() => socket.write('x'), 60);
  expect(await answerTo(socket).finally(() => clearInterval(dripping))).toContain('REQUEST_TIMEOUT');
});

test('checks the speed of an upload only while its body arrives', async () => {
  const { socket, server, pacedUploads } = await serve({ bytes: 1, windowMs: 60_000 });
  const [theirs] = (await once(server, 'connection')) as [Socket];
  socket.write(HEAD);
  socket.write('12345');
  await once(server, 'request');
  expect(pacedUploads.has(theirs)).toBe(true);
  socket.write('67890');
  expect(await answerTo(socket)).toContain('1234567890');
  expect(pacedUploads.has(theirs)).toBe(false);
});

test('closes the connection of a rejected body that does not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((raw, response) => {
    response.end('rejected');
    drainBody({ raw } as FastifyRequest);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
  const [reply] = (await once(socket, 'data')) as [Buffer];
  expect(reply.toString()).toContain('rejected');
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(4999);
  expect(socket.closed).toBe(false);
  vi.advanceTimersByTime(1);
  await closed;
});

test('drains the body of an injected request, which has no connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const raw = Object.assign(new Readable({ read: () => undefined }), { socket: new EventEmitter() });
  drainBody({ raw } as unknown as FastifyRequest);
  vi.advanceTimersByTime(5000);
  expect(raw.destroyed).toBe(true);
});
