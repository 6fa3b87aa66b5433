import type { Readable } from 'node:stream';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { batchToRead } from '../../../../../test/support/http-fakes.ts';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { sendBatch } from './reply-pieces.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:read'], root: mediaRoot('/srv/media'), policy: {} };

test('jobs of a large batch are read and counted as the client takes them', async () => {
  let read = 0;
  let counted = 0;
  const found = batchToRead({ jobs: 100, bytes: 1e8, onRead: () => (read += 1) });
  const reply = { type: () => reply, send: (stream: unknown) => stream };
  const sent = await sendBatch(reply as unknown as FastifyReply, found, AMY, {
    count: (bytes) => (counted += bytes),
  });
  const pieces = (sent as unknown as Readable)[Symbol.asyncIterator]();
  const sizes: number[] = [];
  for (let i = 0; i < 4; i += 1) sizes.push(String((await pieces.next()).value).length);
  expect(read).toBeLessThanOrEqual(6);
  expect(counted).toBeGreaterThanOrEqual(sizes.slice(1).reduce((sum, size) => sum + size, 0));
  await pieces.return?.();
  expect(read).toBeLessThanOrEqual(6);
});
