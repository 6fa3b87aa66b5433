import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bucketCheck } from './bucket-check.ts';
import { s3Client } from './client.ts';

test('asks the store once in ten seconds while it replies, and each time while it does not or when told to', async () => {
  let [lists, isDown] = [0, false];
  const server = createServer(({ method }, reply) => {
    if (method === 'GET') lists += 1;
    reply.writeHead(isDown ? 403 : 200, { 'content-type': 'application/xml' });
    reply.end(isDown ? '<Error><Code>AccessDenied</Code></Error>' : '<ListBucketResult/>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = s3Client({ endpoint, region: 'us-east-1', credentials });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    vi.useRealTimers();
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(1);
  const check = bucketCheck(client, { bucket: 'media', prefix: '' });
  for (let second = 0; second < 20; second += 1) {
    expect(await check()).toBeUndefined();
    vi.advanceTimersByTime(1000);
  }
  expect(lists).toBe(2);
  isDown = true;
  expect(await check(true), 'although the last check was seconds ago').toMatch(/cannot be listed \(AccessDenied\)/);
  isDown = false;
  expect(await check(), 'the store replies again').toBeUndefined();
});
