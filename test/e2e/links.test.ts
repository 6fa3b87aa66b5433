import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { OutputLinksView } from '../../packages/contract/src/wire/files.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { type ApiClient, adminClient, login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { codeOf, fileAt, filesClient, openRequest } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { onDisk } from '../support/test-engines.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const COPY = { c: 'copy' };

/** A client with a film in its media root. */
async function newClient(name: string) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `clients/${name}` });
  const media = server.media.below(`clients/${name}`);
  await media.fill((folder) => putSample(folder, '480p', 'in.mp4'));
  return { credentials, media };
}

let lasting: ReturnType<typeof newClient> | undefined;
/** Shared by the tests that do not change the client. Each writes its own outputs. */
const sharedClient = (): ReturnType<typeof newClient> => {
  lasting ??= newClient('lasting');
  return lasting;
};

/** A client with a job that copied a film to `output`. */
async function withJob(
  of: ReturnType<typeof newClient>,
  output: string,
  parameters: Readonly<Record<string, string | readonly string[]>> = COPY,
) {
  const { server } = await start();
  const { credentials, media } = await of;
  const client = await login(server.url, credentials);
  const job = await client.run({ input: 'in.mp4', output, parameters });
  expect(job).toMatchObject({ status: 'COMPLETED' });
  const content = await media.get(job.outputs?.[0]?.path ?? '');
  return { server, client, credentials, media, job, content, files: filesClient(server.url, client.token) };
}

const linksOf = async (client: ApiClient, job: JobView, query = ''): Promise<OutputLinksView> => {
  const answer = await client.request<OutputLinksView>(`${job.links.signed}${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const urlOf = async (client: ApiClient, job: JobView, query = ''): Promise<string> =>
  (await linksOf(client, job, query)).links[0]?.url ?? '';

/** The parts of a link in the path of a URL. */
function partsOf(url: string) {
  const [, text = ''] = /\/links\/([^/]+)\//.exec(url) ?? [];
  const [, , , key = '', signature = ''] = text.split('~');
  return { text, key, signature };
}

const stranger = async () => filesClient((await start()).server.url, undefined);

test('the output of a job can be downloaded by its URL, also in ranges', async ({ expect }) => {
  const { files, job, content } = await withJob(sharedClient(), 'out/film.mkv');
  const output = job.links.output ?? '';
  const all = await files.send('GET', output);
  expect(all).toMatchObject({
    status: 200,
    headers: { 'content-type': 'video/x-matroska', 'content-disposition': 'attachment; filename=film.mkv' },
  });
  expect(all.bytes.equals(content)).toBe(true);
  expect((await files.send('GET', output, { range: 'bytes=4-9' })).bytes.equals(content.subarray(4, 10))).toBe(true);
  expect((await files.send('HEAD', output)).headers['content-length']).toBe(String(content.length));
  expect((await files.send('GET', `${output}?path=/out/film.mkv`)).status).toBe(200);
  const other = await files.send('GET', `${output}?path=in.mp4`);
  expect({ status: other.status, text: other.bytes.toString() }).toEqual({
    status: 400,
    text: expect.stringContaining('NOT_AN_OUTPUT'),
  });
  expect((await (await stranger()).send('GET', output)).status).toBe(401);
});

test('each file of a job can be downloaded by its path, and has a link', { tags: 'long' }, async ({ expect }) => {
  const hls = { c: 'copy', hls_time: '10', hls_segment_filename: 'part_%03d.ts' };
  const { client, files, job, media } = await withJob(sharedClient(), 'hls/index.m3u8', hls);
  const paths = job.outputs?.map(({ path }) => path) ?? [];
  expect(paths.length).toBeGreaterThan(2);
  const { links } = await linksOf(client, job);
  expect(links.map(({ path }) => path)).toEqual(paths);
  const one = await linksOf(client, job, `?path=${encodeURIComponent(paths[1] ?? '')}`);
  expect(one.links.map(({ path }) => path)).toEqual([paths[1]]);
  expect((await client.request(`${job.links.signed}?path=in.mp4`)).status).toBe(400);
  for (const { path, url } of links) {
    const content = await media.get(path);
    const direct = await files.send('GET', `${job.links.output}?path=${encodeURIComponent(path)}`);
    expect(direct.bytes.equals(content)).toBe(true);
    expect((await (await stranger()).send('GET', url)).bytes.equals(content)).toBe(true);
  }
  expect((await files.send('GET', job.links.output ?? '')).headers['content-type']).toBe(
    'application/vnd.apple.mpegurl',
  );
});

test('a link works without a token, contains none, and is not logged', async ({ expect }) => {
  const { server, client, job, content } = await withJob(sharedClient(), 'given.mkv');
  const { expiresAt, links } = await linksOf(client, job);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(COMMON.linkSeconds * 1000);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(500_000);
  const url = links[0]?.url ?? '';
  const by = await stranger();
  const got = await by.send('GET', url);
  expect(got).toMatchObject({ status: 200, headers: { 'accept-ranges': 'bytes' } });
  expect(got.bytes.equals(content)).toBe(true);
  expect((await by.send('GET', url, { range: 'bytes=0-3' })).status).toBe(206);
  expect((await by.send('HEAD', url)).status).toBe(200);
  expect((await by.send('GET', url, { 'if-none-match': got.headers['etag'] ?? '' })).status).toBe(304);

  // The audit log says when the link ends, and nothing that opens it. The reply does not wait for the record.
  const admin = await adminClient(server);
  const records = `/api/audit?action=link.create&target=${job.jobId}`;
  await expect
    .poll(async () => (await admin.request<AuditListView>(records)).body.records[0]?.details)
    .toEqual({ expiresAt });

  const { signature, key, text } = partsOf(url);
  for (const bearer of [signature, url, text, key])
    expect((await filesClient(server.url, bearer).send('GET', '/api/files')).status).toBe(401);
  for (const [method, path] of [
    ['GET', '/api/files'],
    ['GET', '/api/files/given.mkv'],
    ['DELETE', '/api/files/given.mkv'],
    ['GET', `/api/conversion/${job.jobId}`],
    ['GET', `/api/conversion/${job.jobId}/links`],
    ['DELETE', `/api/conversion/${job.jobId}`],
  ] as const) {
    expect((await by.send(method, `${path}?link=${text}`)).status, `${method} ${path}`).toBe(401);
  }
  const { requestId } = JSON.parse((await by.send('GET', '/none')).bytes.toString());
  await waitUntil('a later line of the log', async () => (server.log().includes(requestId) ? true : undefined));
  expect(server.log()).toContain(`/api/conversion/${job.jobId}/links/(hidden)/given.mkv`);
  expect(server.log()).not.toContain(signature);
});

test('rejects a link that was changed or cut anywhere', { tags: 'long' }, async ({ expect }) => {
  const { client, job } = await withJob(sharedClient(), 'strict.mkv');
  const second = await client.run({ input: 'in.mp4', output: 'strict2.mkv', parameters: COPY });
  const good = await urlOf(client, job);
  const { signature, text } = partsOf(good);
  const of = partsOf(await urlOf(client, second));
  const by = await stranger();
  const status = async (url: string) => {
    const reply = await by.send('GET', url);
    return reply.status === 200 ? 200 : `${reply.status} ${codeOf(reply)}`;
  };
  expect(await status(good)).toBe(200);
  const [client_ = '', issued = '', expires = '', key = '', signed = ''] = text.split('~');
  const later = String(Math.floor(Date.now() / 1000) + 100_000);
  const forged = [
    ...[
      ['admin', issued, expires, key, signed],
      ['', issued, expires, key, signed],
      [client_, '1', expires, key, signed],
      [client_, issued, later, key, signed],
      [client_, issued, `0${expires}`, key, signed],
      [client_, issued, 'never', key, signed],
      [client_, issued, expires, 'none', signed],
      [client_, issued, expires, key, of.signature],
      [client_, issued, expires, key, ''],
      [client_, issued, expires, key, 'A'.repeat(43)],
      [client_, issued, expires, key],
      [client_, issued, expires, key, signed, ''],
      [client_, issued, expires, key, signed, signed],
    ].map((parts) => parts.join('~')),
    'x',
    of.text,
  ];
  for (const link of forged) expect(await status(good.replace(text, link)), link).toBe('403 INVALID_LINK');
  for (let at = 0; at < signature.length; at += 1) {
    const other = signature[at] === 'A' ? 'B' : 'A';
    const bent = `${signature.slice(0, at)}${other}${signature.slice(at + 1)}`;
    expect(await status(good.replace(signature, bent)), bent).toBe('403 INVALID_LINK');
  }
  expect(await status(good.replace(job.jobId, second.jobId))).toBe('403 INVALID_LINK');
  // Only the link counts: a valid token in the same request changes nothing.
  const { server } = await start();
  const both = filesClient(server.url, client.token);
  expect((await both.send('GET', good.replace(signature, 'A'.repeat(43)))).status).toBe(403);
});

test('a link opens the files that its job published, and no others', async ({ expect }) => {
  const { client, job } = await withJob(sharedClient(), 'mine/strict.mkv');
  await client.run({ input: 'in.mp4', output: 'mine/other.mkv', parameters: COPY });
  const good = await urlOf(client, job);
  const by = await stranger();
  for (const path of [
    'mine/other.mkv',
    'in.mp4',
    './mine/strict.mkv',
    'mine/../in.mp4',
    'mine/',
    '%2e%2e/in.mp4',
    '',
  ]) {
    const reply = await by.send('GET', good.replace('mine/strict.mkv', path));
    expect([path, reply.status]).toEqual([path, expect.toBeOneOf([403, 404])]);
  }
  for (const method of ['PUT', 'DELETE', 'POST'])
    expect([method, (await by.send(method, good)).status]).toEqual([method, 405]);
});

/** Plays a link to its end with nothing but the URL. Returns the seconds of video and what ffmpeg complained of. */
async function play(url: string): Promise<{ readonly seconds: number; readonly errors: string }> {
  const args = ['-nostdin', '-v', 'error', '-progress', 'pipe:1', '-i', url, '-map', '0:v:0', '-f', 'null', '-'];
  const { stdout, stderr } = await promisify(execFile)(tools().ffmpegPath, args, { timeout: 50_000 });
  const times = [...stdout.matchAll(/^out_time_us=(\d+)$/gm)].map(([, us]) => Number(us) / 1e6);
  return { seconds: times.at(-1) ?? 0, errors: stderr };
}

test.for([
  ['HLS', 'film/index.m3u8', { hls_time: '4', hls_playlist_type: 'vod' }],
  [
    'HLS with renditions in folders',
    'ladder/%v/index.m3u8',
    {
      ...{ map: ['0:v', '0:v'], var_stream_map: 'v:0,name:a v:1,name:b', master_pl_name: 'master.m3u8' },
      ...{ hls_time: '4', hls_segment_type: 'fmp4', hls_playlist_type: 'vod' },
    },
  ],
  ['DASH', 'dash/film.mpd', { map: '0:v', seg_duration: '4' }],
] as const)(
  'the link of a manifest plays to the end: %s',
  { tags: 'long' },
  async ([, output, parameters], { expect }) => {
    const { server, client, job } = await withJob(sharedClient(), output, { ...COPY, ...parameters });
    const { links } = await linksOf(client, job);
    const manifests = links.filter(({ path }) => /\.(?:m3u8|mpd)$/.test(path));
    expect(manifests.length).toBe(output.startsWith('ladder') ? 3 : 1);
    for (const { url } of manifests) {
      const { seconds, errors } = await play(new URL(url, server.url).href);
      expect(errors).toBe('');
      expect(seconds).toBeGreaterThan(29);
    }
  },
);

test('a link expires, and none can last longer than the operator allows', async ({ expect }) => {
  const { client, job } = await withJob(sharedClient(), 'brief.mkv');
  const by = await stranger();
  const url = await urlOf(client, job, '?seconds=1');
  const reply = await waitUntil('the end of the link', async () => {
    const seen = await by.send('GET', url, { range: 'bytes=0-0' });
    return seen.status === 206 ? undefined : seen;
  });
  expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 410, code: 'LINK_EXPIRED' });
  const { expiresAt } = await linksOf(client, job, `?seconds=${COMMON.linkSeconds}`);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(COMMON.linkSeconds * 1000);
  const { status, body } = await client.request(`${job.links.signed}?seconds=9999999`);
  expect([status, body.errors]).toEqual([
    400,
    [
      {
        field: '/seconds',
        code: 'OUT_OF_RANGE',
        message: `"seconds" must be from 1 to ${COMMON.linkSeconds}; it is 9999999.`,
        fix: `Send ${COMMON.linkSeconds}, or less.`,
      },
    ],
  ]);
  expect((await client.request(`${job.links.signed}?seconds=0`)).status).toBe(400);
});

test('a link is void once its job, file or client is gone, or the client’s secret was rotated', async ({ expect }) => {
  const by = await stranger();
  const ended = async (url: string) => {
    const reply = await by.send('GET', url);
    return `${reply.status} ${codeOf(reply)}`;
  };
  const deleted = await withJob(sharedClient(), 'deleted.mkv');
  const ofDeleted = await urlOf(deleted.client, deleted.job);
  await deleted.client.request(`/api/conversion/${deleted.job.jobId}`, { method: 'DELETE' });
  expect(await ended(ofDeleted)).toBe('410 OUTPUT_GONE');

  const replaced = await withJob(sharedClient(), 'replaced.mkv');
  const ofReplaced = await urlOf(replaced.client, replaced.job);
  await replaced.media.put('replaced.mkv', replaced.content);
  expect(await ended(ofReplaced)).toBe('410 OUTPUT_GONE');
  expect((await replaced.files.send('GET', replaced.job.links.output ?? '')).status).toBe(410);
  await replaced.media.remove('replaced.mkv');
  expect(await ended(ofReplaced)).toBe('410 OUTPUT_GONE');

  const rotated = await withJob(newClient('rotates'), 'film.mkv');
  const ofRotated = await urlOf(rotated.client, rotated.job);
  const fresh = JSON.parse(await runClientCommand(rotated.server, 'rotate', rotated.credentials.clientId, '--json'));
  expect(await ended(ofRotated)).toBe('403 INVALID_LINK');
  const again = await login(rotated.server.url, fresh);
  expect((await by.send('GET', await urlOf(again, rotated.job))).status).toBe(200);

  const revoked = await withJob(newClient('revokes'), 'film.mkv');
  const ofRevoked = await urlOf(revoked.client, revoked.job);
  await runClientCommand(revoked.server, 'revoke', revoked.credentials.clientId, '--yes');
  expect(await ended(ofRevoked)).toBe('403 INVALID_LINK');
});

test('a link works after a restart of the service', { tags: 'long' }, async ({ expect }) => {
  const first = await startServer();
  await first.media.fill((folder) => putSample(folder, 'mp3', 'in.mp3'));
  const admin = await adminClient(first);
  const job = await admin.run({ input: 'in.mp3', output: 'out.mka', parameters: COPY });
  const url = await urlOf(admin, job);
  await first.stop();
  const next = await startServer({ dataDir: first.dataDir, mediaRoot: first.mediaRoot });
  expect((await filesClient(next.url, undefined).send('GET', url)).status).toBe(200);
});

test('only a client that may read the files of a job gets links, and the lists of a job without outputs are empty', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, client, credentials, job } = await withJob(sharedClient(), 'scoped.mkv');
  const { admin } = await start();
  const other = await login(server.url, await insertClient(server, 'other', { root: 'clients/other' }));
  for (const path of [job.links.signed ?? '', job.links.output ?? ''])
    expect((await other.request(path)).status).toBe(404);
  const narrow = await login(server.url, credentials, 'jobs:read');
  for (const path of [job.links.signed ?? '', job.links.output ?? ''])
    expect((await narrow.request(path)).status).toBe(403);
  // The admin sees all jobs. Its link opens the file of the job's client.
  const link = await urlOf(admin, job);
  expect((await (await stranger()).send('GET', link, { range: 'bytes=0-0' })).status).toBe(206);

  const failed = await client.run({ input: 'none.mp4', output: 'none.mkv', parameters: COPY });
  expect(failed.links).toMatchObject({ self: expect.any(String) });
  expect(failed.links.output).toBeUndefined();
  const path = `/api/conversion/${failed.jobId}`;
  expect((await client.request(`${path}/output`)).body).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
  expect((await client.request(`${path}/links?path=none.mkv`)).body).toMatchObject({ code: 'FILE_NOT_FOUND' });
  const none = await client.request(`${path}/outputs`);
  expect(none).toMatchObject({ status: 200, body: { outputs: [], outputCount: 0 } });
  const noLinks = await client.request(`${path}/links`);
  expect(noLinks).toMatchObject({ status: 200, body: { links: [] } });
  for (const { body } of [none, noLinks]) expect(body).not.toHaveProperty('nextCursor');
  const slow = { 'c:v': 'libx264', preset: 'veryslow' };
  const running = await client.accept({ input: 'in.mp4', output: 'slow.mp4', parameters: slow });
  for (const of of ['output', 'outputs', 'links'])
    expect((await client.request(`/api/conversion/${running}/${of}`)).body).toMatchObject({
      status: 409,
      code: 'JOB_NOT_FINISHED',
    });
  await client.request(`/api/conversion/${running}/cancel`, { method: 'POST' });
});

onDisk(
  'A reader of S3 gets an error once the object is replaced, which http-files-s3.test.ts tests.',
  'ffmpeg',
).concurrent(
  'a download continues with its first file even if that file is replaced',
  { tags: 'long' },
  async ({ expect }) => {
    const { server, client, job, content, files, media } = await withJob(newClient('reader'), 'film.mkv');
    const headers = { authorization: `Bearer ${client.token}` };
    const { sent, answered } = openRequest(server.url, 'GET', job.links.output ?? '', headers);
    sent.end();
    const reply = await answered;
    await once(reply, 'readable');
    expect((await files.put('film.mkv', 'another')).status).toBe(204);
    expect((await buffer(reply)).equals(content)).toBe(true);
    expect((await files.send('GET', job.links.output ?? '')).status).toBe(410);
    expect((await files.get('film.mkv')).bytes.toString()).toBe('another');
    expect((await files.send('GET', fileAt('film.mkv'))).status).toBe(200);
    expect(await media.list()).toEqual(['film.mkv', 'in.mp4']);
  },
);
