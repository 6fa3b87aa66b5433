import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { s3Client } from './client.ts';

/** Starts a server for the current test. Returns a function that requests objects from it, all at the same time. */
async function opened(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = s3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return async (count: number): Promise<readonly (number | undefined)[]> => {
    const requests = Array.from({ length: count }, (_, i) =>
      client.send(new HeadObjectCommand({ Bucket: 'b', Key: `${i}` })),
    );
    const replies = await Promise.all(requests);
    return replies.map(({ $metadata }) => $metadata.attempts);
  };
}

test('repeats each of many requests whose connections a server closes at once', async () => {
  const seen = new Set<string>();
  const request = await opened(({ url = '', socket }, reply) => {
    if (seen.has(url)) return void reply.end();
    seen.add(url);
    socket.destroy();
  });
  expect(await request(100)).toEqual(Array(100).fill(2));
});

test('no request waits for the connection of another', async () => {
  const waiting: ServerResponse[] = [];
  const request = await opened((_, reply) => {
    waiting.push(reply);
    if (waiting.length === 300) for (const one of waiting) one.end();
  });
  expect((await request(300)).length).toBe(300);
});
