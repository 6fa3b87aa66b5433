import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import type { ApiClient } from '../support/api-client.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { songClient } from '../support/song-client.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** A client with these files, which are all the same sound. */
async function clientWith(name: string, files: readonly string[]) {
  const { server } = await start();
  const { own, media } = await songClient(server, name);
  await media.fill(async (folder) => {
    for (const file of files) await putSample(folder, 'mp3', file);
  });
  return { own, server };
}

const parameters = { c: 'copy' };
const submit = (own: ApiClient, requests: readonly object[], { query = '', headers = {} } = {}) =>
  own.request<AcceptedBatchView>(`/api/conversions${query}`, { body: { requests }, headers });
const finished = (own: ApiClient, batchId: string) =>
  waitUntil(`batch ${batchId}`, async () => {
    const { body } = await own.request<BatchView>(`/api/conversions/${batchId}`);
    return body.links.cancel === undefined ? body : undefined;
  });
const errorsOf = async (own: ApiClient, ...requests: readonly object[]) => {
  const { status, body } = await submit(own, requests);
  return { status, errors: (body as unknown as { errors: object[] }).errors };
};

test('one request converts all files that a pattern matches, in the order of their names', async ({ expect }) => {
  const { own } = await clientWith('pattern', ['in/b.mp3', 'in/a.mp3', 'in/.c.mp3', 'in/d.txt', 'in/sub.mp3/e.mp3']);
  const accepted = await submit(own, [{ each: 'in/*.mp3', output: 'out/{name}.mka', parameters }]);
  expect(accepted.status).toBe(202);
  expect(accepted.body.jobs).toHaveLength(2);
  expect(await finished(own, accepted.body.batchId)).toMatchObject({
    status: 'COMPLETED',
    counts: { total: 2, completed: 2 },
    jobs: [
      { input: 'in/a.mp3', output: 'out/a.mka', parameters },
      { input: 'in/b.mp3', output: 'out/b.mka' },
    ],
  });
});

test('one file, each file of a folder, and each match of a pattern with another input are in one batch', async ({
  expect,
}) => {
  const { own } = await clientWith('folder', ['in/b.mp3', 'in/a.mp3']);
  const { body } = await submit(own, [
    { input: 'song.mp3', output: 'first.mka', name: 'first', parameters },
    { each: '/in/', output: 'out/{name}.mka', after: ['first'], parameters },
    { each: 'in/*', inputs: ['{path}', 'first.mka'], output: 'mixed/{name}.mka', after: ['first'], parameters },
  ]);
  const done = await finished(own, body.batchId);
  expect(done).toMatchObject({ status: 'COMPLETED', counts: { total: 5 } });
  expect(done.jobs.map(({ output }) => output)).toEqual([
    'first.mka',
    'out/a.mka',
    'out/b.mka',
    'mixed/a.mka',
    'mixed/b.mka',
  ]);
});

test('a percent sign in the name of a film is one in the names of its pictures', { tags: 'long' }, async ({
  expect,
}) => {
  const { own } = await clientWith('percent', ['in/50%d off.mp3', 'in/100%.mp3']);
  const filter = { filter_complex: 'showwavespic=s=64x32,loop=1:1', 'frames:v': '2' };
  const { body } = await submit(own, [{ each: 'in/*', output: 'out/{name}_%d.png', parameters: filter }]);
  const done = await finished(own, body.batchId);
  expect(done).toMatchObject({ status: 'COMPLETED', counts: { total: 2, completed: 2 } });
  const written = await Promise.all(done.jobs.map(({ jobId }) => own.job(jobId)));
  expect(written.flatMap(({ outputs = [] }) => outputs.map(({ path }) => path))).toEqual([
    'out/100%_1.png',
    'out/100%_2.png',
    'out/50%d off_1.png',
    'out/50%d off_2.png',
  ]);
});

test('a dry run shows the jobs, and errors and warnings have the place of the request', async ({ expect }) => {
  const { own } = await clientWith('dry', ['in/b.mp3', 'in/a.mp3', 'out/b.mka']);
  const each = { each: 'in/*.mp3', output: 'out/{name}.mka', parameters };
  const plain = { input: 'none.mp3', output: 'z.mka', parameters };
  const run = await own.request<{
    jobs: { plan: { inputs: { path: string }[] }; warnings: { field: string; code: string }[] }[];
  }>('/api/conversions?dryRun=true', { body: { requests: [each, plain] } });
  expect(run.status).toBe(200);
  expect(run.body.jobs.map(({ plan }) => plan.inputs[0]?.path)).toEqual(['in/a.mp3', 'in/b.mp3', 'none.mp3']);
  expect(run.body.jobs.map(({ warnings }) => warnings.map(({ field, code }) => `${field} ${code}`))).toEqual([
    [],
    ['/requests/0/output OUTPUT_EXISTS'],
    ['/requests/1/input INPUT_NOT_FOUND'],
  ]);
  // What is wrong with all files is said once.
  expect(await errorsOf(own, { ...each, parameters: { 'c:a': 'nothing' } }, { ...plain, after: ['nobody'] })).toEqual({
    status: 400,
    errors: [expect.objectContaining({ field: '/requests/1/after/0', code: 'UNKNOWN_JOB' })],
  });
  expect(await errorsOf(own, { ...each, parameters: { 'c:a': 'nothing' } }, plain)).toEqual({
    status: 400,
    errors: [expect.objectContaining({ field: '/requests/0/parameters/c:a' })],
  });
  expect((await own.list()).jobs).toEqual([]);
});

test('says what is wrong with a pattern, and what to send instead', async ({ expect }) => {
  const { own } = await clientWith('wrong', ['in/a.mp3', 'in/a.wav', 'in/b.mp3']);
  const each = (pattern: string, output = 'out/{name}.mka', more: object = {}) =>
    errorsOf(own, { each: pattern, output, parameters, ...more });
  const rejected = (error: object) => ({ status: 400, errors: [expect.objectContaining(error)] });
  const field = '/requests/0/each';
  expect(await each('in/*.flac')).toEqual(
    rejected({ field, code: 'NO_MATCH', fix: expect.stringMatching(/Files in "in\/": .*"in\/b.mp3"/) }),
  );
  // The name of a folder means its files.
  expect(await each('in')).toEqual(await each('in/*'));
  expect(await each('*/a.mp3')).toEqual(rejected({ field, code: 'WILDCARD_IN_FOLDER' }));
  expect(await each('../*.mp3')).toEqual(rejected({ field, code: 'OUTSIDE_ROOT' }));
  expect(await each('in/*')).toEqual(
    rejected({
      field,
      code: 'SAME_OUTPUT',
      message: expect.stringContaining('"in/a.mp3" and "in/a.wav"'),
    }),
  );
  expect(await each('in/*.mp3', 'out/all.mka')).toEqual(
    rejected({ field: '/requests/0/output', code: 'NO_PLACEHOLDER' }),
  );
  expect(await each('in/*.mp3', 'out/{name}.mka', { name: 'x' })).toEqual(
    rejected({ field: '/requests/0/name', code: 'EXCLUSIVE' }),
  );
  expect((await own.list()).jobs).toEqual([]);
});

test('more files than a batch has jobs are rejected with their number', {
  tags: 'long',
}, async ({ expect }) => {
  const names = Array.from({ length: 101 }, (_, i) => `in/take ${String(i).padStart(3, '0')}.mp3`);
  const { own } = await clientWith('many', names);
  const request = { each: 'in/*.mp3', output: 'out/{name}.mka', parameters };
  expect(await errorsOf(own, request)).toMatchObject({
    errors: [
      {
        field: '/requests/0/each',
        code: 'TOO_MANY',
        message: '"in/*.mp3" matches 101 files, and a batch has at most 100 jobs.',
      },
    ],
  });
  expect(await errorsOf(own, { input: 'song.mp3', output: 'x.mka' }, { ...request, each: 'in/take 0*' })).toMatchObject(
    {
      errors: [{ field: '/requests/1/each', message: expect.stringContaining('leave 99 of the 100 jobs') }],
    },
  );
  const large = {
    ...request,
    each: 'in/take 0*',
    parameters: { ...parameters, metadata: `title=${'a'.repeat(16_000)}` },
  };
  expect(await errorsOf(own, large)).toMatchObject({ errors: [{ field: '/requests/0/each', code: 'TOO_MANY' }] });
  const dry = await submit(own, [{ ...request, each: 'in/take 0*.mp3' }], { query: '?dryRun=true' });
  expect(dry.body.jobs).toHaveLength(100);
});

test('counts each job towards the limits, and needs the scope to list files', async ({ expect }) => {
  const { own, server } = await clientWith('limits-of-each', ['in/a.mp3', 'in/b.mp3', 'in/c.mp3']);
  const request = { each: 'in/', output: 'out/{name}.mka', parameters };
  const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  const one = await submit(own, [{ ...request, each: 'in/a*' }], { query: '?dryRun=true' });
  const three = await submit(own, [request], { query: '?dryRun=true' });
  expect(remaining(one.headers) - remaining(three.headers)).toBe(3);
  const writer = await login(server.url, await insertClient(server, 'writer-of-each', { scopes: ['jobs:write'] }));
  expect(await submit(writer, [request])).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
});

test('repeated with its key, it is the same batch, also when the files are others', { tags: 'long' }, async ({
  expect,
}) => {
  const { own } = await clientWith('repeated-each', ['in/a.mp3', 'in/b.mp3']);
  const send = () =>
    submit(own, [{ each: 'in/', output: 'out/{name}.mka', parameters }], { headers: { 'idempotency-key': 'each' } });
  const first = await send();
  await finished(own, first.body.batchId);
  for (const name of ['a', 'b']) await own.request(`/api/files/in/${name}.mp3`, { method: 'DELETE' });
  expect(await send()).toMatchObject({ status: 202, body: { batchId: first.body.batchId, jobs: [{}, {}] } });
});

test('a model converts a folder by one call, and waits for the batch', async ({ expect, onTestFinished }) => {
  const { own, server } = await clientWith('model-of-each', ['in/a.mp3', 'in/b.mp3']);
  const client = await mcpClient(server.url, own.token, undefined, onTestFinished);
  const call = { each: 'in/*.mp3', output: 'out/{name}.mka', parameters };
  expect(await callTool(client, 'convert_media', { ...call, dryRun: true })).toMatchObject({
    message: 'Nothing was queued. It would be 2 jobs.',
    jobs: ['in/a.mp3 -> out/a.mka', 'in/b.mp3 -> out/b.mka'],
    warnings: [],
  });
  expect(await callTool(client, 'convert_media', { ...call, each: 'in/a*', dryRun: true })).toMatchObject({
    message: 'Nothing was queued. It would be 1 job.',
  });
  const sent = { ...call, idempotencyKey: 'one-folder' };
  const { batchId, next, jobs } = await callTool<{ batchId: string; next: string; jobs: string[] }>(
    client,
    'convert_media',
    sent,
  );
  expect(jobs).toHaveLength(2);
  expect(next).toBe(`Call wait_for_job with {"batchId": "${batchId}"}.`);
  expect(await callTool(client, 'wait_for_job', { batchId })).toMatchObject({
    running: 0,
    jobs: [
      { status: 'COMPLETED', outputs: [{ path: 'out/a.mka' }] },
      { status: 'COMPLETED', outputs: [{ path: 'out/b.mka' }] },
    ],
  });
  expect(await callTool(client, 'convert_media', sent)).toMatchObject({ batchId });
  expect(await callRejectedTool(client, 'convert_media', { ...call, each: 'in/*.wav' })).toMatchObject({
    code: 'NO_MATCH',
    field: '/each',
  });
  expect(await callRejectedTool(client, 'convert_media', { ...call, output: 'out.mka' })).toMatchObject({
    code: 'NO_PLACEHOLDER',
    field: '/output',
  });
  expect(await callRejectedTool(client, 'convert_media', { ...call, parameters: { 'c:a': 'nothing' } })).toMatchObject({
    field: '/parameters/c:a',
  });
});
