import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import pLimit from 'p-limit';
import { afterAll } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openStore } from '../../packages/service/src/start/database.ts';
import type { ApiClient } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { closeEvents, followEvents, type SeenEvent } from '../support/event-client.ts';
import { clientName } from '../support/insert-client.ts';
import { cancel, followingClient, is, MISSING, pauseQueue, remove, stateOf, viewAfter } from '../support/job-events.ts';
import { needs } from '../support/needs.ts';
import type { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
let paused: ReturnType<typeof start> | undefined;
/** The queue is paused until the end of this file, so that jobs stay queued. */
const startPaused: typeof start = () => {
  paused ??= start().then(async (started) => {
    await pauseQueue(started.admin);
    return started;
  });
  return paused;
};
const test = needs('ffmpeg').concurrent;
afterAll(closeEvents);

async function client(name: string) {
  const { server } = await startPaused();
  return { server, ...(await followingClient(server, name)) };
}

test('a queued job is in the snapshot of all jobs; its cancellation and its deletion are changes', async ({
  expect,
}) => {
  const { own, follow } = await client('queued');
  const first = follow();
  await first.until('ready', is('ready'));
  const jobId = await own.accept(MISSING);
  // On PostgreSQL, a change gets its number a moment after it is stored. Until then, it follows the snapshot that includes it.
  await first.until('created', is('created', jobId));
  first.close();
  const stream = follow();
  const ready = await stream.until('ready', is('ready'));
  expect(stream.events.map(({ type }) => type)).toEqual(['snapshot', 'ready']);
  expect(stream.events[0]?.data).toEqual(await own.job(jobId));
  await cancel(own, jobId);
  const ended = await stream.until('ended', is('ended', jobId));
  expect(ended.data).toEqual(await own.job(jobId));
  await remove(own, jobId);
  const deleted = await stream.until('deleted', is('deleted', jobId));
  expect(Number(ended.id)).toBeGreaterThan(Number(ready.id));
  expect(Number(deleted.id)).toBeGreaterThan(Number(ended.id));
});

test('a client that was away gets each change since its last event once, as the current state', async ({ expect }) => {
  const { own, follow } = await client('away');
  const jobs: string[] = [];
  for (let i = 0; i < 4; i++) jobs.push(await own.accept(MISSING));
  const [unchanged, ended, deleted, known] = jobs as [string, string, string, string];
  const first = follow();
  await first.until('ready', is('ready'));
  await cancel(own, known);
  const last = await first.until('ended', is('ended', known));
  first.close();

  await cancel(own, ended);
  await cancel(own, deleted);
  await remove(own, deleted);
  const created = await own.accept(MISSING);
  const second = follow('/api/events', { lastEventId: last.id });
  await second.until('ready', is('ready'));
  expect(second.events.map(({ type, data }) => [type, data.jobId])).toEqual([
    ['ended', ended],
    ['deleted', deleted],
    ['created', created],
    ['ready', undefined],
  ]);
  expect(stateOf(viewAfter([...first.events, ...second.events]).values())).toEqual(stateOf((await own.list()).jobs));
  expect(viewAfter(first.events).has(unchanged)).toBe(true);
});

test('a client that was away from one job learns of its end, or of its deletion, and only once', {
  tags: 'long',
}, async ({ expect }) => {
  const { own, follow } = await client('away-from-one');
  const path = (jobId: string) => `/api/conversion/${jobId}/events`;
  for (const isDeleted of [false, true]) {
    const jobId = await own.accept(MISSING);
    const first = follow(path(jobId));
    const snapshot = await first.until('snapshot', is('snapshot'));
    first.close();
    await cancel(own, jobId);
    if (isDeleted) await remove(own, jobId);
    const second = follow(path(jobId), { lastEventId: snapshot.id });
    expect(await second.failed()).toBe(204);
    expect(second.events.map(({ type, data }) => [type, data.status])).toEqual([
      isDeleted ? ['deleted', undefined] : ['snapshot', 'CANCELLED'],
    ]);
    expect(second.connections()).toBe(2);
  }
});

test('an id that the service did not give begins with a reset and a new snapshot', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, follow } = await client('unknown-id');
  const jobId = await own.accept(MISSING);
  for (const lastEventId of ['999999999999999', 'what']) {
    const stream = follow('/api/events', { lastEventId });
    await stream.until('ready', is('ready'));
    expect(stream.events.map(({ type, data }) => [type, data.jobId])).toEqual([
      ['reset', undefined],
      ['snapshot', jobId],
      ['ready', undefined],
    ]);
    stream.close();
  }
});

test('an id that the service did not give does not hide the end of a job', { tags: 'long' }, async ({ expect }) => {
  const { own, follow } = await client('unknown-id-of-one');
  const jobId = await own.accept(MISSING);
  await cancel(own, jobId);
  for (const lastEventId of ['999999999999999', 'what']) {
    const stream = follow(`/api/conversion/${jobId}/events`, { lastEventId });
    expect(await stream.failed()).toBe(204);
    expect(stream.events.map(({ type, data }) => [type, data.status])).toEqual([['snapshot', 'CANCELLED']]);
  }
  await remove(own, jobId);
  const stream = follow(`/api/conversion/${jobId}/events`, { lastEventId: '999999999999999' });
  expect(await stream.failed()).toBe(204);
  expect(stream.events.map(({ type }) => type)).toEqual(['deleted']);
});

test('a job of another client is not found, and its events reach only its client and administrators', async ({
  expect,
}) => {
  const { server, own, follow } = await client('private');
  const { own: other, follow: followOther } = await client('curious');
  const { admin } = await startPaused();
  const streams = [follow(), followOther(), followEvents(server.url, '/api/events', admin.token)] as const;
  for (const stream of streams) await stream.until('ready', is('ready'));
  const jobId = await own.accept(MISSING);
  expect(await other.request(`/api/conversion/${jobId}/events`)).toMatchObject({
    status: 404,
    body: { code: 'JOB_NOT_FOUND' },
  });
  const head = ({ token }: ApiClient) =>
    fetch(`${server.url}/api/conversion/${jobId}/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
  expect([(await head(own)).status, (await head(other)).status]).toEqual([200, 404]);
  await cancel(own, jobId);
  await remove(own, jobId);
  const withId = { headers: { 'last-event-id': '1' } };
  expect((await other.request(`/api/conversion/${jobId}/events`, withId)).status).toBe(404);
  const sees = await Promise.all(
    [streams[0], streams[2]].map((stream) => stream.until('deleted', is('deleted', jobId))),
  );
  expect(sees).toHaveLength(2);
  const own2 = await other.accept(MISSING);
  await streams[1].until('created', is('created', own2));
  expect(streams[1].events.map(({ data }) => data.jobId)).toEqual([undefined, own2]);
});

test('proxies are told not to collect or store a stream, and a silent one has heartbeats', async ({
  expect,
  onTestFinished,
}) => {
  const { server, own } = await client('silent');
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${own.token}`, 'accept-encoding': 'gzip, br' };
  const reply = await fetch(`${server.url}/api/events`, { headers, signal: abort.signal });
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(reply.headers.get('content-encoding')).toBeNull();
  let text = '';
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.split('\n:\n').length > 2) break;
  }
  expect(text).toMatch(/^retry: \d+\n\nid: \d+\nevent: ready\ndata: \{\}\n\n:\n\n/);
  const head = await fetch(`${server.url}/api/events`, { method: 'HEAD', headers });
  expect(head.status).toBe(200);
});

test('a client has no more streams than its limit, and can open one when another is closed', async ({ expect }) => {
  const { own, follow } = await client('many-streams');
  const streams = Array.from({ length: COMMON.eventStreams }, () => follow());
  for (const stream of streams) await stream.until('ready', is('ready'));
  const rejected = await own.request('/api/events');
  expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_STREAMS' } });
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  streams[0]?.close();
  await waitUntil('a free place', async () => {
    const probe = follow();
    const seen = await Promise.race([probe.until('ready', is('ready')), probe.failed()]);
    probe.close();
    return typeof seen === 'object' ? true : undefined;
  });
});

/** A token of the same client and scopes that expires soon. */
async function shortToken(server: TestServer, token: string, seconds: number): Promise<string> {
  const store = await openStore({
    dataDir: server.dataDir,
    ...(server.databaseUrl !== undefined && { databaseUrl: server.databaseUrl }),
  });
  try {
    const [key] = (await store.signingKeys.list()).filter(({ retiredAt }) => retiredAt === undefined);
    if (key === undefined) throw new Error('There is no signing key.');
    return await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(Buffer.from(key.secret, 'base64url'));
  } finally {
    await store.close();
  }
}

test('a stream ends when its token expires, and the token opens no other', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await client('expires');
  const stream = followEvents(server.url, '/api/events', await shortToken(server, own.token, 3));
  await stream.until('ready', is('ready'));
  expect(await stream.failed()).toBe(401);
  const lasting = followEvents(server.url, '/api/events', own.token);
  await lasting.until('ready', is('ready'));
});

test('a stream ends within seconds when its client is revoked', async ({ expect }) => {
  const { server, follow } = await client('revoked');
  const { own: stays, follow: followOther } = await client('stays');
  const [stream, other] = [follow(), followOther()];
  for (const each of [stream, other]) await each.until('ready', is('ready'));
  const store = await openStore({
    dataDir: server.dataDir,
    ...(server.databaseUrl !== undefined && { databaseUrl: server.databaseUrl }),
  });
  await createClients({ ...store, now: Date.now }).revoke(clientName(server, 'revoked'));
  await store.close();
  expect(await stream.failed()).toBe(401);
  await other.until('created', is('created', await stays.accept(MISSING)));
  expect(other.connections()).toBe(1);
});

test('a client that reads nothing for a while costs little memory, and then gets the last state of each job', {
  tags: 'long',
  timeout: 120_000,
}, async ({ expect, onTestFinished }) => {
  const { server, own, follow } = await client('slow-reader');
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.token}\r\n\r\n`);
  socket.pause();
  const quick = follow();
  await quick.until('ready', is('ready'));
  // Each view is large, so that the events do not fit into the buffers of the system.
  const comment = 'x'.repeat(16_000);
  const some = pLimit(8);
  const jobs = await Promise.all(
    Array.from({ length: 400 }, () =>
      some(() => own.accept({ ...MISSING, parameters: { metadata: `comment=${comment}` } })),
    ),
  );
  await quick.until('created', is('created', jobs.at(-1)));
  await Promise.all(jobs.map((jobId) => some(() => cancel(own, jobId))));
  await Promise.all(jobs.filter((_, i) => i % 3 === 0).map((jobId) => some(() => remove(own, jobId))));
  const last = await own.accept(MISSING);
  await quick.until('created', is('created', last));

  const events: SeenEvent[] = [];
  let bytes = 0;
  const parser = createParser({
    onEvent: ({ event, id = '', data }) =>
      events.push({ type: event as SeenEvent['type'], id, data: JSON.parse(data) as JobView }),
  });
  const body = chunkedBody((text) => parser.feed(text));
  socket.on('data', (data) => {
    bytes += data.length;
    body(data.toString('latin1'));
  });
  socket.resume();
  await waitUntil('the last job', async () => (viewAfter(events).has(last) ? true : undefined));
  const ended = [...(await listAll(own))];
  expect(stateOf(viewAfter(events).values())).toEqual(stateOf(ended));
  // Of the jobs after the first ones, which filled the buffers, only the last state was sent.
  expect(bytes).toBeLessThan(jobs.length * 1.8 * comment.length);
});

/** All jobs of a client. */
async function listAll(own: ApiClient): Promise<readonly JobView[]> {
  const jobs: JobView[] = [];
  // Pages of large jobs are shorter.
  for (let cursor = ''; ; ) {
    const page = await own.list(`?limit=200${cursor}`);
    jobs.push(...page.jobs);
    if (page.nextCursor === undefined) return jobs;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** Passes on the text of a chunked reply. All of it is ASCII. */
function chunkedBody(onText: (text: string) => void): (data: string) => void {
  let rest = '';
  let isBody = false;
  return (data) => {
    rest += data;
    if (!isBody) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      isBody = true;
      rest = rest.slice(end + 4);
    }
    for (let match = /^([\da-f]+)\r\n/i.exec(rest); match; match = /^([\da-f]+)\r\n/i.exec(rest)) {
      const [head, size = ''] = match;
      const end = head.length + Number.parseInt(size, 16);
      if (rest.length < end + 2) return;
      onText(rest.slice(head.length, end));
      rest = rest.slice(end + 2);
    }
  };
}

test('random changes and lost connections always end in the state that the list shows', {
  tags: 'long',
  timeout: 120_000,
}, async ({ expect }) => {
  const { own, follow } = await client('random');
  const { server } = await startPaused();
  const act = fc.constantFrom('submit', 'submit', 'cancel', 'delete', 'disconnect', 'connect', 'pause');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.nat()), { minLength: 10, maxLength: 25 }), async (steps) => {
      const seen: SeenEvent[] = [];
      let stream: ReturnType<typeof follow> | undefined = follow();
      const lastId = () => seen.findLast(({ id }) => id !== '')?.id;
      const connectAgain = () => {
        const lastEventId = lastId();
        return follow('/api/events', lastEventId === undefined ? {} : { lastEventId });
      };
      const disconnect = () => {
        stream?.close();
        seen.push(...(stream?.events ?? []));
        stream = undefined;
      };
      await stream.until('ready', is('ready'));
      for (const [action, pick] of steps) {
        const { jobs } = await own.list();
        const any = (wanted: readonly JobView[]) => wanted[pick % Math.max(1, wanted.length)]?.jobId;
        const queued = any(jobs.filter(({ status }) => status === 'PENDING'));
        const finished = any(jobs.filter(({ status }) => status !== 'PENDING'));
        if (action === 'submit') await own.accept(MISSING);
        else if (action === 'cancel' && queued !== undefined) await cancel(own, queued);
        else if (action === 'delete' && finished !== undefined) await remove(own, finished);
        else if (action === 'disconnect') disconnect();
        else if (action === 'connect') stream ??= connectAgain();
        else await delay(pick % 40);
      }
      stream ??= connectAgain();
      const open = stream;
      const jobs = await listAll(own);
      const known = () => stateOf(viewAfter([...seen, ...open.events]).values());
      // Jobs that had ended before the first snapshot are not in it.
      const wanted = stateOf(jobs.filter(({ jobId }) => !endedBefore.has(jobId)));
      await waitUntil(
        'the state of the list',
        async () => (known().join() === wanted.join() ? true : undefined),
        15,
      ).catch(() => expect(known()).toEqual(wanted));
      disconnect();
      for (const { jobId, status } of jobs) if (status !== 'PENDING') endedBefore.add(jobId);
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(server.log()).not.toContain('internal error');
});

/** The jobs that had ended when an earlier run of the property ended. */
const endedBefore = new Set<string>();
