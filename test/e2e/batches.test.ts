import { afterAll } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type {
  AcceptedBatchView,
  BatchListView,
  BatchStateView,
  BatchView,
} from '../../packages/contract/src/wire/batch.ts';
import type { ApiClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { closeEvents, followEvents, type SeenEvent } from '../support/event-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { songClient } from '../support/song-client.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
afterAll(closeEvents);

async function client(name: string) {
  const { server } = await start();
  return { ...(await songClient(server, name)), server };
}

const copy = (input: string, output: string, more: object = {}) => ({
  input,
  output,
  parameters: { c: 'copy' },
  ...more,
});
const submit = (own: ApiClient, requests: readonly object[], headers = {}, query = '') =>
  own.request<AcceptedBatchView>(`/api/conversions${query}`, { body: { requests }, headers });
const batch = async (own: ApiClient, batchId: string) =>
  (await own.request<BatchView>(`/api/conversions/${batchId}`)).body;
const waitForBatch = (own: ApiClient, batchId: string) =>
  waitUntil(
    `batch ${batchId}`,
    async () => {
      const view = await batch(own, batchId);
      return view.links.cancel === undefined ? view : undefined;
    },
    50,
  );
/** A conversion that runs until it is cancelled. */
const endless = (output: string) => ({
  input: 'song.mp3',
  output,
  parameters: { stream_loop: '-1', 'c:a': 'flac' },
});

test('runs the requests of a batch in the order of their names, whatever their order in the body', async ({
  expect,
}) => {
  const { own } = await client('named');
  const reply = await submit(own, [
    copy('two.mka', 'three.mka', { name: 'third', after: ['second'] }),
    copy('one.mka', 'two.mka', { name: 'second', after: ['first'], metadata: { step: '2' } }),
    copy('song.mp3', 'one.mka', { name: 'first' }),
  ]);
  expect(reply.status).toBe(202);
  const { batchId, jobs } = reply.body;
  expect(reply.headers.get('location')).toBe(`/api/conversions/${batchId}`);
  expect(jobs.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
  for (const job of jobs) expect(job).not.toHaveProperty('warnings');
  expect(jobs[0]?.waitingFor).toEqual([jobs[1]?.jobId]);
  expect(jobs[2]).not.toHaveProperty('waitingFor');
  const done = await waitForBatch(own, batchId);
  expect(done).toMatchObject({
    status: 'COMPLETED',
    progress: 100,
    counts: { total: 3, completed: 3, failed: 0, deleted: 0 },
  });
  expect(done.jobs.map(({ jobId }) => jobId)).toEqual(jobs.map(({ jobId }) => jobId));
  expect(await own.job(jobs[1]?.jobId ?? '')).toMatchObject({
    batchId,
    name: 'second',
    after: [jobs[2]?.jobId],
    metadata: { step: '2' },
  });
});

test('accepts all requests or none, and names the request of each error', async ({ expect }) => {
  const { own } = await client('rejected');
  const errorsOf = async (...requests: readonly object[]) => {
    const { status, body } = await own.request('/api/conversions', { body: { requests } });
    return { status, errors: body.errors };
  };
  const good = copy('song.mp3', 'good.mka');
  expect(
    await errorsOf(good, { ...good, output: 'b.mp3', parameters: { crf: '999', 'c:v': 'nothing' } }),
  ).toMatchObject({
    status: 400,
    errors: expect.arrayContaining([expect.objectContaining({ field: '/requests/1/parameters/c:v' })]),
  });
  expect(await errorsOf(good, { ...good, parameters: { crf: null } })).toMatchObject({
    status: 400,
    errors: [{ field: '/requests/1/parameters/crf', code: 'WRONG_TYPE' }],
  });
  expect(await errorsOf({ ...good, name: 'a' }, { ...good, name: 'a' })).toMatchObject({
    status: 400,
    errors: [{ field: '/requests/1/name', code: 'REPEATED' }],
  });
  expect(await errorsOf({ ...good, after: ['nobody'] })).toMatchObject({
    status: 400,
    errors: [{ field: '/requests/0/after/0', code: 'UNKNOWN_JOB' }],
  });
  expect(
    await errorsOf(
      good,
      { ...good, name: 'a', after: ['c'] },
      { ...good, name: 'b', after: ['a'] },
      { ...good, name: 'c', after: ['b'] },
    ),
  ).toMatchObject({
    status: 400,
    errors: [
      { code: 'CIRCLE', message: 'These requests wait for each other in a circle: "a" after "c" after "b" after "a".' },
    ],
  });
  expect(await errorsOf()).toMatchObject({ status: 400, errors: [{ field: '/requests', code: 'EMPTY' }] });
  expect(await errorsOf(...Array.from({ length: 101 }, () => good))).toMatchObject({
    status: 400,
    errors: [{ field: '/requests', code: 'TOO_MANY' }],
  });
  expect((await own.list()).jobs).toEqual([]);
});

test('warns about equal outputs in a batch, and checks a batch without queueing it', async ({ expect }) => {
  const { own } = await client('dry');
  const requests = [
    copy('song.mp3', 'same.mka'),
    copy('none.mp3', 'same.mka', { name: 'b' }),
    copy('same.mka', 'c.mka', { after: ['b'] }),
  ];
  const { status, body } = await own.request<{
    jobs: { argv: string[][]; warnings: { field: string; code: string }[] }[];
  }>('/api/conversions?dryRun=true', { body: { requests } });
  expect(status).toBe(200);
  expect(body.jobs.map(({ argv }) => argv[0]?.[0])).toEqual(['ffmpeg', 'ffmpeg', 'ffmpeg']);
  expect(body.jobs.map(({ warnings }) => warnings.map(({ field, code }) => `${field} ${code}`))).toEqual([
    [],
    ['/requests/1/input INPUT_NOT_FOUND', '/requests/1/output OUTPUT_EXISTS'],
    [],
  ]);
  expect((await own.list()).jobs).toEqual([]);
});

test('returns the same batch for the same idempotency key', async ({ expect }) => {
  const { own, media } = await client('once');
  const requests = [copy('song.mp3', 'a.mka', { name: 'a' }), copy('a.mka', 'b.mka', { after: ['a'] })];
  const headers = { 'idempotency-key': 'batch-1' };
  const [one, two] = await Promise.all([submit(own, requests, headers), submit(own, requests, headers)]);
  expect([one.status, two.status]).toEqual([202, 202]);
  expect(two.body.batchId).toBe(one.body.batchId);
  expect(two.body.jobs.map(({ jobId }) => jobId)).toEqual(one.body.jobs.map(({ jobId }) => jobId));
  expect((await own.list()).jobs).toHaveLength(2);
  await waitForBatch(own, one.body.batchId);
  // Also when one of its jobs is deleted, and its input would be rejected now.
  await media.remove('song.mp3');
  await media.put('song.mp3/cover.jpg', '');
  await own.request(`/api/conversion/${one.body.jobs[0]?.jobId}`, { method: 'DELETE' });
  const three = await submit(own, requests, headers);
  expect(three).toMatchObject({ status: 202, body: { batchId: one.body.batchId } });
  expect(three.body.jobs.map(({ jobId, name }) => ({ jobId, name }))).toEqual(
    one.body.jobs.map(({ jobId, name }) => ({ jobId, name })),
  );
  const other = await own.request('/api/conversions', { body: { requests: [requests[0]] }, headers });
  expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
});

test('cancels the jobs of a batch that have not ended, also those that wait', { tags: 'long' }, async ({ expect }) => {
  const { own } = await client('cancelled');
  const { body } = await submit(own, [
    { ...endless('endless.mka'), name: 'film' },
    copy('endless.mka', 'b.mka', { name: 'copy', after: ['film'] }),
    copy('b.mka', 'c.mka', { after: ['copy', 'film'] }),
  ]);
  const path = `/api/conversions/${body.batchId}`;
  expect((await own.request(`${path}/cancel`, { method: 'POST' })).status).toBe(202);
  expect(await waitForBatch(own, body.batchId)).toMatchObject({
    status: 'CANCELLED',
    counts: { total: 3, cancelled: 3 },
    progress: 100,
  });
  expect(await own.request(`${path}/cancel`, { method: 'POST' })).toMatchObject({
    status: 409,
    body: { code: 'BATCH_FINISHED' },
  });
});

test('lists batches page by page, and shows none of another client', async ({ expect }) => {
  const { own } = await client('lists');
  const { own: other } = await client('others');
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1)
    ids.push((await submit(own, [copy('none.mp3', `${i}.mka`), copy('song.mp3', `ok-${i}.mka`)])).body.batchId);
  await Promise.all(ids.map((id) => waitForBatch(own, id)));
  const list = async (query: string) => (await own.request<BatchListView>(`/api/conversions${query}`)).body;
  const page = await list('?limit=2');
  expect(page.batches).toMatchObject([
    { batchId: ids[2], status: 'FAILED', counts: { total: 2, completed: 1, failed: 1 } },
    { batchId: ids[1] },
  ]);
  const rest = await list(`?limit=2&cursor=${page.nextCursor}`);
  expect(rest.batches.map(({ batchId }) => batchId)).toEqual([ids[0]]);
  expect(rest).not.toHaveProperty('nextCursor');
  expect(await other.request(`/api/conversions/${ids[0]}`)).toMatchObject({
    status: 404,
    body: { code: 'BATCH_NOT_FOUND' },
  });
  const { jobs } = await batch(own, ids[0] ?? '');
  await own.request(`/api/conversion/${jobs[0]?.jobId}`, { method: 'DELETE' });
  expect(await batch(own, ids[0] ?? '')).toMatchObject({ counts: { total: 2, deleted: 1 } });
});

test('counts each request of a batch towards the limits', async ({ expect }) => {
  const { own } = await client('limits');
  const requests = Array.from({ length: 5 }, (_, i) => copy('none.mp3', `${i}.mka`));
  const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  const one = await submit(own, requests.slice(0, 1));
  const five = await submit(own, requests);
  expect(remaining(one.headers) - remaining(five.headers)).toBe(5);
});

/** The state of a batch in an event of its stream. */
const stateIn = (event: SeenEvent | undefined) => event?.data as unknown as BatchStateView;
const hasStatus = (status: string) => (event: SeenEvent) => event.type === 'batch' && stateIn(event).status === status;
const follow = (own: ApiClient, url: string, batchId: string, options = {}) =>
  followEvents(url, `/api/conversions/${batchId}/events`, own.token, options);

test('streams the jobs of a batch and its state until all have ended; then the client does not connect again', async ({
  expect,
}) => {
  const { own, server } = await client('streamed');
  const { body } = await submit(own, [
    { ...endless('endless.mka'), name: 'film' },
    copy('endless.mka', 'b.mka', { after: ['film'] }),
    copy('song.mp3', 'c.mka'),
  ]);
  const { batchId } = body;
  const ids = body.jobs.map(({ jobId }) => jobId);
  const stream = follow(own, server.url, batchId);
  await stream.until('batch', ({ type }) => type === 'batch');
  const beforeBatch = stream.events.slice(
    0,
    stream.events.findIndex(({ type }) => type === 'batch'),
  );
  // A job that changes meanwhile is sent again.
  const snapshots = beforeBatch.flatMap(({ type, data }) => (type === 'snapshot' ? [data.jobId] : []));
  expect(snapshots).toEqual(ids);
  await stream.until('progress', ({ type, data }) => type === 'progress' && data.jobId === ids[0]);
  await stream.until('one that has ended', (event) => event.type === 'batch' && stateIn(event).counts.completed === 1);
  await own.request(`/api/conversions/${batchId}/cancel`, { method: 'POST' });
  const last = await stream.until('the end', hasStatus('CANCELLED'));
  expect(await stream.failed()).toBe(204);
  const { events } = stream;
  expect(events.at(-1)).toBe(last);
  const { jobs: _, ...state } = await batch(own, batchId);
  expect(last.data).toEqual(state);
  expect(state).toMatchObject({ progress: 100, counts: { total: 3, completed: 1, cancelled: 2 } });
  const known = new Map(events.filter(({ type }) => type !== 'batch').map(({ data }) => [data.jobId, data]));
  for (const jobId of ids) expect(known.get(jobId)).toEqual(await own.job(jobId));
  expect(events.filter(({ type, id }) => type !== 'batch' && id !== '')).toEqual([]);
  const numbers = events.flatMap(({ id }) => (id === '' ? [] : [Number(id)]));
  expect(numbers.length).toBeGreaterThan(1);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('continues the stream of a batch with what has changed and was deleted since', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, server } = await client('continued');
  const { body } = await submit(own, [
    endless('endless.mka'),
    copy('none.mp3', 'a.mka'),
    copy('song.mp3', 'b.mka'),
    copy('none.mp3', 'c.mka'),
  ]);
  const { batchId } = body;
  const [running = '', gone = '', , other = ''] = body.jobs.map(({ jobId }) => jobId);
  const before = follow(own, server.url, batchId);
  const { id: lastEventId } = await before.until(
    'the end of three',
    (event) => event.id !== '' && stateIn(event).counts.completed + stateIn(event).counts.failed === 3,
  );
  before.close();
  await own.request(`/api/conversion/${gone}`, { method: 'DELETE' });
  await own.request(`/api/conversion/${running}/cancel`, { method: 'POST' });
  await own.wait(running);
  const stream = follow(own, server.url, batchId, { lastEventId });
  const last = await stream.until('the end', hasStatus('FAILED'));
  expect(await stream.failed()).toBe(204);
  const changes = stream.events.filter(({ type }) => type !== 'batch');
  expect(changes.map(({ type, data }) => `${type} ${data.jobId}`)).toEqual([`deleted ${gone}`, `ended ${running}`]);
  expect(stateIn(last).counts).toMatchObject({ completed: 1, failed: 1, cancelled: 1, deleted: 1 });
  // What happens after the end is a change too.
  await own.request(`/api/conversion/${other}`, { method: 'DELETE' });
  const later = follow(own, server.url, batchId, { lastEventId: last.id });
  await later.until('the deletion', hasStatus('CANCELLED'));
  expect(later.events.map(({ type }) => type)).toEqual(['deleted', 'batch']);
});

test('begins the stream of a batch anew for an id that is unknown, and ends the stream of one that has ended', {
  tags: 'long',
}, async ({ expect }) => {
  const { own, server } = await client('anew');
  const { own: foreign } = await client('anew-foreign');
  const { body } = await submit(own, [copy('none.mp3', 'a.mka'), copy('song.mp3', 'b.mka')]);
  await waitForBatch(own, body.batchId);
  const stream = follow(own, server.url, body.batchId, { lastEventId: '999999999999999' });
  await stream.until('the end', hasStatus('FAILED'));
  expect(stream.events.map(({ type }) => type)).toEqual(['reset', 'snapshot', 'snapshot', 'batch']);
  expect(await stream.failed()).toBe(204);
  expect(await foreign.request(`/api/conversions/${body.batchId}/events`)).toMatchObject({
    status: 404,
    body: { code: 'BATCH_NOT_FOUND' },
  });
});

test('the client follows a batch until its end, and yields the jobs and the state', { tags: 'long' }, async ({
  expect,
}) => {
  const { server } = await start();
  const telecine = createClient(server.url, await insertClient(server, 'followed', { root: 'followed' }));
  await server.media.below('followed').fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const { batchId } = await telecine.submitBatch([
    { name: 'one', input: 'song.mp3', output: 'one.mka', parameters: { c: 'copy' } },
    { input: 'one.mka', output: 'two.mka', parameters: { c: 'copy' }, after: ['one'] },
  ]);
  const last = new Map<string, string>();
  for await (const event of telecine.events({ batchId }))
    if ('status' in event.data) last.set('jobId' in event.data ? event.data.jobId : 'batch', event.data.status);
  expect([...last.values()]).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
});
