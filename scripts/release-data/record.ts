import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { AcceptedBatchView } from '../../packages/contract/src/wire/batch.ts';
import type { RegisteredClientView } from '../../packages/contract/src/wire/clients.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { endWithTests } from '../../test/support/end-with-tests.ts';
import { adminFile, getJob, isFinal, must, type TokenReply } from '../lib/api.ts';
import { copySample } from '../lib/samples.ts';
import { startService } from '../lib/service.ts';
import { INPUT, PLACES, type Places, type ReleaseFacts, UNDELIVERED } from './released-data.ts';

interface Recording {
  readonly folder: string;
  /** The settings of the database, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

interface Recorded {
  readonly facts: ReleaseFacts;
  readonly places: Places;
}

const SHORT = { c: 'copy', t: '1' };
/** Options of a conversion of some seconds, so that the service can be killed meanwhile. */
const LONG = { 'c:v': 'libx264', preset: 'slow', threads: '1', t: '4', 'c:a': 'aac' };

const input = INPUT.replace(/^shop\//, '');

/** Runs a service, and kills it while one job runs and others are queued. */
export async function record({ folder, env }: Recording): Promise<Recorded> {
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  await mkdir(dirname(join(mediaRoot, INPUT)), { recursive: true });
  await mkdir(dataDir);
  await copySample('480p', join(mediaRoot, INPUT));
  const receiver = await startReceiver();
  try {
    const service = await startService({
      ...{ dataDir, mediaRoot, ownGroup: true },
      env: { ...env, TELECINE_WEBHOOK_HOSTS: receiver.host, TELECINE_CONCURRENCY: '2' },
      onSpawn: (child) => endWithTests(child, { isGroup: true }),
    });
    const { url } = service;
    const admin = JSON.parse(await readFile(adminFile(dataDir), 'utf8')) as ReleaseFacts['admin'];
    const before = await withEndedJobs(url, admin, receiver.host);

    // The queue is paused, so that all these jobs are queued before the first of them starts.
    const { accessToken: adminToken } = await login(url, admin);
    await must(`${url}/api/queue/pause`, { token: adminToken, method: 'POST' });
    const { cancelled, ...queued } = await withQueuedJobs(url, before.client);
    await must(`${url}/api/queue/resume`, { token: adminToken, method: 'POST' });
    await jobWhich(url, adminToken, queued.running, ({ phase }) => phase === 'CONVERTING');
    process.kill(-service.pid, 'SIGKILL');
    await service.exited;
    const { version } = manifest;
    const recordedAt = new Date().toISOString();
    return {
      facts: {
        ...{ version, recordedAt, admin, ...before, ...queued },
        undelivered: [...before.undelivered, cancelled.jobId],
        ended: [...before.ended, cancelled],
        keys: [...before.keys, ...queued.keys],
      },
      places: { mediaRoot, receiver: receiver.host },
    };
  } finally {
    receiver.close();
  }
}

const login = (url: string, body: ReleaseFacts['client']): Promise<TokenReply> =>
  must<TokenReply>(`${url}/api/auth/token`, { body });

/** Adds a client with a recipe and a webhook, and runs jobs of this client to their end. */
async function withEndedJobs(url: string, admin: ReleaseFacts['admin'], receiver: string) {
  const { accessToken: adminToken } = await login(url, admin);
  const added = await must<ReleaseFacts['client']>(`${url}/api/clients`, {
    token: adminToken,
    // The client runs one job at a time, so that its other jobs stay queued.
    body: { clientId: 'shop', root: 'shop', usesFiles: true, limits: { running: '1', jobs: '1000', storage: '1G' } },
  });
  const client = { clientId: added.clientId, clientSecret: added.clientSecret };
  const { accessToken: token, refreshToken } = await login(url, client);
  const { name } = RECIPE;
  const recipe = await put(`${url}/api/recipes/${name}`, token, RECIPE.definition);
  const post = <T>(path: string, body: object = {}, headers = {}): Promise<T> =>
    must<T>(`${url}${path}`, { token, body, headers });
  const end = (jobId: string): Promise<JobView> => jobWhich(url, token, jobId, isFinal);
  const submit = async (body: object, headers = {}): Promise<string> =>
    (await post<AcceptedView>('/api/conversion', body, headers)).jobId;

  const key = {
    key: 'completed-1',
    request: { input, output: 'done.mp4', preset: { name }, metadata: { order: 'A-1042' } },
  };
  const completed = await end(await submit({ ...key.request }, { 'idempotency-key': key.key }));
  const { jobId: measured } = await post<AcceptedView>('/api/analyze', { input, measure: ['loudness'] });
  const analysis = await end(measured);
  const { secret } = await post<{ secret: string }>('/api/webhooks', { url: `http://${receiver}${UNDELIVERED}` });
  const failed = await end(await submit({ input: 'missing.mp4', output: 'failed.mp4' }));
  // A later request of the client changes when it was last used.
  const { lastUsedAt: _, ...clientView } = await must<RegisteredClientView>(`${url}/api/clients/shop`, {
    token: adminToken,
  });
  return {
    client,
    clientView,
    ...{ refreshToken, recipe: recipe as ReleaseFacts['recipe'], webhookSecret: secret, undelivered: [failed.jobId] },
    ended: [completed, analysis, failed],
    keys: [{ ...key, jobId: completed.jobId }],
  };
}

const RECIPE = {
  name: 'house-style',
  definition: {
    ...{ version: 1, title: 'House style', description: 'The format of our intranet.', words: ['intranet'] },
    inputs: [{ role: 'film', description: 'A film.' }],
    outputs: ['mp4'],
    arguments: {},
    request: { parameters: SHORT },
  },
};

async function put(url: string, token: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`PUT ${url} → ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

/** Submits jobs that stay queued. The first of them runs when the service is killed. */
async function withQueuedJobs(url: string, client: ReleaseFacts['client']) {
  const { accessToken: token } = await login(url, client);
  const post = <T>(path: string, body: object = {}, headers = {}): Promise<T> =>
    must<T>(`${url}${path}`, { token, body, headers });
  const submit = async (body: object, headers = {}): Promise<string> =>
    (await post<AcceptedView>('/api/conversion', body, headers)).jobId;
  const running = await submit({ input, output: 'running.mp4', parameters: LONG });
  const key = { key: 'queued-1', request: { input, output: 'queued.mp4', parameters: SHORT } };
  const alone = await submit(key.request, { 'idempotency-key': key.key });
  const after = await submit({ input: 'running.mp4', output: 'after.mp4', parameters: SHORT, after: [running] });
  const expiring = await submit({ input, output: 'expiring.mp4', parameters: SHORT, expiresAfterSeconds: 604_800 });
  const given = await submit({ input, output: 'cancelled.mp4', parameters: SHORT });
  await post(`/api/conversion/${given}/cancel`);
  const cancelled = await jobWhich(url, token, given, isFinal);
  const { batchId, jobs } = await post<AcceptedBatchView>('/api/conversions', {
    requests: [
      { name: 'film', input, output: 'batch/film.mp4', parameters: SHORT },
      { name: 'copy', after: ['film'], input: 'batch/film.mp4', output: 'batch/copy.mkv', parameters: { c: 'copy' } },
    ],
  });
  return {
    ...{ running, cancelled },
    queued: [alone, after, expiring, ...jobs.map(({ jobId }) => jobId)],
    batch: batchId,
    keys: [{ ...key, jobId: alone }],
  };
}

/** Polls a job until it meets the condition. Throws if the job ends without meeting it. */
async function jobWhich(
  url: string,
  token: string,
  jobId: string,
  isWanted: (job: JobView) => boolean,
): Promise<JobView> {
  for (;;) {
    const job = await getJob(url, token, jobId);
    if (isWanted(job)) return job;
    if (isFinal(job)) throw new Error(`The job ended too early: ${JSON.stringify(job)}`);
    await sleep(20);
  }
}

/** Starts a receiver of webhooks that rejects every request with 503. */
async function startReceiver(): Promise<{ readonly host: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(503).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Replaces texts that only the recording machine has by placeholders. */
export const withoutPlaces = (text: string, places: Places): string =>
  (Object.keys(PLACES) as (keyof Places)[]).reduce((found, name) => found.replaceAll(places[name], PLACES[name]), text);
