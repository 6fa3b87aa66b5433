import { beforeAll } from 'vitest';
import { WATCH_EVENTS } from '../../packages/contract/src/domain/webhook.ts';
import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import type { WatchView } from '../../packages/contract/src/wire/watch.ts';
import type {
  AddedWebhookView,
  DeliveryListView,
  DeliveryView,
  RotatedSecretView,
  SentDeliveryView,
  WebhookView,
} from '../../packages/contract/src/wire/webhook.ts';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openStore } from '../../packages/service/src/start/database.ts';
import { newWebhookSecret, signedHeaders } from '../../packages/service/src/webhooks/delivery-headers.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { clientName, insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { onDisk } from '../support/test-engines.ts';
import { waitUntil } from '../support/wait.ts';
import { type ReceivedEvent, verifyEvent, type WebhookReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg').concurrent;

const start = commonServer();
let receiver: WebhookReceiver;
beforeAll(async () => {
  ({ receiver } = await start());
});

const MISSING = { input: 'none.mp3', output: 'none.mka' };
const TO_FLAC = { input: 'song.mp3', output: 'song.mka', parameters: { c: 'copy' } };

/** A new client with its own folder. */
async function client(name: string) {
  const { server } = await start();
  const own = await login(server.url, await insertClient(server, name, { root: name }));
  const post = async <T>(path: string, body: object = {}): Promise<T> =>
    (await own.request<T>(path, { method: 'POST', body })).body;
  return {
    server,
    own,
    name,
    add: (path: string, more: object = {}) =>
      post<AddedWebhookView>('/api/webhooks', { url: receiver.url(path), ...more }),
    post,
    deliveries: async (path: string) => (await own.request<DeliveryListView>(`${path}/deliveries`)).body.deliveries,
  };
}

const patch = (own: ApiClient, webhookId: string, body: object) =>
  own.request<WebhookView>(`/api/webhooks/${webhookId}`, { method: 'PATCH', body });

/** Waits until a path got this many requests. */
const received = (path: string, count = 1): Promise<readonly ReceivedEvent[]> =>
  waitUntil(`${count} events at ${path}`, async () => {
    const events = receiver.received(path);
    return events.length >= count ? events : undefined;
  });

/** Waits until the newest delivery of a webhook or a job is as wanted. */
const settled = (
  who: { deliveries(path: string): Promise<readonly DeliveryView[]> },
  path: string,
  state: DeliveryView['state'],
) =>
  waitUntil(`a delivery that is ${state}`, async () => (await who.deliveries(path)).find((one) => one.state === state));

test('tells a webhook the end of each job, signed, with the job as GET shows it', async ({ expect }) => {
  const amy = await client('ends');
  await amy.server.media.below('ends').fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const { webhookId, secret, ...shown } = await amy.add('/ends', { description: 'orders' });
  expect(shown).toMatchObject({ url: receiver.url('/ends'), enabled: true, description: 'orders' });
  const done = await amy.own.run(TO_FLAC);
  const failed = await amy.own.run(MISSING);
  const events = await received('/ends', 2);
  for (const event of events) {
    expect(verifyEvent(event, secret)).toEqual(event.event);
    expect(() => verifyEvent(event, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toThrow();
    expect(event.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^telecine\//),
    });
  }
  const dataOf = (type: string) => events.find(({ event }) => event.type === type)?.event.data;
  expect(dataOf('job.completed')).toEqual(done);
  expect(dataOf('job.failed')).toEqual(failed);
  const delivery = await settled(amy, `/api/conversion/${done.jobId}`, 'DELIVERED');
  expect(delivery).toMatchObject({
    webhookId,
    messageId: events.find(({ event }) => event.data.jobId === done.jobId)?.id,
    attempts: [{ status: 204, at: expect.any(String), seconds: expect.any(Number) }],
  });
  expect(await amy.deliveries(`/api/webhooks/${webhookId}`)).toHaveLength(2);
  const sent = await amy.own.request<SentDeliveryView>(`/api/webhooks/${webhookId}/deliveries/${delivery.deliveryId}`);
  expect(sent).toMatchObject({ status: 200, body: delivery });
  expect(JSON.parse(sent.body.body)).toEqual(events.find(({ id }) => id === delivery.messageId)?.event);
});

onDisk('A folder of a bucket is never missing.', 'ffmpeg').concurrent(
  'tells a webhook, signed, what happens to a watch and needs its client',
  async ({ expect }) => {
    const amy = await client('watched');
    const { admin } = await start();
    const { secret } = await amy.add('/watched', { events: WATCH_EVENTS });
    const request = { output: 'out/{name}.mka', parameters: { c: 'copy' } };
    const { watchId } = await amy.post<WatchView>('/api/watches', { folder: 'in/', settleSeconds: 1, request });
    const change = (by: ApiClient, body: object) => by.request(`/api/watches/${watchId}`, { method: 'PATCH', body });
    await received('/watched', 1);
    await amy.server.media.below('watched').put('in/broken.mp3', 'not a sound');
    await received('/watched', 3);
    const name = clientName(amy.server, 'watched');
    await admin.request(`/api/clients/${name}`, { method: 'PATCH', body: { scopes: ['jobs:read'] } });
    await change(admin, { name: 'incoming' });
    const events = await received('/watched', 4);
    for (const event of events) expect(verifyEvent(event, secret)).toEqual(event.event);
    const of = { watchId, client: name };
    const broken = { path: 'in/broken.mp3', state: 'NEEDS_ATTENTION', failure: { code: 'INPUT_INVALID' } };
    expect(Object.fromEntries(events.map(({ event: { type, data } }) => [type, data]))).toMatchObject({
      'watch.unreachable': { ...of, folder: 'in/' },
      'watch.reachable': { ...of, folder: 'in/' },
      'watch.needs_attention': { ...of, file: broken, files: 1 },
      'watch.stopped': { ...of, folder: 'in/', stopped: { code: 'INSUFFICIENT_SCOPE' } },
    });
    expect(events).toHaveLength(WATCH_EVENTS.length);
  },
);

test('sends only the types of events that a webhook wants', async ({ expect }) => {
  const amy = await client('types');
  const { webhookId } = await amy.add('/types', { events: ['job.completed'] });
  await amy.add('/types-all');
  const { jobId } = await amy.own.run(MISSING);
  await received('/types-all');
  expect(await amy.deliveries(`/api/conversion/${jobId}`)).toHaveLength(1);
  expect(await amy.deliveries(`/api/webhooks/${webhookId}`)).toEqual([]);
});

test('sends the end of one job to its callback, with user and query, which no view shows', async ({ expect }) => {
  const amy = await client('callbacks');
  const callbackUrl = receiver.url('/callback').replace('//', '//bob:pass%20word@').concat('?order=7');
  const first = await amy.own.request('/api/conversion', { body: { ...MISSING, callbackUrl } });
  expect(first).toMatchObject({
    status: 400,
    body: {
      errors: [{ field: '/callbackUrl', code: 'NO_SECRET', fix: expect.stringMatching(/webhook-secret\/rotate/) }],
    },
  });
  const { secret } = await amy.post<RotatedSecretView>('/api/webhook-secret/rotate');
  const job = await amy.own.run({ ...MISSING, callbackUrl });
  expect(job.callbackUrl).toBe(`http://(hidden)@${receiver.host}/callback?(hidden)`);
  const [event] = await received('/callback');
  expect(verifyEvent(event as ReceivedEvent, secret)).toMatchObject({ type: 'job.failed', data: job });
  expect(event?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('bob:pass word').toString('base64')}`,
    ':query': '?order=7',
  });
  await settled(amy, `/api/conversion/${job.jobId}`, 'DELIVERED');
  expect(amy.server.log()).not.toMatch(/pass%20word|order=7/);
  // A retry is another job, which has its own callback.
  const retried = await amy.own.request<{ jobId: string }>(`/api/conversion/${job.jobId}/retry`, { method: 'POST' });
  const events = await received('/callback', 2);
  expect(events[1]?.event.data.jobId).toBe(retried.body.jobId);
  expect(events[1]?.id).not.toBe(event?.id);
});

test('tells webhooks and the callback of a batch its end, once, with how each job ended', { tags: 'long' }, async ({
  expect,
}) => {
  const amy = await client('batches');
  await amy.server.media.below('batches').fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const { secret } = await amy.post<RotatedSecretView>('/api/webhook-secret/rotate');
  await amy.add('/batches', { events: ['batch.completed', 'batch.failed', 'batch.cancelled'] });
  const callbackUrl = receiver.url('/batch-done').concat('?order=7');
  const submit = (requests: readonly object[], more = {}) =>
    amy.post<AcceptedBatchView>('/api/conversions', { requests, ...more });
  const good = { ...TO_FLAC, name: 'film', metadata: { order: 'A-1042' } };
  const failed = await submit([good, MISSING, { ...TO_FLAC, output: 'b.mka', after: ['film'] }], { callbackUrl });
  const [event] = await received('/batch-done');
  expect(verifyEvent(event as ReceivedEvent, secret)).toEqual(event?.event);
  const { jobs, ...state } = (await amy.own.request<BatchView>(`/api/conversions/${failed.batchId}`)).body;
  expect(state.callbackUrl).toBe(`http://${receiver.host}/batch-done?(hidden)`);
  expect(event?.event).toEqual({
    type: 'batch.failed',
    timestamp: jobs
      .map(({ completedAt }) => completedAt)
      .toSorted()
      .at(-1),
    data: {
      ...state,
      jobs: [
        { jobId: jobs[0]?.jobId, name: 'film', status: 'COMPLETED', output: 'song.mka', metadata: { order: 'A-1042' } },
        {
          ...{ jobId: jobs[1]?.jobId, status: 'FAILED', output: 'none.mka' },
          error: { code: 'INPUT_NOT_FOUND', message: jobs[1]?.error?.message },
        },
        { jobId: jobs[2]?.jobId, status: 'COMPLETED', output: 'b.mka' },
      ],
    },
  });
  const path = `/api/conversions/${failed.batchId}`;
  await settled(amy, path, 'DELIVERED');
  const deliveries = await amy.deliveries(path);
  expect(deliveries).toHaveLength(2);
  for (const each of deliveries) expect(each).toMatchObject({ event: 'batch.failed', batchId: failed.batchId });
  for (const each of deliveries) expect(each).not.toHaveProperty('jobId');

  // A retry is a job of its own: the batch does not end again.
  await amy.own.request(`/api/conversion/${jobs[1]?.jobId}/retry`, { method: 'POST' });
  const completed = await submit([{ ...TO_FLAC, output: 'c.mka' }]);
  const types = (await received('/batches', 2)).map(({ event: { type, data } }) => [type, data]);
  expect(types).toMatchObject([
    ['batch.failed', { batchId: failed.batchId }],
    ['batch.completed', { batchId: completed.batchId, counts: { completed: 1 } }],
  ]);
  // Only its client sees its deliveries, and can replay them.
  const { own: other } = await client('batches-other');
  expect(await other.request(`${path}/deliveries`)).toMatchObject({ status: 404, body: { code: 'BATCH_NOT_FOUND' } });
  const callback = deliveries.find(({ webhookId }) => webhookId === undefined);
  const replay = await amy.own.request<DeliveryView>(`${path}/deliveries/${callback?.deliveryId}/replay`, {
    method: 'POST',
  });
  expect(replay).toMatchObject({ status: 202, body: { batchId: failed.batchId } });
  expect((await received('/batch-done', 2))[1]?.id).toBe(event?.id);
  expect(receiver.received('/batches')).toHaveLength(2);
  expect(amy.server.log()).not.toMatch(/order=7/);
});

test('rejects a batch whose callback cannot be signed or is not allowed, and names the field', async ({ expect }) => {
  const amy = await client('batch-rejected');
  const errorsOf = async (callbackUrl: string, query = '') =>
    (await amy.own.request(`/api/conversions${query}`, { body: { requests: [MISSING], callbackUrl } })).body.errors;
  expect(await errorsOf(receiver.url('/x'))).toMatchObject([{ field: '/callbackUrl', code: 'NO_SECRET' }]);
  await amy.post('/api/webhook-secret/rotate');
  for (const query of ['', '?dryRun=true'])
    expect(await errorsOf('http://10.0.0.1/x', query)).toMatchObject([
      { field: '/callbackUrl', code: 'HOST_NOT_ALLOWED' },
    ]);
  expect((await amy.own.list()).jobs).toEqual([]);
});

test('repeats a delivery that failed, with the same id, and logs each attempt', async ({ expect }) => {
  const amy = await client('repeats');
  const { webhookId, secret } = await amy.add('/repeats');
  receiver.answer('/repeats', (_event, response) => {
    const isFirst = receiver.received('/repeats').length === 1;
    response.writeHead(isFirst ? 503 : 200).end(isFirst ? 'Down, token Bearer abc.def' : 'ok');
  });
  await amy.own.run(MISSING);
  const [first, second] = await received('/repeats', 2);
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toBe(first?.body);
  expect(verifyEvent(second as ReceivedEvent, secret)).toEqual(second?.event);
  const delivery = await settled(amy, `/api/webhooks/${webhookId}`, 'DELIVERED');
  expect(delivery).toMatchObject({
    attemptCount: 2,
    attempts: [
      { status: 503, error: 'The receiver replied 503.', body: 'Down, token (hidden)' },
      { status: 200, body: 'ok' },
    ],
  });
  expect((await amy.own.request<WebhookView>(`/api/webhooks/${webhookId}`)).body.failingSince).toBeUndefined();
});

test('a delivery that waits for its next attempt is attempted now by a replay', async ({ expect }) => {
  const amy = await client('hurries');
  const { webhookId } = await amy.add('/hurries');
  // The receiver wants to be left alone for an hour.
  receiver.answer('/hurries', (_event, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
  await amy.own.run(MISSING);
  const path = `/api/webhooks/${webhookId}`;
  const waiting = await waitUntil('the failed attempt', async () => {
    const [delivery] = await amy.deliveries(path);
    return delivery?.attemptCount === 1 ? delivery : undefined;
  });
  expect(Date.parse(waiting.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(3_000_000);
  receiver.answer('/hurries', (_event, response) => void response.writeHead(204).end());
  const replayPath = `${path}/deliveries/${waiting.deliveryId}/replay`;
  const { own: other } = await client('hurries-other');
  expect(await other.request(replayPath, { method: 'POST', body: {} })).toMatchObject({ status: 404 });
  expect(await amy.own.request(replayPath, { method: 'POST', body: {} })).toMatchObject({
    status: 202,
    body: { deliveryId: waiting.deliveryId },
  });
  const [first, second] = await received('/hurries', 2);
  expect(second?.id).toBe(first?.id);
  const delivery = await settled(amy, path, 'DELIVERED');
  expect(delivery).toMatchObject({ deliveryId: waiting.deliveryId, attemptCount: 2 });
  expect(await amy.deliveries(path)).toHaveLength(1);
});

test('disables a webhook that is gone, says why, and sends again once it is enabled', async ({ expect }) => {
  const amy = await client('gone');
  const { webhookId } = await amy.add('/gone');
  receiver.answer('/gone', (_event, response) => void response.writeHead(410).end());
  await amy.own.run(MISSING);
  const lost = await settled(amy, `/api/webhooks/${webhookId}`, 'FAILED');
  const path = `/api/webhooks/${webhookId}`;
  expect((await amy.own.request(path)).body).toMatchObject({ enabled: false, disabledReason: 'GONE' });
  await amy.own.run(MISSING);
  expect(await amy.deliveries(path)).toHaveLength(1);
  const replay = { method: 'POST', body: {} };
  const replayPath = `${path}/deliveries/${lost.deliveryId}/replay`;
  expect(await amy.own.request(replayPath, replay)).toMatchObject({ status: 409, body: { code: 'WEBHOOK_DISABLED' } });
  receiver.answer('/gone', (_event, response) => void response.writeHead(204).end());
  expect((await patch(amy.own, webhookId, { enabled: true })).body).toMatchObject({ enabled: true });
  expect(await amy.own.request(replayPath, replay)).toMatchObject({ status: 202, body: { messageId: lost.messageId } });
  const [first, second] = await received('/gone', 2);
  expect(second?.id).toBe(first?.id);
  await settled(amy, path, 'DELIVERED');
});

test('signs with the old and the new secret after a rotation', async ({ expect }) => {
  const amy = await client('rotates');
  const { webhookId, secret } = await amy.add('/rotates');
  const path = `/api/webhooks/${webhookId}`;
  const rotated = await amy.post<RotatedSecretView>(`${path}/rotate-secret`);
  expect(Date.parse(rotated.previousExpiresAt ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await amy.own.request(`${path}/test`, { method: 'POST', body: {} })).toMatchObject({ status: 202 });
  const [event] = await received('/rotates');
  expect(event?.event).toMatchObject({ type: 'webhook.test', data: { webhookId } });
  expect(event?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const one of [secret, rotated.secret]) expect(verifyEvent(event as ReceivedEvent, one)).toBeDefined();
  const texts = JSON.stringify([await amy.own.request(path), await amy.own.request('/api/webhooks')]);
  expect(texts).not.toContain('whsec_');
});

test('follows no redirect', async ({ expect }) => {
  const amy = await client('redirects');
  const { webhookId } = await amy.add('/redirects');
  receiver.answer('/redirects', (_event, response) => void response.writeHead(302, { location: '/target' }).end());
  await amy.post(`/api/webhooks/${webhookId}/test`);
  const { attempts } = await settled(amy, `/api/webhooks/${webhookId}`, 'FAILED');
  expect(attempts).toMatchObject([
    { status: 302, error: expect.stringMatching(/redirects \(302\), which is not followed/) },
  ]);
  expect(receiver.received('/target')).toEqual([]);
});

test('rejects URLs that are not public and not allowed, and says what is allowed', async ({ expect }) => {
  const { own } = await client('addresses');
  const send = (url: string) => own.request('/api/webhooks', { body: { url } });
  for (const url of ['http://127.0.0.1:1/', 'http://2130706433/', 'http://[::ffff:10.0.0.1]/', 'https://localhost/x'])
    expect(await send(url), url).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: '/url', code: 'HOST_NOT_ALLOWED', message: expect.stringMatching(/TELECINE_WEBHOOK_HOSTS/) }],
      },
    });
  for (const url of ['ftp://example.org/', 'example.org', 'file:///etc/passwd'])
    expect(await send(url), url).toMatchObject({ status: 400, body: { errors: [{ code: 'INVALID_URL' }] } });
  expect(await own.request('/api/webhooks')).toMatchObject({ body: { webhooks: [] } });
});

test('hides webhooks and deliveries from other clients', async ({ expect }) => {
  const [amy, bob] = [await client('owner'), await client('stranger')];
  const { webhookId } = await amy.add('/owner');
  await amy.post(`/api/webhooks/${webhookId}/test`);
  const { deliveryId } = await settled(amy, `/api/webhooks/${webhookId}`, 'DELIVERED');
  const path = `/api/webhooks/${webhookId}`;
  for (const [url, method] of [
    [path, 'GET'],
    [path, 'DELETE'],
    [`${path}/deliveries`, 'GET'],
    [`${path}/test`, 'POST'],
    [`${path}/rotate-secret`, 'POST'],
    [`${path}/deliveries/${deliveryId}`, 'GET'],
    [`${path}/deliveries/${deliveryId}/replay`, 'POST'],
  ] as const)
    expect(await bob.own.request(url, { method, ...(method === 'POST' && { body: {} }) }), url).toMatchObject({
      status: 404,
      body: { code: 'WEBHOOK_NOT_FOUND' },
    });
  expect(await amy.own.request(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
  expect(await amy.own.request(path)).toMatchObject({ status: 404 });
});

test('sends nothing more for a client that was revoked', { tags: 'long' }, async ({ expect }) => {
  const amy = await client('revoked');
  const { webhookId } = await amy.add('/revoked');
  receiver.answer('/revoked', (_event, response) => void response.writeHead(503).end());
  await amy.own.run(MISSING);
  await received('/revoked');
  await settled(amy, `/api/webhooks/${webhookId}`, 'PENDING');
  const store = await openStore({
    dataDir: amy.server.dataDir,
    ...(amy.server.databaseUrl !== undefined && { databaseUrl: amy.server.databaseUrl }),
  });
  try {
    await createClients({ ...store, now: Date.now }).revoke(clientName(amy.server, 'revoked'));
    const { length } = receiver.received('/revoked');
    const isEnd = async () => {
      const [one] = await store.webhookOutbox.ofEndpoint(webhookId, { limit: 1 });
      return one?.state === 'PENDING' ? undefined : one;
    };
    // On a busy machine the second attempt may come before the revocation, and the pause after it is 20 s.
    const ended = await waitUntil('the end of the delivery', isEnd, 45);
    expect(receiver.received('/revoked')).toHaveLength(length);
    expect(ended).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/disabled or deleted/) });
  } finally {
    await store.close();
  }
});

test('telecine webhook registers, tests, shows and deletes a webhook', { tags: 'long' }, async ({ expect }) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'cli', { root: 'cli' });
  const run = (...args: readonly string[]) =>
    runCli(['webhook', ...args, '--url', server.url], {
      TELECINE_CLIENT_ID: credentials.clientId,
      TELECINE_CLIENT_SECRET: credentials.clientSecret,
    });
  const added = await run('add', receiver.url('/cli'), '--event', 'job.failed', '--json');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const { webhookId, secret } = JSON.parse(added.stdout) as AddedWebhookView;
  expect((await run('list')).stdout).toContain(`${webhookId}  enabled  job.failed  ${receiver.url('/cli')}`);
  expect(await run('test', webhookId)).toMatchObject({ code: 0 });
  const [event] = await received('/cli');
  expect(verifyEvent(event as ReceivedEvent, secret)).toMatchObject({ type: 'webhook.test' });
  const shown = await waitUntil('the result', async () => {
    const { stdout } = await run('deliveries', webhookId);
    return stdout.includes('DELIVERED') ? stdout : undefined;
  });
  expect(shown).toContain('webhook.test');
  const [delivery = ''] = shown.split('\n')[1]?.split(' ') ?? [];
  expect(await run('replay', webhookId, delivery)).toMatchObject({ code: 0 });
  await received('/cli', 2);
  expect((await run('disable', webhookId)).stdout).toContain('disabled (CLIENT)');
  expect((await run('rotate', webhookId)).stdout).toContain('whsec_');
  expect(await run('delete', webhookId)).toMatchObject({ code: 0 });
  expect(await run('delete', webhookId)).toMatchObject({ code: 2, stderr: expect.stringContaining(webhookId) });
  expect(await run('add', 'http://10.0.0.1/')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('TELECINE_WEBHOOK_HOSTS'),
  });
});

test('telecine webhook listen verifies what the service sends, with a secret on standard input', async ({ expect }) => {
  const secret = newWebhookSecret();
  const listening = startCli(['webhook', 'listen', '--port', '0', '--json'], {}, { stdin: 'pipe' });
  let stderr = '';
  listening.child.stderr?.on('data', (text: string) => {
    stderr += text;
  });
  listening.child.stdin?.end(`${secret}\n`);
  await listening.wrote('Ctrl-C ends');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(stderr) ?? [];
  const body = '{"type":"webhook.test"}';
  const send = (by: string) =>
    fetch(url, { method: 'POST', body, headers: signedHeaders([by], 'msg_1', new Date(), body) });
  expect((await send(secret)).status).toBe(204);
  expect((await send(newWebhookSecret())).status).toBe(401);
  listening.child.kill('SIGINT');
  const { stdout } = await listening.ended;
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { isVerified: true, messageId: 'msg_1', event: { type: 'webhook.test' } },
    { isVerified: false, error: expect.any(String) },
  ]);
});
