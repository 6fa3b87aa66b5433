import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { s3Client } from './client.ts';

/** Starts a server for the current test. Returns a function that requests objects from it, all at the same time. */
async function opened(listener: RequestListener, socketTimeoutMs = 30_000) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = s3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    socketTimeoutMs,
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

test('repeats each of many requests whose connections a server closes at once, and closes again', async () => {
  const seen = new Map<string, number>();
  const request = await opened(({ url = '', socket }, reply) => {
    const times = seen.get(url) ?? 0;
    if (times === 2) return void reply.end();
    seen.set(url, times + 1);
    socket.destroy();
  });
  expect(await request(100)).toEqual(Array(100).fill(3));
});

test('no request waits for the connection of another', async () => {
  const waiting: ServerResponse[] = [];
  const request = await opened((_, reply) => {
    waiting.push(reply);
    if (waiting.length === 300) for (const one of waiting) one.end();
  });
  expect((await request(300)).length).toBe(300);
});

test('repeats a request that was signed by a clock that has changed since', async () => {
  let aheadMs = 3_600_000;
  const request = await opened(({ headers }, reply) => {
    const [, ...parts] = /^(....)(..)(..T..)(..)(..Z)$/.exec(String(headers['x-amz-date'])) ?? [];
    const [year, month, day, minute, second] = parts;
    const signedAt = Date.parse(`${year}-${month}-${day}:${minute}:${second}`);
    const now = Date.now() + aheadMs;
    reply.setHeader('date', new Date(now).toUTCString());
    reply.writeHead(Math.abs(signedAt - now) < 900_000 ? 200 : 403).end();
  });
  expect(await request(3)).toEqual([2, 2, 2]);
  aheadMs = 0;
  expect(await request(1)).toEqual([2]);
  expect(await request(1)).toEqual([1]);
});

test('repeats a request that stalls once, so that its caller need not wait for minutes', async () => {
  let requests = 0;
  const request = await opened(() => {
    requests += 1;
  }, 100);
  await expect(request(1)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests).toBe(2);
});
