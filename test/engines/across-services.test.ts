import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { AcceptedBatchView } from '../../packages/contract/src/wire/batch.ts';
import type { DeliveryListView } from '../../packages/contract/src/wire/webhook.ts';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openStore } from '../../packages/service/src/start/database.ts';
import type { TokenReply } from '../../scripts/lib/api.ts';
import {
  type ApiReply,
  adminClient,
  type ClientCredentials,
  clientWithToken,
  login,
  obtainTokens,
  sendRequest,
} from '../support/api-client.ts';
import { checkClientLimits } from '../support/client-limits.ts';
import { closeEvents, followEvents, type SeenEvent } from '../support/event-client.ts';
import { openRequest } from '../support/files-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { locationOf, tusRequests } from '../support/tus.ts';
import { waitUntil } from '../support/wait.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());
afterAll(closeEvents);

/** Starts two services that share a new database and a media root. The queue is paused, so that jobs stay queued. */
async function startTwo(env: Readonly<Record<string, string>> = NO_RATE_LIMITS, listens = false) {
  databases += 1;
  const name = `telecine${databases}`;
  await postgres.sql(`create database ${name}`);
  const databaseUrl = postgres.url(name);
  const listen = listens ? { TELECINE_DATABASE_LISTEN_URL: databaseUrl } : {};
  const options = { env: { TELECINE_DATABASE_URL: databaseUrl, ...listen, ...env } };
  const one = await startServer(options);
  await postgres.sql(`update installation set queue_paused_at = '2026-11-20T10:00:00.000Z'`, name);
  const two = await startServer({ ...options, mediaRoot: one.mediaRoot });
  const addClient = (client: string): Promise<ClientCredentials> => insertClient({ ...one, databaseUrl }, client);
  return { name, databaseUrl, one, two, urls: [one.url, two.url] as const, addClient };
}

const BODY = { input: 'missing.mp4', output: 'o.mp4' };

const submit = (url: string, token: string, headers: Readonly<Record<string, string>> = {}) =>
  clientWithToken(url, token).request<AcceptedView>('/api/conversion', { body: BODY, headers });

const accepted = (replies: readonly ApiReply<unknown>[]): number =>
  replies.filter(({ status }) => status === 202).length;

test('a client submits no more in a minute than its limit, whichever service it asks', async () => {
  const { urls, addClient } = await startTwo({ TELECINE_CLIENT_LIMITS: 'submissions=40' });
  const { accessToken: turns } = await obtainTokens(urls[0], await addClient('turns'));
  const replies = [];
  for (let i = 0; i < 50; i++) replies.push(await submit(urls[i % 2] ?? '', turns));
  const inTurn = accepted(replies);
  expect(inTurn).toBeGreaterThanOrEqual(40);
  expect(inTurn, 'an eighth more for the second service at most').toBeLessThanOrEqual(45);
  const rejected = await submit(urls[0], turns);
  expect(rejected).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(rejected.headers.get('ratelimit')).toMatch(/^"submissions";r=0;t=\d+$/);

  const { accessToken: burst } = await obtainTokens(urls[0], await addClient('burst'));
  const atOnce = await Promise.all(Array.from({ length: 120 }, (_, i) => submit(urls[i % 2] ?? '', burst)));
  expect(accepted(atOnce)).toBeGreaterThanOrEqual(40);
  expect(accepted(atOnce)).toBeLessThanOrEqual(45);
});

test('failed guesses at one service count at the other one', async () => {
  const { urls, addClient } = await startTwo({ TELECINE_SERVICE_LIMITS: 'token-failures=4' });
  const { clientId } = await addClient('guessed');
  const guess = (url: string) =>
    sendRequest(url, '/api/auth/token', { body: { clientId, clientSecret: 'wrong' } }).then(({ status }) => status);
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push(await guess(urls[i % 2] ?? ''));
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
});

test('a client has no more queued jobs than its limit, whichever service it asks', async () => {
  const { urls, addClient } = await startTwo({ TELECINE_CLIENT_LIMITS: 'pending=40' });
  const { accessToken } = await obtainTokens(urls[0], await addClient('queued'));
  const replies = [];
  for (let i = 0; i < 50; i++) replies.push(await submit(urls[i % 2] ?? '', accessToken));
  const count = accepted(replies);
  expect(count).toBeGreaterThanOrEqual(40);
  expect(count, 'an eighth more for the second service at most').toBeLessThanOrEqual(45);
  for (const url of urls)
    expect(await submit(url, accessToken)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_PENDING' } });
});

test('limits of one client, set by REST, hold at once at each service', async () => {
  const { one, urls, addClient } = await startTwo({});
  const [own, other] = [await addClient('rich'), await addClient('poor')];
  await one.media.put('in/a.mp3', 'no music');
  const admin = await adminClient(one);
  await checkClientLimits(urls, { own, other }, async (texts) => {
    const limits = Object.fromEntries(texts.map((text) => text.split('=')));
    const reply = await admin.request('/api/clients/rich', { method: 'PATCH', body: { limits } });
    expect(reply.status).toBe(200);
  });
});

test('an idempotency key makes one job, however many requests come to both services at once', async () => {
  const { urls, addClient } = await startTwo();
  const { accessToken } = await obtainTokens(urls[0], await addClient('once'));
  for (let round = 0; round < 5; round++) {
    const headers = { 'idempotency-key': `key-${round}` };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => submit(urls[i % 2] ?? '', accessToken, headers)),
    );
    expect(accepted(replies)).toBe(20);
    expect(new Set(replies.map(({ body }) => body.jobId)).size).toBe(1);
  }
  expect((await clientWithToken(urls[1], accessToken).list()).jobs).toHaveLength(5);
});

test('every service rejects the tokens of a revoked client within a second', async () => {
  const { one, urls, addClient, databaseUrl } = await startTwo();
  const { accessToken, refreshToken } = await obtainTokens(urls[0], await addClient('leaver'));
  const statuses = () =>
    Promise.all(urls.map(async (url) => (await clientWithToken(url, accessToken).request('/api/conversion')).status));
  expect(await statuses()).toEqual([200, 200]);
  const settings = {
    TELECINE_DATABASE_URL: databaseUrl,
    TELECINE_DATA_DIR: one.dataDir,
    TELECINE_MEDIA_ROOT: one.mediaRoot,
  };
  expect((await runCli(['client', 'revoke', 'leaver', '--yes'], settings)).code).toBe(0);
  await sleep(1000);
  expect(await statuses()).toEqual([401, 401]);
  expect((await sendRequest(urls[1], '/api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
});

test('reuse of a refresh token at another service revokes its family', async () => {
  const { name, urls, addClient } = await startTwo();
  const { refreshToken } = await obtainTokens(urls[0], await addClient('robbed'));
  const refresh = (url: string, token: string) =>
    sendRequest<TokenReply>(url, '/api/auth/refresh', { body: { refreshToken: token } });
  const [first, again] = await Promise.all(urls.map((url) => refresh(url, refreshToken)));
  expect([first?.status, again?.status], 'a lost reply may be asked for again, anywhere').toEqual([200, 200]);
  const successor = first?.body.refreshToken ?? '';
  // As if the grace period were over.
  await postgres.sql(`update refresh_tokens set used_at = '2026-01-01T00:00:00.000Z' where used_at is not null`, name);
  expect((await refresh(urls[1], refreshToken)).status, 'a thief').toBe(401);
  expect((await refresh(urls[0], successor)).status, 'the family is revoked at the other service too').toBe(401);
});

test('two services that delete old jobs at once delete each one once', async () => {
  const { databaseUrl, urls, one, addClient } = await startTwo();
  const { accessToken } = await obtainTokens(urls[0], await addClient('old'));
  const client = clientWithToken(urls[0], accessToken);
  const jobs = await Promise.all(Array.from({ length: 250 }, () => client.accept(BODY)));
  const cancelled = await Promise.all(
    jobs.map((jobId) => client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' })),
  );
  expect(cancelled.filter(({ status }) => status !== 202)).toEqual([]);
  const kept = await client.accept(BODY);
  const stores = [
    await openStore({ dataDir: one.dataDir, databaseUrl }),
    await openStore({ dataDir: one.dataDir, databaseUrl }),
  ];
  try {
    const removed = await Promise.all(stores.map(({ jobs: store }) => store.removeFinishedBefore('2100-01-01')));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(250);
    expect((await client.list()).jobs.map(({ jobId }) => jobId)).toEqual([kept]);
  } finally {
    for (const store of stores) await store.close();
  }
});

test.for([
  ['with LISTEN', true],
  ['without LISTEN', false],
] as const)(
  'an event stream of one service shows what happens at another one, %s',
  async ([_, listens], { expect }) => {
    const { urls, databaseUrl, addClient } = await startTwo(NO_RATE_LIMITS, listens);
    const member = await addClient('member');
    const { accessToken } = await obtainTokens(urls[0], member);
    const [stream, ownStream] = [urls[1], urls[0]].map((url) => followEvents(url, '/api/events', accessToken));
    if (stream === undefined || ownStream === undefined) throw new Error('There are two services.');
    for (const each of [stream, ownStream]) await each.until('ready', ({ type }) => type === 'ready');
    const { jobId } = (await submit(urls[0], accessToken)).body;
    const isOf = (type: string) => (event: SeenEvent) => event.type === type && event.data.jobId === jobId;
    await stream.until('created', isOf('created'));
    const client = clientWithToken(urls[0], accessToken);
    await client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
    expect((await stream.until('ended', isOf('ended'))).data).toEqual(await client.job(jobId));
    await client.request(`/api/conversion/${jobId}`, { method: 'DELETE' });
    const deleted = await stream.until('deleted', isOf('deleted'));
    // The ids of one service continue at the other one.
    expect((await ownStream.until('deleted', isOf('deleted'))).id).toBe(deleted.id);

    const store = await openStore({ dataDir: '', databaseUrl });
    await createClients({ ...store, now: Date.now }).revoke(member.clientId);
    await store.close();
    expect(await Promise.all([stream.failed(), ownStream.failed()])).toEqual([401, 401]);
  },
);

test('two services never write to one upload at once, and one continues what the other was killed in', async () => {
  const { one, two, urls, addClient } = await startTwo();
  const { accessToken } = await obtainTokens(urls[0], await addClient('uploader'));
  const content = randomBytes(3 * 2 ** 20);
  const [first, second] = [tusRequests(urls[0], accessToken), tusRequests(urls[1], accessToken)];
  const at = locationOf(await first.create('film.bin', content.length));
  /** Sends `bytes` to a service by a request that never ends. */
  const begin = async (url: string, offset: number, bytes: Buffer) => {
    const { sent, answered } = openRequest(url, 'PATCH', at, {
      authorization: `Bearer ${accessToken}`,
      ...{ 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' },
      ...{ 'upload-offset': offset, 'content-length': content.length - offset, expect: '100-continue' },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    await new Promise((resolve) => sent.once('continue', resolve));
    sent.write(bytes);
    // In an object, because the caller does not wait for the reply.
    return { answered };
  };
  /** Reads the offset at the second service, again and again while the upload is locked, as clients of tus do. */
  const readOffset = async (): Promise<number> => {
    let offset: string | undefined;
    const head = async () => (offset = (await second.head(at)).headers['upload-offset']);
    await expect.poll(head, { timeout: 30_000, interval: 500 }).toBeDefined();
    return Number(offset);
  };
  const taken = await begin(urls[0], 0, content.subarray(0, 1000));
  const offset = await readOffset();
  expect((await taken.answered).headers['upload-offset']).toBe(String(offset));
  expect((await second.patch(at, offset, content.subarray(offset, 2 ** 20))).status).toBe(204);
  // The lock of a killed service ends by itself.
  await begin(urls[0], 2 ** 20, content.subarray(2 ** 20, 2 ** 21));
  await one.kill9('group');
  const rest = await readOffset();
  expect(rest).toBeGreaterThanOrEqual(2 ** 20);
  expect((await second.patch(at, rest, content.subarray(rest))).status).toBe(204);
  expect((await two.media.get('film.bin')).equals(content)).toBe(true);
});

test('two services send each webhook once, and the end of each batch is one event', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { urls, addClient } = await startTwo({ ...NO_RATE_LIMITS, TELECINE_WEBHOOK_HOSTS: receiver.host });
  const credentials = await addClient('events');
  const [one, two] = await Promise.all([login(urls[0], credentials), login(urls[1], credentials)]);
  await one.request('/api/webhooks', { body: { url: receiver.url('/ends') } });
  const batches: AcceptedBatchView[] = [];
  for (let i = 0; i < 6; i += 1) {
    const requests = Array.from({ length: 8 }, (_, index) => ({ ...BODY, output: `${i}-${index}.mp4` }));
    const reply = await (i % 2 === 0 ? one : two).request<AcceptedBatchView>('/api/conversions', {
      body: { requests },
    });
    batches.push(reply.body);
  }
  const jobIds = batches.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId));
  // Each job is cancelled at one service or the other, and those of a batch at the same time.
  await Promise.all(
    jobIds.map((jobId, index) =>
      (index % 2 === 0 ? one : two).request(`/api/conversion/${jobId}/cancel`, { method: 'POST' }),
    ),
  );
  const count = jobIds.length + batches.length;
  await waitUntil('all deliveries to end', async () => {
    const received = receiver.received('/ends').length;
    return received >= count ? true : undefined;
  });
  const subjects = receiver
    .received('/ends')
    .map(({ event: { type, data } }) => `${type} ${data.jobId ?? data.batchId}`);
  expect(subjects.toSorted()).toEqual(
    [
      ...jobIds.map((jobId) => `job.cancelled ${jobId}`),
      ...batches.map(({ batchId }) => `batch.cancelled ${batchId}`),
    ].toSorted(),
  );
  for (const { batchId } of batches) {
    const { body } = await two.request<DeliveryListView>(`/api/conversions/${batchId}/deliveries`);
    expect(body.deliveries).toMatchObject([{ event: 'batch.cancelled' }]);
  }
});
