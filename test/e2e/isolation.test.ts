import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type ApiClient, login } from '../support/api-client.ts';
import { type CommonServer, commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

interface World extends CommonServer {
  readonly alice: ApiClient;
  readonly bob: ApiClient;
  readonly aliceRoot: string;
  readonly bobRoot: string;
}

let made: Promise<World> | undefined;

/** Two clients that were added while the server ran: one with a folder below its media root, one elsewhere. */
const world = (): Promise<World> => {
  made ??= (async () => {
    const shared = await start();
    const { server } = shared;
    const bobRoot = await testFolder('bobs');
    const [alice, bob] = [
      await login(server.url, await insertClient(server, 'alice', { root: 'clients/alice' })),
      await login(server.url, await insertClient(server, 'bob', { root: bobRoot })),
    ];
    const aliceRoot = join(server.mediaRoot, 'clients/alice');
    await putSample(aliceRoot, 'mp3', 'song.mp3');
    await putSample(bobRoot, 'flac', 'private/bobs.flac');
    return { ...shared, alice, bob, aliceRoot, bobRoot };
  })();
  return made;
};

const COPY = { parameters: { c: 'copy' } };

test('the same path of two clients refers to a file in each one’s own media root', async ({ expect }) => {
  const { alice, bob, aliceRoot, bobRoot } = await world();
  await putSample(bobRoot, 'mp3', 'song.mp3');
  const request = { input: '/song.mp3', output: '/same/out.mka', ...COPY };
  const jobs = await Promise.all([alice.run(request), bob.run(request)]);
  expect(jobs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  for (const root of [aliceRoot, bobRoot]) expect(await readdir(join(root, 'same'))).toEqual(['out.mka']);
});

const VERBS: readonly (readonly [method: string, more: string])[] = [
  ['GET', ''],
  ['GET', '/log'],
  ['POST', '/cancel'],
  ['POST', '/retry'],
  ['DELETE', ''],
  ['DELETE', '?outputs=true'],
];

test.for(VERBS)('%s of another client’s job%s is 404, as for an unknown job', async ([method, more], { expect }) => {
  const { alice, bob, aliceRoot } = await world();
  const output = `kept/${method}${more.length}.mka`;
  const job = await alice.run({ input: 'song.mp3', output, ...COPY });
  const strange = await bob.request(`/api/conversion/${job.jobId}${more}`, { method });
  const nowhere = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
  const unknown = await bob.request(`/api/conversion/${nowhere}${more}`, { method });
  expect(strange).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
  const plain = ({ body }: typeof strange) => ({
    ...body,
    requestId: '',
    detail: body.detail.replace(/[\da-f-]{36}/, ''),
  });
  expect(plain(strange)).toEqual(plain(unknown));
  expect(await alice.job(job.jobId)).toEqual(job);
  expect((await readFile(join(aliceRoot, output))).length).toBe(job.outputs?.[0]?.sizeBytes);
});

test('a client lists only its own jobs; the admin lists all, reads their logs, cancels and deletes them', async ({
  expect,
}) => {
  const { alice, bob, admin } = await world();
  const [his, hers] = [
    await bob.run({ input: 'none.mp3', output: 'x.mka' }),
    await alice.run({ input: 'none.mp3', output: 'x.mka' }),
  ];
  const idsOf = async (of: ApiClient) => (await of.list('?limit=200')).jobs.map(({ jobId }) => jobId);
  expect(await idsOf(alice)).toContain(hers.jobId);
  expect(await idsOf(alice)).not.toContain(his.jobId);
  expect(await idsOf(bob)).not.toContain(hers.jobId);
  expect(await idsOf(admin)).toEqual(expect.arrayContaining([his.jobId, hers.jobId]));
  expect(await admin.job(his.jobId)).toEqual(his);
  expect(await admin.log(his.jobId)).toBe('');
  const retried = await admin.request<{ jobId: string }>(`/api/conversion/${his.jobId}/retry`, { method: 'POST' });
  expect(await bob.wait(retried.body.jobId), 'a retry stays the client’s').toMatchObject({ retryOf: his.jobId });
  expect((await admin.request(`/api/conversion/${his.jobId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await bob.request(`/api/conversion/${his.jobId}`)).status).toBe(404);
});

test('a client neither finds, reads, uses, replaces nor deletes a recipe of another one', async ({ expect }) => {
  const { alice, bob } = await world();
  const url = '/api/recipes/her-style';
  const recipe = {
    ...{ version: 1, title: 'Her style', description: 'The sound of her pages.', words: ['hers'], arguments: {} },
    inputs: [{ role: 'song', description: 'A song.' }],
    outputs: ['mka'],
    request: { parameters: { 'c:a': 'flac' } },
  };
  const put = (client: ApiClient, change: object = {}) =>
    client.request(url, { method: 'PUT', body: { ...recipe, ...change } });
  expect((await put(alice)).status).toBe(201);
  expect((await bob.request(url)).status).toBe(404);
  expect((await bob.request(url, { method: 'DELETE' })).status).toBe(404);
  const found = await bob.request<{ recipes: { name: string }[] }>('/api/recipes');
  expect(found.body.recipes.map(({ name }) => name)).not.toContain('her-style');
  const used = await bob.request('/api/conversion?dryRun=true', {
    method: 'POST',
    body: { input: 'song.mp3', output: 'a.mka', preset: { name: 'her-style' } },
  });
  expect(used).toMatchObject({ status: 400, body: { errors: [{ field: '/preset/name' }] } });
  // The name is free for him.
  expect((await put(bob, { version: 7, title: 'His style' })).status).toBe(201);
  expect((await alice.request(url)).body).toMatchObject({ version: 1, title: 'Her style' });
});

/** Ways to name Bob's file, from Alice's root. */
const REACHES: readonly (readonly [string, (w: World) => string])[] = [
  ['by ..', ({ aliceRoot, bobRoot }) => join(relative(aliceRoot, bobRoot), 'private/bobs.flac')],
  ['by .. after a folder', ({ aliceRoot, bobRoot }) => `a/../${relative(aliceRoot, bobRoot)}/private/bobs.flac`],
  ['by a link to the file', () => 'links/file.flac'],
  ['by a link to a folder', () => 'links/folder/bobs.flac'],
  ['by a link to a link', () => 'links/twice'],
  ['by a relative link', () => 'links/relative/private/bobs.flac'],
];

async function links({ aliceRoot, bobRoot }: World): Promise<void> {
  await mkdir(join(aliceRoot, 'links'), { recursive: true });
  const make = (to: string, name: string) => symlink(to, join(aliceRoot, 'links', name)).catch(() => undefined);
  await make(join(bobRoot, 'private/bobs.flac'), 'file.flac');
  await make(join(bobRoot, 'private'), 'folder');
  await make('file.flac', 'twice');
  await make(join('..', relative(aliceRoot, bobRoot)), 'relative');
}

test.for(REACHES)('a client cannot read another’s file %s', async ([, path], { expect }) => {
  const w = await world();
  await links(w);
  const body = { input: path(w), output: 'stolen.mka', ...COPY };
  const { status, body: problem } = await w.alice.request('/api/conversion', { body });
  expect({ status, errors: problem.errors }).toMatchObject({
    status: 400,
    errors: [{ field: '/input', code: 'OUTSIDE_ROOT', message: expect.stringMatching(/media root/) }],
  });
});

test.for(REACHES)('a client cannot write to another’s folder %s', async ([, path], { expect }) => {
  const w = await world();
  await links(w);
  const before = await readFile(join(w.bobRoot, 'private/bobs.flac'));
  const body = { input: 'song.mp3', output: path(w), parameters: { c: 'copy', y: '' }, format: 'flac' };
  const { status, body: problem } = await w.alice.request('/api/conversion', { body });
  expect({ status, errors: problem.errors }).toMatchObject({ status: 400, errors: [{ field: '/output' }] });
  expect(before.equals(await readFile(join(w.bobRoot, 'private/bobs.flac')))).toBe(true);
});

test('an absolute host path of another client is read in the caller’s own media root', async ({ expect }) => {
  const { alice, bobRoot, server, aliceRoot } = await world();
  for (const input of [join(bobRoot, 'private/bobs.flac'), join(server.dataDir, 'telecine.db'), '/etc/passwd']) {
    const job = await alice.run({ input, output: 'stolen.mka', ...COPY });
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
  }
  const output = join(bobRoot, 'planted.mka');
  const job = await alice.run({ input: 'song.mp3', output, ...COPY });
  expect(job.status).toBe('COMPLETED');
  expect(await readdir(bobRoot)).not.toContain('planted.mka');
  expect((await readFile(join(aliceRoot, output))).length).toBeGreaterThan(0);
});

test('does not follow a symlink out of the media root that appears after the job was accepted', async ({ expect }) => {
  const w = await world();
  const busy = await Promise.all(
    ['a', 'b'].map(async (name) => {
      await putSample(w.aliceRoot, '480p', 'movie.mp4');
      const parameters = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency' };
      return w.alice.accept({ input: 'movie.mp4', output: `busy-${name}.mp4`, parameters });
    }),
  );
  const jobId = await w.alice.accept({ input: 'later/bobs.flac', output: 'stolen-later.mka', ...COPY });
  await symlink(join(w.bobRoot, 'private'), join(w.aliceRoot, 'later'));
  for (const id of busy) await w.alice.request(`/api/conversion/${id}/cancel`, { method: 'POST' });
  const job = await w.alice.wait(jobId);
  expect(job.status).toBe('FAILED');
  expect(JSON.stringify(job.error)).not.toContain(w.bobRoot);
  expect(await readdir(w.aliceRoot)).not.toContain('stolen-later.mka');
});

test('rejects the service’s hidden folder by path and by symlink', async ({ expect }) => {
  const { admin, server } = await world();
  await writeFile(join(server.mediaRoot, 'plain.txt'), '');
  await symlink('../.telecine', join(server.mediaRoot, 'door'));
  for (const output of ['.telecine/x.mka', 'a/.telecine-x/x.mka', '.TELECINE/x.mka']) {
    const { status, body } = await admin.request('/api/conversion', { body: { input: 'a.mp3', output, ...COPY } });
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ code: 'RESERVED_NAME' }] });
  }
  const output = `${server.part}/door/x.mka`;
  const linked = await admin.request('/api/conversion', { body: { input: 'a.mp3', output, ...COPY } });
  expect(linked).toMatchObject({ status: 400, body: { errors: [{ field: '/output', code: 'OUTSIDE_ROOT' }] } });
});
