import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { ClientError } from './client-error.ts';

/** A client of a service below a path, whose requests get these replies in order. */
function clientOf(...replies: readonly Response[]) {
  const urls: string[] = [];
  const client = createClient(
    'https://media.example.org/telecine/',
    { accessToken: 'token' },
    {
      fetch: async (url) => {
        urls.push(String(url).replace('https://media.example.org', ''));
        const reply = replies[urls.length - 1];
        if (reply === undefined) throw new TypeError('no reply');
        return reply;
      },
    },
  );
  return { client, urls };
}

test('links are absolute, also for a service below a path', async () => {
  const links = (url: string) => ({ expiresAt: '2026-11-21T00:00:00.000Z', links: [{ path: 'out.mp4', url }] });
  const { client } = clientOf(
    Response.json(links('/api/conversion/J/links/L/out.mp4')),
    Response.json(links('https://cdn.example.org/api/conversion/J/links/L/out.mp4')),
  );
  expect((await client.links('J')).links[0]?.url).toBe(
    'https://media.example.org/telecine/api/conversion/J/links/L/out.mp4',
  );
  expect((await client.links('J')).links[0]?.url).toBe('https://cdn.example.org/api/conversion/J/links/L/out.mp4');
});

test('lists of files and deliveries have further pages', async () => {
  const { client, urls } = clientOf(...Array.from({ length: 6 }, () => Response.json({})));
  await client.listFiles('a/');
  await client.listFiles('a/', { limit: 5, cursor: 'C' });
  await client.listFiles('', { q: 'holiday mp4' });
  await client.webhookDeliveries('W', { cursor: 'C' });
  await client.jobDeliveries('J', { limit: 50 });
  await client.batchDeliveries('B', { cursor: 'C' });
  expect(urls).toEqual([
    '/telecine/api/files?prefix=a%2F&limit=1000',
    '/telecine/api/files?prefix=a%2F&limit=5&cursor=C',
    '/telecine/api/files?prefix=&q=holiday+mp4&limit=1000',
    '/telecine/api/webhooks/W/deliveries?cursor=C',
    '/telecine/api/conversion/J/deliveries?limit=50',
    '/telecine/api/conversions/B/deliveries?cursor=C',
  ]);
});

test('calls for watches send what they name', async () => {
  const sent: unknown[] = [];
  const client = createClient(
    'https://media.example.org',
    { accessToken: 'token' },
    {
      fetch: async (url, { method, body } = {}) => {
        sent.push([method, String(url).replace('https://media.example.org/api', ''), body && JSON.parse(String(body))]);
        return Response.json({});
      },
    },
  );
  const watch = { folder: 'in/', request: { output: 'out/{name}.mp4' } };
  await client.dryRunWatch(watch);
  await client.addWatch(watch);
  await client.changeWatch('W', { state: 'PAUSED' });
  await client.watchedFiles('W', { state: 'FAILED', cursor: 'C' });
  await client.retryWatch('W');
  await client.retryWatch('W', { paths: ['in/a.mov'] });
  expect(sent).toEqual([
    ['POST', '/watches?dryRun=true', watch],
    ['POST', '/watches', watch],
    ['PATCH', '/watches/W', { state: 'PAUSED' }],
    ['GET', '/watches/W/files?state=FAILED&cursor=C', undefined],
    ['POST', '/watches/W/retry', {}],
    ['POST', '/watches/W/retry', { paths: ['in/a.mov'] }],
  ]);
});

test('each path of a zip is a parameter of its own', async () => {
  const { client, urls } = clientOf(new Response('zip'));
  await client.downloadFiles(['a/b c.mov', 'd/']);
  expect(urls).toEqual(['/telecine/api/files.zip?path=a%2Fb+c.mov&path=d%2F']);
});

test('an event that is not JSON is an error of the service', async () => {
  const { client } = clientOf(
    new Response('event: progress\ndata: {"a\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  );
  const next = client.events()[Symbol.asyncIterator]().next();
  await expect(next).rejects.toBeInstanceOf(ClientError);
  await expect(next).rejects.toMatchObject({ kind: 'unexpected' });
});

test('a service that is not ready says which check fails, at once', async () => {
  const checks = { disk: { status: 'failed', message: 'It is full.' } };
  const reply = { status: 'unavailable', checks };
  const { client } = clientOf(Response.json(reply, { status: 503, headers: { 'retry-after': '30' } }));
  expect(await client.ready()).toEqual(reply);
});

test('events tell when their connection begins and when it is lost', async () => {
  const { client } = clientOf(
    new Response('event: ready\ndata: {}\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  );
  const seen: boolean[] = [];
  const stop = new AbortController();
  const events = client.events({
    signal: stop.signal,
    onConnection: (isConnected) => {
      seen.push(isConnected);
      if (!isConnected) stop.abort();
    },
  });
  const readAll = async (): Promise<void> => {
    for await (const _event of events);
  };
  await expect(readAll()).rejects.toThrow('aborted');
  expect(seen).toEqual([true, false]);
});

test('a change whose reply was lost is sent again, unless a second one would change more', async () => {
  const lost = new Response(null, { status: 502 });
  const repeated = clientOf(lost, Response.json({}));
  await repeated.client.pauseQueue();
  expect(repeated.urls).toHaveLength(2);
  const once = clientOf(lost, Response.json({}));
  await expect(once.client.rotateClient('amy')).rejects.toThrow(ClientError);
  expect(once.urls).toHaveLength(1);
});
