import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import type { UsageView } from '../../packages/contract/src/wire/usage.ts';
import { readClientLimits } from '../../packages/service/src/config/client-limits.ts';
import { type ApiClient, login, type RequestOptions } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const COPY = { parameters: { c: 'copy' } };
const WRONG = { input: 'none.mp3', output: 'song.mka', ...COPY };
const RIGHT = { input: 'song.mp3', output: 'song.mka', ...COPY };

/** A client with a song in a folder of its own, which is not below the media root of the service, and with a failed job. */
async function owner(name: string, ...limits: readonly string[]) {
  const { server, admin, ...shared } = await start();
  const root = await testFolder(name);
  const credentials = await insertClient(server, name, { root, limits: readClientLimits(limits) });
  const client = await login(server.url, credentials);
  await putSample(root, 'mp3', 'song.mp3');
  const failed = await client.run(WRONG);
  expectFailed(failed);
  return { ...shared, server, admin, client, clientId: credentials.clientId, root, failed };
}

function expectFailed({ status, error }: JobView): void {
  if (status !== 'FAILED') throw new Error(`The job is ${status}: ${JSON.stringify(error)}`);
}

type Failure = Omit<ProblemView, 'status'>;

const retry = <T = AcceptedView & Failure>(
  of: ApiClient,
  { jobId }: Pick<JobView, 'jobId'>,
  options?: RequestOptions,
  query = '',
) => of.request<T>(`/api/conversion/${jobId}/retry${query}`, { method: 'POST', ...options });

const dryRun = (of: ApiClient, job: Pick<JobView, 'jobId'>, body: object) =>
  retry<DryRunView & Failure>(of, job, { body }, '?dryRun=true');

test('an administrator runs a failed job again with another request, in the folder and for the account of its client', async ({
  expect,
}) => {
  const { admin, client, clientId, root, failed, server } = await owner('mended', 'jobs=9');
  const { body } = await retry(admin, failed, { body: RIGHT });
  expect(await client.wait(body.jobId)).toMatchObject({ status: 'COMPLETED', client: clientId, retryOf: failed.jobId });
  expect(await readdir(root)).toContain('song.mka');
  expect(await readdir(server.mediaRoot)).not.toContain('song.mka');
  expect(await client.job(failed.jobId)).toMatchObject({ status: 'FAILED', retriedAs: body.jobId });
  const usage = await client.request<UsageView>('/api/usage');
  expect(usage.body.quotas[0]).toMatchObject({ name: 'jobs', used: 2 });

  const again = await retry(admin, failed);
  const third = await client.wait(again.body.jobId);
  expect(third).toMatchObject({ input: 'none.mp3', retryOf: failed.jobId });
  expect(await admin.job(failed.jobId)).toMatchObject({ retriedAs: third.jobId });

  // The audit log names the administrator, also of a job that was deleted.
  const actions = async (query: string) => {
    const { body: page } = await admin.request<AuditListView>(`/api/audit?action=job.retry&${query}`);
    return page.records.map(({ client: by, target, details }) => ({ by, target, ...details }));
  };
  const by = 'admin';
  const output = 'song.mka';
  const record = { by, target: body.jobId, retryOf: failed.jobId, client: clientId };
  expect(await actions(`target=${body.jobId}`)).toEqual([{ ...record, output }]);
  expect(await actions(`client=${clientId}`)).toEqual([]);
  expect(await actions(`client=admin&target=${body.jobId}`)).toHaveLength(1);
  await client.request(`/api/conversion/${body.jobId}`, { method: 'DELETE' });
  expect(await actions(`target=${body.jobId}`)).toEqual([record]);
  const own = await retry(client, failed);
  expect(await actions(`target=${own.body.jobId}`)).toEqual([
    { by: clientId, target: own.body.jobId, retryOf: failed.jobId, output },
  ]);
});

test('a client runs its own failed job again with another request', async ({ expect }) => {
  const { client, clientId, failed } = await owner('mends-own');
  const { body } = await retry(client, failed, { body: RIGHT });
  expect(await client.wait(body.jobId)).toMatchObject({ status: 'COMPLETED', client: clientId, retryOf: failed.jobId });
});

test('the check of a changed request judges the folder of the client of the job', async ({ expect }) => {
  const { admin, client, root, failed, server } = await owner('checked');
  await putSample(server.mediaRoot, 'mp3', 'of-the-operator.mp3');
  expect(await dryRun(admin, failed, RIGHT)).toMatchObject({ status: 200, body: { warnings: [] } });
  const codesOf = async (request: object) =>
    (await dryRun(admin, failed, request)).body.warnings.map(({ code }) => code);
  expect(await codesOf({ ...RIGHT, input: 'of-the-operator.mp3' })).toEqual(['INPUT_NOT_FOUND']);
  const near = await dryRun(admin, failed, { ...RIGHT, input: 'songs.mp3' });
  expect(near.body.warnings).toMatchObject([{ code: 'INPUT_NOT_FOUND', fix: expect.stringContaining('song.mp3') }]);
  await putSample(root, 'flac', 'there.mka');
  expect(await codesOf({ ...RIGHT, output: 'there.mka' })).toContain('OUTPUT_EXISTS');
  // Without a body, the stored request is checked.
  const stored = await retry<DryRunView>(admin, failed, {}, '?dryRun=true');
  expect(stored.body.warnings).toMatchObject([{ code: 'INPUT_NOT_FOUND' }]);
  expect((await client.list()).jobs.map(({ jobId }) => jobId)).toEqual([failed.jobId]);
});

test('errors of a changed request name its fields, as those of a submission', async ({ expect }) => {
  const { admin, client, failed } = await owner('wrong');
  const body = { input: 'song.mp3', output: 'a.mka', parameters: { 'c:a': 'flac', crf: null, nosuch: '1' } };
  const submitted = await client.request('/api/conversion', { body });
  const fields = (submitted.body.errors ?? []).map(({ field, code }) => `${field} ${code}`);
  expect(fields).toEqual(expect.arrayContaining(['/parameters/crf WRONG_TYPE', '/parameters/nosuch UNKNOWN_OPTION']));
  for (const reply of [await retry(admin, failed, { body }), await dryRun(admin, failed, body)]) {
    expect(reply.status).toBe(400);
    expect((reply.body.errors ?? []).map(({ field, code }) => `${field} ${code}`)).toEqual(fields);
  }
  expect((await retry(admin, failed, { body: {} })).status).toBe(400);
});

/** Ways to name a file outside of a folder. */
const REACHES: readonly (readonly [string, (from: string, to: string) => string])[] = [
  ['by ..', (from, to) => relative(from, to)],
  ['by .. after a folder', (from, to) => `a/../${relative(from, to)}`],
  ['by a symlink', () => 'link.mp3'],
];

test.for(REACHES)(
  'an administrator cannot read or write outside of the folder of the client %s',
  async ([name, path], { expect }) => {
    const { admin, root, failed, server } = await owner(`outside-${name.length}`);
    // The administrator itself could name this file.
    const file = join(server.mediaRoot, await putSample(server.mediaRoot, 'mp3', `secret-${name.length}.mp3`));
    await symlink(file, join(root, 'link.mp3'));
    const before = await readFile(file);
    const reached = path(root, file);
    for (const [field, request] of [
      ['/input', { ...RIGHT, input: reached }],
      ['/output', { ...RIGHT, output: reached, parameters: { c: 'copy', y: '' } }],
    ] as const)
      for (const reply of [await retry(admin, failed, { body: request }), await dryRun(admin, failed, request)])
        expect(reply).toMatchObject({ status: 400, body: { errors: [{ field, code: 'OUTSIDE_ROOT' }] } });
    expect(before.equals(await readFile(file))).toBe(true);
  },
);

test('an administrator cannot give a job what its client may not use: an URL, another client’s job or recipe, a priority', async ({
  expect,
}) => {
  const { admin, client, failed, site, own } = await owner('limited', 'urls=0', 'priority=0');
  site.answer('/mend/song.mp3', (_request, response) => void response.writeHead(200).end());
  const recipe = {
    ...{ version: 1, title: 'Of the operator', description: 'A sound.', words: ['operator'], arguments: {} },
    inputs: [{ role: 'song', description: 'A song.' }],
    outputs: ['mka'],
    request: { parameters: { 'c:a': 'flac' } },
  };
  await admin.request('/api/recipes/of-the-operator', { method: 'PUT', body: recipe });
  await client.request('/api/recipes/of-the-client', { method: 'PUT', body: recipe });
  const { input, output } = RIGHT;
  const theirs = await own.run({ input: 'none.mp3', output: 'x.mka' });
  const rejected: readonly (readonly [string, object])[] = [
    ['/input', { ...RIGHT, input: `${site.url}/mend/song.mp3` }],
    ['/preset/name', { input, output, preset: { name: 'of-the-operator' } }],
    ['/after/0', { ...RIGHT, after: [theirs.jobId] }],
    ['/priority', { ...RIGHT, priority: 5 }],
  ];
  for (const [field, body] of rejected)
    for (const reply of [await retry(admin, failed, { body }), await dryRun(admin, failed, body)])
      expect(reply, field).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  const { body } = await retry(admin, failed, { body: { input, output, preset: { name: 'of-the-client' } } });
  expect(await client.wait(body.jobId)).toMatchObject({ status: 'COMPLETED', parameters: { 'c:a': 'flac' } });
  await admin.request('/api/recipes/of-the-operator', { method: 'DELETE' });
});

test('a job of a recipe shows the request as it was sent, which a retry sends again with other arguments', async ({
  expect,
}) => {
  const { client, admin } = await owner('sent-recipe');
  const sent = { input: 'song.mp3', output: 'small.opus', preset: { name: 'opus-voice', arguments: { bitrate: 32 } } };
  const first = await client.run(sent);
  expect(first).toMatchObject({ status: 'COMPLETED', request: sent, parameters: { 'b:a': '32k' } });
  const asItWas = await retry(client, first);
  expect(await client.wait(asItWas.body.jobId)).toMatchObject({ status: 'FAILED', request: sent });
  const { input, output, preset } = first.request ?? {};
  const body = { input, output, preset: { ...preset, arguments: { bitrate: 48 } }, parameters: { y: '' } };
  const changed = await retry(admin, first, { body });
  const { parameters, request } = await client.wait(changed.body.jobId);
  expect({ parameters, request }).toMatchObject({ parameters: { 'b:a': '48k' }, request: body });
  expect(await client.run({ ...RIGHT, output: 'other.mka' })).not.toHaveProperty('request');
});

test('a client above its quota gets no job by an administrator either', async ({ expect }) => {
  const { admin, client, failed } = await owner('used-up', 'jobs=1');
  const problem = { status: 429, body: { code: 'QUOTA_EXCEEDED', quota: { name: 'jobs', used: 1, limit: 1 } } };
  expect(await client.request('/api/conversion', { body: RIGHT })).toMatchObject(problem);
  for (const options of [{ body: RIGHT }, {}]) {
    const reply = await retry(admin, failed, options);
    expect(reply).toMatchObject(problem);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

test('only an administrator acts on the job of another client, and only with the right to write jobs', async ({
  expect,
}) => {
  const { client, failed, own, server } = await owner('not-yours');
  for (const options of [{ body: RIGHT }, { body: { output: 7 } }, {}])
    for (const query of ['', '?dryRun=true']) {
      const reply = await retry(own, failed, options, query);
      expect(reply).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
    }
  const reader = await login(server.url, await insertClient(server, 'reads-only', { scopes: ['jobs:read'] }));
  for (const query of ['', '?dryRun=true'])
    expect(await retry(reader, failed, { body: RIGHT }, query)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE' },
    });
  expect((await client.list()).jobs).toHaveLength(1);
});

test('one key makes one job, whoever sends it, and not another one of the client', async ({ expect }) => {
  const { admin, client, failed } = await owner('keyed-retry');
  const headers = { 'idempotency-key': 'mend-1' };
  const replies = await Promise.all(Array.from({ length: 5 }, () => retry(admin, failed, { body: RIGHT, headers })));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.jobId}`)).size).toBe(1);
  expect((await retry(client, failed, { body: RIGHT, headers })).body.jobId).toBe(replies[0]?.body.jobId);
  const conflict = { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } };
  expect(await retry(admin, failed, { headers })).toMatchObject(conflict);
  expect(await retry(admin, failed, { body: WRONG, headers })).toMatchObject(conflict);
  expect(await client.request('/api/conversion', { body: RIGHT, headers })).toMatchObject(conflict);
  expect((await client.list()).jobs).toHaveLength(2);
});

test('a changed request keeps the URLs and the callback of the client, which an administrator does not see', async ({
  expect,
}) => {
  const { admin, client, root, site, receiver } = await owner('keeps-secrets');
  await client.request('/api/webhook-secret/rotate', { method: 'POST' });
  const song = await readFile(join(root, 'song.mp3'));
  site.answer('/mend/signed.mp3', song);
  const input = `${site.url}/mend/signed.mp3?signature=s3cret`;
  const callbackUrl = receiver.url('/mend').concat('?token=s3cret');
  const failed = await client.run({ ...RIGHT, input, callbackUrl, parameters: { c: 'copy', map: '0:7' } });
  expectFailed(failed);
  const seen = await admin.job(failed.jobId);
  expect(JSON.stringify(seen)).not.toContain('s3cret');
  const { input: shown = '', output, callbackUrl: shownCallback } = seen;
  const body = { input: shown, output, ...COPY, callbackUrl: shownCallback };
  const { body: accepted } = await retry(admin, failed, { body });
  const mended = await client.wait(accepted.jobId);
  expect(mended).toMatchObject({ status: 'COMPLETED', input: shown, callbackUrl: shownCallback });
  const lines = site.requests.map(({ line }) => line).filter((line) => line.includes('/mend/signed'));
  expect(new Set(lines)).toEqual(new Set(['GET /mend/signed.mp3?signature=s3cret']));
  const events = await waitUntil('the callback of the mended job', async () => {
    const received = receiver.received('/mend').filter(({ event }) => event.data.jobId === mended.jobId);
    return received.length > 0 ? received : undefined;
  });
  expect(events[0]?.headers[':query']).toBe('?token=s3cret');

  // To another host, nothing hidden is sent.
  const moved = { ...body, callbackUrl: receiver.url('/thief').concat('?(hidden)') };
  const rejected = { status: 400, body: { errors: [{ field: '/callbackUrl', code: 'HIDDEN_PART' }] } };
  for (const by of [admin, client]) {
    expect(await retry(by, failed, { body: moved })).toMatchObject(rejected);
    expect(await dryRun(by, failed, moved)).toMatchObject(rejected);
  }
  expect(receiver.received('/thief')).toEqual([]);
});

test('the URL in an argument of a recipe is kept as an input, and neither an error nor another recipe of this name shows it', async ({
  expect,
}) => {
  const { client, root, site } = await owner('keeps-arguments');
  site.answer('/argument/signed.mp3', await readFile(join(root, 'song.mp3')));
  const recipe = {
    ...{ version: 1, title: 'Two songs', description: 'Of a test.', words: [], outputs: ['mka'] },
    arguments: { fast: { type: 'flag', description: 'No effect.' } },
    inputs: [
      { role: 'song', description: 'A song.' },
      { role: 'other', description: 'Another song.' },
    ],
    request: { parameters: { c: 'copy', map: '1:7' } },
  };
  const put = (body: object) => client.request('/api/recipes/two-songs', { method: 'PUT', body });
  expect(await put(recipe)).toMatchObject({ status: 201 });
  const other = `${site.url}/argument/signed.mp3?signature=s3cret`;
  const preset = { name: 'two-songs', arguments: { other } };
  const failed = await client.run({ input: 'song.mp3', output: 'two.mka', preset });
  expectFailed(failed);
  const { request } = failed;
  expect(request?.preset?.arguments).toEqual({ other: `${site.url}/argument/signed.mp3?(hidden)` });
  const misspelt = {
    ...request,
    preset: { ...request?.preset, arguments: { ...request?.preset?.arguments, fas: true } },
  };
  const replies: unknown[] = [await dryRun(client, failed, misspelt), await retry(client, failed, { body: misspelt })];
  for (const reply of replies) expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });

  const body = { ...request, output: 'mended.mka', parameters: { map: '1:a' } };
  const { body: accepted } = await retry(client, failed, { body });
  const mended = await client.wait(accepted.jobId);
  expect(mended).toMatchObject({ status: 'COMPLETED', request: body });
  expect(site.requests.map(({ line }) => line)).toContain('GET /argument/signed.mp3?signature=s3cret');

  await client.request('/api/recipes/two-songs', { method: 'DELETE' });
  const text = {
    ...{
      ...recipe,
      inputs: recipe.inputs.slice(0, 1),
      request: { parameters: { c: 'copy', metadata: 'title={{other}}' } },
    },
    arguments: { other: { type: 'text', maxLength: 1000, description: 'A title.' } },
  };
  expect(await put(text)).toMatchObject({ status: 201 });
  for (const job of [failed, mended])
    for (const reply of [await dryRun(client, job, body), await retry(client, job, { body })]) {
      expect(reply).toMatchObject({
        status: 400,
        body: { errors: [{ field: '/preset/arguments/other', code: 'HIDDEN_PART' }] },
      });
      replies.push(reply);
    }
  expect(JSON.stringify([...replies, failed, mended])).not.toContain('s3cret');
});

test('each of two URLs that differ only in their queries is fetched again, for its client and for an administrator', async ({
  expect,
}) => {
  const { admin, client, root, site } = await owner('two-urls');
  site.answer('/two/part.mp3', await readFile(join(root, 'song.mp3')));
  const urlOf = (part: number): string => `${site.url}/two/part.mp3?part=${part}`;
  const failed = await client.run({
    inputs: [urlOf(1), urlOf(2)],
    output: 'two.mka',
    parameters: { c: 'copy', map: '0:7' },
  });
  expectFailed(failed);
  const { inputs } = await admin.job(failed.jobId);
  const fetched = () => site.requests.map(({ line }) => line).filter((line) => line.includes('/two/part'));
  for (const [by, output] of [
    [admin, 'by-admin.mka'],
    [client, 'by-client.mka'],
  ] as const) {
    const before = fetched().length;
    const body = { inputs, output, parameters: { c: 'copy', map: ['0:a', '1:a'] } };
    const { body: accepted } = await retry(by, failed, { body });
    expect(await client.wait(accepted.jobId)).toMatchObject({ status: 'COMPLETED' });
    expect(new Set(fetched().slice(before))).toEqual(new Set([1, 2].map((part) => `GET /two/part.mp3?part=${part}`)));
    expect(await retry(by, failed, { body: { ...body, inputs: inputs?.slice(1) } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/inputs/0', code: 'HIDDEN_PART' }] },
    });
  }
});

test('a job with a key runs again for an administrator only as it is, and for its client with changes', async ({
  expect,
}) => {
  const { admin, client } = await owner('encrypted');
  const request = { input: 'song.mp3', output: 'hls/song.m3u8', ...COPY, encrypt: { keyUri: 'song.key' } };
  const job = await client.run({ ...request, parameters: { c: 'copy', map: '0:7' } });
  expectFailed(job);
  const { encrypt: _, ...plain } = request;
  for (const by of [await retry(admin, job, { body: plain }), await dryRun(admin, job, plain)])
    expect(by).toMatchObject({
      status: 403,
      body: { code: 'JOB_HAS_KEYS', detail: expect.stringContaining('encrypted') },
    });
  const again = await retry(admin, job);
  expectFailed(await client.wait(again.body.jobId));
  const mended = await retry(client, job, { body: request });
  expect(await client.wait(mended.body.jobId)).toMatchObject({ status: 'COMPLETED' });
});

test('a job of a client that was revoked, or may no longer write jobs, is not run again', async ({ expect }) => {
  const { admin, clientId, failed } = await owner('restricted');
  const scopes = ['jobs:read', 'files:read'];
  expect((await admin.request(`/api/clients/${clientId}`, { method: 'PATCH', body: { scopes } })).status).toBe(200);
  for (const options of [{ body: RIGHT }, {}])
    for (const query of ['', '?dryRun=true']) {
      const reply = await retry(admin, failed, options, query);
      expect(reply).toMatchObject({
        status: 409,
        body: { code: 'CLIENT_LACKS_SCOPE', detail: expect.stringContaining(`"${clientId}"`) },
      });
      expect(reply.body.detail).toContain('jobs:write');
      expect(reply.headers.get('www-authenticate')).toBeNull();
    }
  expect((await admin.request(`/api/clients/${clientId}`, { method: 'DELETE' })).status).toBe(200);
  for (const options of [{ body: RIGHT }, {}])
    expect(await retry(admin, failed, options)).toMatchObject({ status: 409, body: { code: 'CLIENT_REVOKED' } });
});

test('an edited retry waits for the jobs that still run, and not for those of its request that have ended', async ({
  expect,
}) => {
  const { admin, client } = await owner('waits');
  const endless = (output: string) => ({ ...RIGHT, output, parameters: { stream_loop: '-1', 'c:a': 'flac' } });
  const cancel = (jobId: string) => client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  const [first, second] = [await client.accept(endless('1.mka')), await client.accept(endless('2.mka'))];
  const body = { ...RIGHT, after: [first, second] };
  const failed = { jobId: await client.accept(body) };
  await cancel(first);
  expectFailed(await client.wait(failed.jobId));
  const warnings = [{ code: 'DEPENDENCY_FAILED', message: expect.stringContaining(first) }];
  for (const by of [admin, client]) {
    expect(await dryRun(by, failed, body)).toMatchObject({ status: 200, body: { warnings } });
    const { status, body: accepted } = await retry(by, failed, { body });
    expect({ status, accepted }).toMatchObject({ status: 202, accepted: { waitingFor: [second], warnings } });
  }
  await cancel(second);
  // A job that the request did not name before is still an error.
  const added = await retry(client, failed, { body: { ...RIGHT, after: [failed.jobId] } });
  expect(added).toMatchObject({ status: 400, body: { errors: [{ field: '/after/0', code: 'DEPENDENCY_FAILED' }] } });
});
