import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobListView } from '../../packages/contract/src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { songClient } from '../support/song-client.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const client = async (name: string) => songClient((await start()).server, name);

const toFlac = (output: string) => ({ input: 'song.mp3', output, parameters: { c: 'copy' } });
const retry = (of: ApiClient, jobId: string) =>
  of.request<AcceptedView>(`/api/conversion/${jobId}/retry`, { method: 'POST' });

test('lists every job once, page by page, newest first', async ({ expect }) => {
  const { own } = await client('pages');
  const jobIds: string[] = [];
  for (let i = 0; i < 23; i++) jobIds.push(await own.accept({ input: `none-${i}.mp3`, output: `${i}.mka` }));
  await Promise.all(jobIds.map((jobId) => own.wait(jobId)));

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: JobListView = await own.list(`?limit=5${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    expect(page.jobs.length).toBe(page.nextCursor === undefined ? 3 : 5);
    seen.push(...page.jobs.map(({ jobId }) => jobId));
    cursor = page.nextCursor;
    // Jobs that arrive meanwhile do not change later pages.
    if (seen.length === 10) await own.wait(await own.accept({ input: 'late.mp3', output: 'late.mka' }));
  } while (cursor !== undefined);
  expect(seen).toEqual(jobIds.toReversed());
  expect((await own.list('?limit=200')).jobs).toHaveLength(24);
});

test('lists jobs by status', async ({ expect }) => {
  const { own } = await client('statuses');
  const good = await own.run(toFlac('a.mka'));
  const bad = await own.run({ input: 'none.mp3', output: 'b.mka' });
  const idsOf = async (status: string) => (await own.list(`?status=${status}`)).jobs.map(({ jobId }) => jobId);
  expect(await idsOf('COMPLETED')).toEqual([good.jobId]);
  expect(await idsOf('FAILED')).toEqual([bad.jobId]);
  expect(await idsOf('CANCELLED')).toEqual([]);
  expect((await own.list('?status=COMPLETED')).jobs).toEqual([good]);
  const slip = await own.request('/api/conversion?status=DONE');
  expect(slip).toMatchObject({ status: 400, body: { errors: [{ field: '/status', code: 'NOT_ALLOWED' }] } });
});

test('shows the metadata of a job everywhere, lists jobs by it, and keeps it in a retry', async ({ expect }) => {
  const { own } = await client('metadata');
  const metadata = { order: 'A-1042', shop: 'Köln/Süd' };
  const job = await own.run({ ...toFlac('tagged.mka'), metadata });
  expect(job).toMatchObject({ status: 'COMPLETED', metadata });
  await own.run({ ...toFlac('other.mka'), metadata: { order: 'A-1043', shop: 'Köln/Süd' } });
  const idsOf = async (query: Record<string, string>) =>
    (await own.list(`?${new URLSearchParams(query)}`)).jobs.map(({ jobId }) => jobId);
  expect(await idsOf({ 'metadata.order': 'A-1042' })).toEqual([job.jobId]);
  expect(await idsOf({ 'metadata.order': 'A-1042', 'metadata.shop': 'Köln/Süd', status: 'COMPLETED' })).toEqual([
    job.jobId,
  ]);
  expect(await idsOf({ 'metadata.order': 'A-1042', status: 'FAILED' })).toEqual([]);
  expect(await idsOf({ 'metadata.shop': 'Köln/Süd' })).toHaveLength(2);
  const again = await own.wait((await retry(own, job.jobId)).body.jobId);
  expect(again).toMatchObject({ retryOf: job.jobId, metadata });
  expect(await idsOf({ 'metadata.order': 'A-1042' })).toEqual([again.jobId, job.jobId]);
  expect((await own.list('?metadata.order=A-1042&limit=1')).nextCursor).toBeDefined();
});

test('finds jobs by words of their paths, client, errors and metadata, as soon as they are accepted', async ({
  expect,
}) => {
  const [{ own }, { own: other }, { admin }] = [
    await client('searcher'),
    await client('other-searcher'),
    await start(),
  ];
  const idsOf = async (q: string, of = own, more = '') =>
    (await of.list(`?q=${encodeURIComponent(q)}${more}`)).jobs.map(({ jobId }) => jobId);
  const job = await own.accept({ ...toFlac('Ferien/Köln 1.mka'), metadata: { title: 'Big Buck Bunny' } });
  expect(await idsOf('ferien')).toEqual([job]);
  expect(await idsOf('"KÖLN 1" song.mp3 bunny')).toEqual([job]);
  expect(await idsOf('ferien nothing')).toEqual([]);
  expect(await idsOf('ferien', own, '&metadata.title=Big%20Buck%20Bunny')).toEqual([job]);
  const failed = await own.run({ input: 'none.mp3', output: 'lost.mka' });
  expect(await idsOf('input_not_found', own, '&status=FAILED')).toEqual([failed.jobId]);
  expect(await idsOf('searcher ferien', other), 'jobs of others').toEqual([]);
  expect(await idsOf('searcher ferien', admin)).toEqual([job]);
  await own.wait(job);
  await own.request(`/api/conversion/${job}`, { method: 'DELETE' });
  expect(await idsOf('ferien')).toEqual([]);
});

const BAD_QUERIES: readonly (readonly [query: string, field: string])[] = [
  ['limit=0', '/limit'],
  ['limit=201', '/limit'],
  ['limit=many', '/limit'],
  ['cursor=x', '/cursor'],
  ['page=2', '/page'],
  ['status=', '/status'],
  ['limit=5&limit=6', '/limit'],
  [`q=${'a'.repeat(201)}`, '/q'],
  ['q=a+b+c+d+e+f+g+h+i+j+k', '/q'],
  ['metadata=x', '/metadata'],
  ['metadata.order=1&metadata.order=2', '/metadata.order'],
  // No job can have these.
  ['metadata.=1', '/metadata.'],
  ['metadata.my%20order=1', '/metadata.my order'],
  [`metadata.${'n'.repeat(65)}=1`, `/metadata.${'n'.repeat(65)}`],
];

test.for(BAD_QUERIES)('rejects ?%s with 400', async ([query, field], { expect }) => {
  const { own } = await start();
  const { status, body } = await own.request(`/api/conversion?${query}`);
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ field }] });
});

test('deleting a job keeps its output, unless ?outputs=true is sent', async ({ expect }) => {
  const { own, media } = await client('deleted');
  const [firstJob, deletedJob] = await Promise.all([own.run(toFlac('kept.mka')), own.run(toFlac('gone.mka'))]);
  const path = (job: { jobId: string }) => `/api/conversion/${job.jobId}`;
  expect((await own.request(path(firstJob), { method: 'DELETE' })).status).toBe(204);
  expect((await own.request(`${path(deletedJob)}?outputs=true`, { method: 'DELETE' })).status).toBe(204);
  expect(await media.list()).toContain('kept.mka');
  expect(await media.list()).not.toContain('gone.mka');
  for (const job of [firstJob, deletedJob])
    for (const [method, more] of [
      ['GET', ''],
      ['GET', '/log'],
      ['DELETE', ''],
      ['POST', '/retry'],
    ] as const)
      expect((await own.request(`${path(job)}${more}`, { method })).status, `${method} ${more}`).toBe(404);
  expect((await own.list()).jobs).toEqual([]);
});

test('a retry creates a new job, to which the old one leads, and changes nothing else of the old one', async ({
  expect,
}) => {
  const { own, media } = await client('retried');
  await media.remove('song.mp3');
  const failed = await own.run({ ...toFlac('a.mka'), llmId: 'some-model' });
  expect(failed.error?.code).toBe('INPUT_NOT_FOUND');
  await media.fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const again = await retry(own, failed.jobId);
  expect(again).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  expect(again.headers.get('location')).toBe(`/api/conversion/${again.body.jobId}`);
  const job = await own.wait(again.body.jobId);
  expect(job).toMatchObject({ status: 'COMPLETED', retryOf: failed.jobId, attempt: 1, llmId: 'some-model' });
  expect(await own.job(failed.jobId)).toEqual({ ...failed, retriedAs: job.jobId });
  expect((await own.list()).jobs.find(({ jobId }) => jobId === failed.jobId)).toMatchObject({ retriedAs: job.jobId });
});

test('an unfinished job can be neither retried nor deleted', async ({ expect }) => {
  const { own, media } = await client('unfinished');
  await media.fill((folder) => putSample(folder, '480p', 'movie.mp4'));
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency' };
  const jobId = await own.accept({ input: 'movie.mp4', output: 'slow.mp4', parameters });
  const deleted = await own.request(`/api/conversion/${jobId}`, { method: 'DELETE' });
  for (const rejected of [await retry(own, jobId), deleted])
    expect(rejected).toMatchObject({ status: 409, body: { code: 'JOB_NOT_FINISHED' } });
  await own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  await own.wait(jobId);
});

test('an idempotency key returns one job, however often and in whatever field order the request is sent', async ({
  expect,
}) => {
  const { own, media } = await client('keyed');
  const headers = { 'idempotency-key': '0b9f6f3e-once' };
  const send = (body: object) => own.request<AcceptedView>('/api/conversion', { body, headers });
  const all = await Promise.all(Array.from({ length: 12 }, () => send(toFlac('once.mka'))));
  expect(new Set(all.map(({ status, body }) => `${status} ${body.jobId} ${body.status}`)).size).toBe(1);
  const { jobId = '' } = all[0]?.body ?? {};
  expect(await own.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  const { parameters, output, input } = toFlac('once.mka');
  expect(await send({ parameters, output, input })).toMatchObject({ status: 202, body: { jobId, status: 'PENDING' } });
  expect((await own.list()).jobs.map((job) => job.jobId)).toEqual([jobId]);
  expect(await media.list()).toEqual(['once.mka', 'song.mp3']);

  const other = await own.request('/api/conversion', { body: toFlac('other.mka'), headers });
  expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
  expect(other.body.detail).toContain(jobId);
  const { own: another } = await start();
  const anothers = await another.accept({ input: 'none.mp3', output: 'x.mka' }, headers);
  expect(anothers, 'a key is a client’s own').not.toBe(jobId);
});

test.for(['', ' ', 'a b', 'é', 'x'.repeat(256)])('rejects the idempotency key "%s"', async (key, { expect }) => {
  const { own } = await start();
  const headers = { 'idempotency-key': key };
  const { status, body } = await own.request('/api/conversion', { body: toFlac('x.mka'), headers });
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ code: 'INVALID_IDEMPOTENCY_KEY' }] });
});

test('retries, expires and cancels many jobs at once, each of them once', async ({ expect }) => {
  const { own } = await client('many');
  const change = (body: object) =>
    own.request<{ jobs: readonly { jobId: string; retriedAs?: string }[]; nextCursor?: string }>('/api/job-changes', {
      method: 'POST',
      body,
    });
  const failed = await Promise.all(
    ['a', 'b', 'c'].map((name) => own.run({ input: `${name}.mp3`, output: `${name}.mka` })),
  );
  const done = await own.run(toFlac('kept.mka'));
  const code = failed[0]?.error?.code ?? '';
  const ids = failed
    .map(({ jobId }) => jobId)
    .toSorted()
    .toReversed();
  expect((await own.list(`?error=${code}`)).jobs.map(({ jobId }) => jobId)).toEqual(ids);
  const jobsOf = async (body: object) => (await change(body)).body.jobs.map(({ jobId }) => jobId);
  expect(await jobsOf({ action: 'retry', error: code, dryRun: true })).toEqual(ids);
  const { body: first } = await change({ action: 'retry', error: code, limit: 2 });
  expect(first.jobs).toMatchObject(ids.slice(0, 2).map((jobId) => ({ jobId, retriedAs: expect.any(String) })));
  await Promise.all(first.jobs.map(({ retriedAs = '' }) => own.wait(retriedAs)));
  const left = {
    action: 'retry',
    error: code,
    to: failed
      .map(({ completedAt = '' }) => completedAt)
      .toSorted()
      .at(-1),
  };
  expect(await jobsOf(left), 'those that were retried are left out').toEqual(ids.slice(2));
  expect(await jobsOf({ action: 'expire' })).toEqual([done.jobId]);
  expect(await jobsOf({ action: 'expire' }), 'its outputs expire already').toEqual([]);
  expect(await own.wait(done.jobId)).toMatchObject({ expiresAt: expect.any(String) });
  expect(await jobsOf({ action: 'cancel' })).toEqual(expect.not.arrayContaining(ids));
  expect(await change({ action: 'cancel', status: 'FAILED' })).toMatchObject({ status: 400 });
  expect(await change({ action: 'cancel', client: 'other' })).toMatchObject({ status: 403 });
  expect(await change({ action: 'stop' })).toMatchObject({ status: 400 });
});

test('many jobs are retried again, as other jobs, after their retries were cancelled', async ({ expect }) => {
  const { own, media } = await client('again');
  await media.fill((folder) => putSample(folder, '480p', 'movie.mp4'));
  const cancel = (jobId: string) => own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency' };
  const slow = await own.accept({ input: 'movie.mp4', output: 'slow.mp4', parameters });
  const jobId = await own.accept({ ...toFlac('later.mka'), after: [slow] });
  await cancel(jobId);
  await own.wait(jobId);
  const retryOfAll = async (): Promise<string> => {
    const body = { action: 'retry', status: 'CANCELLED' };
    const { body: reply } = await own.request<{ jobs: readonly { jobId: string; retriedAs?: string }[] }>(
      '/api/job-changes',
      { method: 'POST', body },
    );
    return reply.jobs.find((one) => one.jobId === jobId)?.retriedAs ?? '';
  };
  const first = await retryOfAll();
  expect(first).not.toBe('');
  expect(await retryOfAll(), 'it has been retried').toBe('');
  await cancel(first);
  await own.wait(first);
  const second = await retryOfAll();
  expect(['', first]).not.toContain(second);
  await Promise.all([slow, second].map(cancel));
  await Promise.all([slow, second].map((id) => own.wait(id)));
});
