import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { sendBuffers } from './reply-pieces.ts';

test('the memory of a long reply is free once it is sent', async () => {
  const buffers = ['a', 'b', 'c'].map((letter) => Buffer.alloc(100_000, letter));
  const app = fastify();
  onTestFinished(() => app.close());
  app.get('/', (_, reply) => sendBuffers(reply, buffers));
  const reply = await app.inject('/');
  expect(reply.body).toBe('a'.repeat(100_000) + 'b'.repeat(100_000) + 'c'.repeat(100_000));
  expect(buffers.map(({ length }) => length)).toEqual([0, 0, 0]);
});
