import { expect, onTestFinished } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import { type ApiClient, login, sendRequest } from '../support/api-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';
import { waitUntil } from '../support/wait.ts';

/** The tests run one after the other, and cancel what they queue: one limit is for the jobs of all clients. */
const start = sharedServer({
  args: ['--no-worker'],
  env: {
    TELECINE_CLIENT_LIMITS: 'submissions=8,pending=3',
    TELECINE_SERVICE_LIMITS: 'token-failures=4,pending-in-all=5',
  },
});
const unlimited = sharedServer({ args: ['--no-worker'], env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

const BODY = { input: 'a.mp3', output: 'a.mka' };
const submit = (client: ApiClient, body: object = BODY) => client.request<AcceptedView>('/api/conversion', { body });

const seconds = (headers: Headers): number => Number(headers.get('retry-after'));

/** A new client. Its jobs are cancelled after the test. */
async function newClient(name: string): Promise<ApiClient> {
  const { server } = await start();
  const client = await login(server.url, await insertClient(server, name));
  onTestFinished(async () => {
    const { jobs } = await client.list('?status=PENDING');
    for (const { jobId } of jobs) await client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  });
  return client;
}

test('rejects a ninth submission in a minute, and each reply shows how many are left', async () => {
  const [client, other] = [await newClient('hurried'), await newClient('calm')];
  // They count too, and fill no queue.
  const dryRun = (of: ApiClient) => of.request('/api/conversion?dryRun=true', { body: BODY });
  const remaining: (string | null)[] = [];
  for (let i = 0; i < 8; i++) {
    const { status, headers } = await dryRun(client);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe('"submissions";q=8;w=60');
    remaining.push(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null);
  }
  expect(remaining).toEqual(['7', '6', '5', '4', '3', '2', '1', '0']);
  const rejected = await client.request('/mcp', { body: { ...BODY, llmId: 'one' } });
  expect(rejected).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(rejected.headers.get('ratelimit')).toMatch(/^"submissions";r=0;t=\d+$/);
  expect(seconds(rejected.headers)).toBeGreaterThan(0);
  expect(seconds(rejected.headers)).toBeLessThanOrEqual(60);
  expect(rejected.body.detail).toContain('8 submissions a minute');
  // The limit applies before the body is read, so an invalid body makes no difference.
  expect((await client.request('/api/conversion', { raw: 'no JSON', method: 'POST' })).status).toBe(429);
  expect((await client.list()).jobs, 'reading is not limited').toEqual([]);
  expect((await dryRun(other)).status, 'nor is another client').toBe(200);
});

test('limits guesses of a secret, and lets the right one through', async () => {
  const { server } = await start();
  const { clientId, clientSecret } = await insertClient(server, 'guessed');
  const guess = () => sendRequest(server.url, '/api/auth/token', { body: { clientId, clientSecret: 'wrong' } });
  for (let i = 0; i < 4; i++) expect(await guess()).toMatchObject({ status: 401, body: { code: 'INVALID_CLIENT' } });
  const rejected = await guess();
  expect(rejected).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(seconds(rejected.headers)).toBeGreaterThan(0);
  const right = await sendRequest(server.url, '/api/auth/token', { body: { clientId, clientSecret } });
  expect(right.status, 'nobody can guess a generated secret, so it need not wait').toBe(200);
  expect((await guess()).status).toBe(429);
});

test('limits queued jobs per client, also if they come at once, and in total; cancelling one frees its place', async () => {
  const [one, two] = [await newClient('one'), await newClient('two')];
  const answers = await Promise.all(Array.from({ length: 8 }, () => submit(one)));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(3);
  const [own] = answers.filter(({ status }) => status !== 202);
  expect(own).toMatchObject({ status: 429, body: { code: 'TOO_MANY_PENDING' } });
  expect(own?.body).toMatchObject({ detail: expect.stringContaining('3 queued jobs') });
  expect(seconds(own?.headers ?? new Headers())).toBeGreaterThan(0);
  expect((await one.list('?status=PENDING')).jobs).toHaveLength(3);

  for (let i = 0; i < 2; i++) expect((await submit(two)).status).toBe(202);
  const all = await two.request('/api/conversion', { body: BODY });
  expect(all).toMatchObject({ status: 429, body: { code: 'TOO_MANY_PENDING' } });
  expect(all.body.detail).toContain('The service has 5 queued jobs');
  expect((await two.request('/api/conversion?dryRun=true', { body: BODY })).status, 'a dry run waits for nothing').toBe(
    200,
  );

  await one.request(`/api/conversion/${accepted[0]?.body.jobId}/cancel`, { method: 'POST' });
  const three = await newClient('three');
  await waitUntil('room', async () => (await submit(three)).status === 202 || undefined);
  expect((await submit(three)).status).toBe(429);
});

const batchOf = (size: number) => ({
  requests: Array.from({ length: size }, (_, index) => ({ ...BODY, output: `${index}.mka` })),
});

test('a batch counts as its requests, and one that can never be accepted is told the limit', async () => {
  const [one, two, fast] = [await newClient('batch-one'), await newClient('batch-two'), await newClient('fast')];
  const send = (client: ApiClient, size: number, query = '') =>
    client.request(`/api/conversions${query}`, { body: batchOf(size) });
  const tooLarge = (limit: number, unit: string) => ({
    status: 400,
    body: {
      code: 'INVALID_REQUEST',
      errors: [{ field: '/requests', code: 'TOO_MANY', message: expect.stringContaining(`at most ${limit} ${unit}`) }],
    },
  });
  const never = await send(one, 4);
  expect(never).toMatchObject(tooLarge(3, 'queued jobs'));
  expect(never.headers.get('retry-after')).toBeNull();
  expect(await send(one, 9)).toMatchObject(tooLarge(8, 'submissions a minute'));
  expect((await one.list()).jobs, 'none of a rejected batch').toEqual([]);

  // One that fits later is told to wait.
  expect((await send(two, 3)).status).toBe(202);
  const full = await send(two, 2);
  expect(full).toMatchObject({ status: 429, body: { code: 'TOO_MANY_PENDING' } });
  expect(seconds(full.headers)).toBeGreaterThan(0);
  expect(await send(one, 3), 'the service has room for two').toMatchObject({ status: 429 });
  expect((await send(one, 2)).status).toBe(202);
  const rates = [];
  for (let i = 0; i < 3; i += 1) rates.push(await send(fast, 3, '?dryRun=true'));
  expect(rates[2]).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(seconds(rates[2]?.headers ?? new Headers())).toBeGreaterThan(0);
});

test('without limits rejects nothing and sends no RateLimit fields', { tags: 'long' }, async () => {
  const { server, admin } = await unlimited();
  const answers = await Promise.all(Array.from({ length: 40 }, () => submit(admin)));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(202));
  expect(answers[0]?.headers.get('ratelimit')).toBeNull();
  expect(server.log()).not.toContain('"level":50');
});

test('does not start with an invalid limit, and shows the format', async () => {
  const wrong = sharedServer({ env: { TELECINE_CLIENT_LIMITS: 'submissions=lots' } });
  await expect(wrong()).rejects.toThrow(/TELECINE_CLIENT_LIMITS: submissions must be a whole number from 1 to/);
});
