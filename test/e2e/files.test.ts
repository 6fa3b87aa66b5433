import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BinView, FileDeletionResult } from '../../packages/contract/src/wire/bin.ts';
import type { FileListView } from '../../packages/contract/src/wire/files.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { codeOf, type FileReply, fileAt, filesClient } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { readZip } from '../support/read-zip.ts';
import { onDisk } from '../support/test-engines.ts';
import { locationOf, tusRequests } from '../support/tus.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

async function world() {
  const { server, own } = await start();
  return { server, own, files: filesClient(server.url, own.token) };
}

const list = async (query: string) => (await (await start()).own.request<FileListView>(`/api/files${query}`)).body;

const put = async (path: string, body: string | Uint8Array, headers = {}): Promise<FileReply> => {
  const { files } = await world();
  return files.put(path, body, headers);
};

test('an uploaded film is downloaded unchanged, with its type, name and size', async ({ expect }) => {
  const { server, files } = await world();
  const film = await readFile(samplePath('480p'));
  const made = await files.put('trip/été 1.mp4', film);
  expect(made).toMatchObject({
    status: 201,
    headers: { location: '/api/files/trip/%C3%A9t%C3%A9%201.mp4', etag: expect.stringMatching(/^"[\w-]{22}"$/) },
  });
  const got = await files.get('trip/été 1.mp4');
  expect(got).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'video/mp4',
      'content-length': String(film.length),
      'content-disposition': `attachment; filename="?t? 1.mp4"; filename*=UTF-8''%C3%A9t%C3%A9%201.mp4`,
      'accept-ranges': 'bytes',
      'last-modified': expect.stringMatching(/ GMT$/),
      etag: made.headers['etag'],
    },
  });
  expect(got.bytes.equals(film)).toBe(true);
  expect((await server.media.get('trip/été 1.mp4')).equals(film)).toBe(true);

  const head = await files.send('HEAD', fileAt('trip/été 1.mp4'));
  const { date: _, 'x-request-id': __, ratelimit: ___, ...same } = got.headers;
  expect(head).toMatchObject({ status: 200, headers: same });
  expect(head.bytes).toHaveLength(0);

  expect(await files.put('trip/été 1.mp4', 'other')).toMatchObject({ status: 204 });
  expect((await files.get('trip/été 1.mp4')).bytes.toString()).toBe('other');
  expect((await files.send('DELETE', fileAt('trip/été 1.mp4'))).status).toBe(204);
  expect((await files.get('trip/été 1.mp4')).status).toBe(404);
  expect((await files.send('DELETE', fileAt('trip/été 1.mp4'))).status).toBe(404);
});

onDisk('On S3 a folder ends with its last file.', 'ffmpeg').concurrent(
  'deletes an empty folder by its path with a slash, but never the root or a reserved folder',
  { tags: 'long' },
  async ({ expect }) => {
    const { files } = await world();
    await files.put('box/inner/a.txt', 'a');
    const remove = async (path: string) => {
      const reply = await files.send('DELETE', path);
      return [reply.status, reply.status === 204 ? undefined : codeOf(reply)];
    };
    expect((await files.put('box/inner/', 'x')).status).toBe(400);
    expect(await remove('/api/files/box/inner/')).toEqual([409, 'FOLDER_NOT_EMPTY']);
    expect(await remove('/api/files/box/inner/a.txt/')).toEqual([404, 'FILE_NOT_FOUND']);
    expect(await remove('/api/files/box/inner/a.txt')).toEqual([204, undefined]);
    expect(await remove('/api/files/box/inner')).toEqual([409, 'NOT_A_FILE']);
    expect(await remove('/api/files/box/inner%2F')).toEqual([204, undefined]);
    expect(await remove('/api/files/box/inner/')).toEqual([404, 'FILE_NOT_FOUND']);
    expect(await remove('/api/files/box/')).toEqual([204, undefined]);
    for (const path of ['', '/', '//', './', '%2E%2E/', '.telecine/', '.telecine/jobs/'])
      expect(await remove(`/api/files/${path}`), path).toEqual([400, 'INVALID_REQUEST']);
  },
);

test('folders and files are one zip, which nobody else gets', async ({ expect }) => {
  const { server, files } = await world();
  for (const path of ['zip/a.txt', 'zip/été/b 1.txt', 'zip/été/deep/c.txt', 'zips/d.txt']) await files.put(path, path);
  const zipOf = (...paths: readonly string[]) => {
    const query = new URLSearchParams(paths.map((path): [string, string] => ['path', path]));
    return files.send('GET', `/api/files.zip?${query}`);
  };
  const zip = await zipOf('zip/');
  expect(zip).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-length': String(zip.bytes.length),
      'content-disposition': 'attachment; filename=zip.zip',
    },
  });
  const names = ({ bytes }: FileReply) =>
    Object.fromEntries(readZip(bytes).map(({ name, content }) => [name, content.toString()]));
  expect(names(zip)).toEqual({
    'a.txt': 'zip/a.txt',
    'été/b 1.txt': 'zip/été/b 1.txt',
    'été/deep/c.txt': 'zip/été/deep/c.txt',
  });
  const chosen = await zipOf('zip/a.txt', 'zip/été/', 'zip/été/deep/c.txt', 'zip/a.txt');
  expect([chosen.headers['content-disposition'], names(chosen)]).toEqual([
    'attachment; filename=zip.zip',
    { 'a.txt': 'zip/a.txt', 'été/b 1.txt': 'zip/été/b 1.txt', 'été/deep/c.txt': 'zip/été/deep/c.txt' },
  ]);
  expect(names(await zipOf('zip/a.txt', 'zips/'))).toEqual({ 'zip/a.txt': 'zip/a.txt', 'zips/d.txt': 'zips/d.txt' });
  expect(names(await zipOf('zip/a.txt'))).toEqual({ 'a.txt': 'zip/a.txt' });
  const head = await files.send('HEAD', '/api/files.zip?path=zip%2F');
  expect([head.status, head.headers['content-length']]).toEqual([200, zip.headers['content-length']]);

  const codes = async (...paths: readonly string[]) => {
    const reply = await zipOf(...paths);
    return [reply.status, codeOf(reply)];
  };
  expect(await codes('zip')).toEqual([409, 'NOT_A_FILE']);
  for (const path of ['none/', 'none.txt', 'zip/a.txt/'])
    expect(await codes(path), path).toEqual([404, 'FILE_NOT_FOUND']);
  for (const path of ['', '/', '../', 'zip/../../x/', '.telecine/', '.telecine-bin/', 's3://bucket/x/', 'zip/\u0000/'])
    expect(await codes(path), path).toEqual([400, 'INVALID_REQUEST']);
  expect(await codes()).toEqual([400, 'INVALID_REQUEST']);
  expect(await codes(...Array.from({ length: 101 }, (_, i) => `zip/${i}`))).toEqual([400, 'INVALID_REQUEST']);
  const blind = await login(server.url, await insertClient(server, 'no-zips', { scopes: ['jobs:read'] }));
  const by = (token?: string) => filesClient(server.url, token).send('GET', '/api/files.zip?path=zip%2F');
  expect([(await by()).status, (await by(blind.token)).status]).toEqual([401, 403]);
  const other = await login(server.url, await insertClient(server, 'own-zips', { root: 'clients/own-zips' }));
  expect((await by(other.token)).status).toBe(404);
});

/** Sends JSON. Returns the status, and the code of the problem or the path of the entry. */
async function sendJson(path: string, body: object): Promise<readonly [number, string]> {
  const { files } = await world();
  const reply = await files.send('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body));
  const { code, path: moved } = JSON.parse(reply.bytes.toString()) as {
    readonly code?: string;
    readonly path?: string;
  };
  return [reply.status, code ?? moved ?? ''];
}

test('files and folders are renamed and moved, and nothing is replaced unasked', async ({ expect }) => {
  const { files } = await world();
  await files.put('move/in.txt', 'in');
  await files.put('move/other.txt', 'other');
  const move = (from: string, to: string, more = {}) => sendJson('/api/file-moves', { from, to, ...more });
  expect(await move('move/in.txt', 'move/new/été.txt')).toEqual([200, 'move/new/été.txt']);
  expect((await files.get('move/in.txt')).status).toBe(404);
  expect((await files.get('move/new/été.txt')).bytes.toString()).toBe('in');
  expect(await move('move/new/été.txt', 'move/other.txt')).toEqual([409, 'FILE_EXISTS']);
  expect(await move('move/new/été.txt', 'move/other.txt', { replace: true })).toEqual([200, 'move/other.txt']);
  expect((await files.get('move/other.txt')).bytes.toString()).toBe('in');
  expect(await sendJson('/api/folders', { path: 'move/empty' })).toEqual([201, 'move/empty/']);
  expect(await sendJson('/api/folders', { path: 'move/empty/' })).toEqual([409, 'FILE_EXISTS']);
  expect(await move('move/', 'moved/deep/')).toEqual([200, 'moved/deep/']);
  expect((await files.get('moved/deep/other.txt')).bytes.toString()).toBe('in');
  expect(await move('moved/', 'moved/deep/in')).toEqual([400, 'INVALID_REQUEST']);
  expect(await move('moved/deep/other.txt', 'elsewhere/')).toEqual([400, 'INVALID_REQUEST']);
  expect(await move('none.txt', 'x.txt')).toEqual([404, 'FILE_NOT_FOUND']);
  for (const path of ['../out.txt', '.telecine/x', 's3://bucket/x', 'a\u0000b', '']) {
    expect(await move('moved/deep/other.txt', path), path).toEqual([400, 'INVALID_REQUEST']);
    expect((await move(path, 'x.txt'))[0], path).toBe(400);
    expect((await sendJson('/api/folders', { path }))[0], path).toBe(400);
  }
});

test('a file that an unfinished job writes is not moved, and the problem names the job', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, files } = await world();
  await files.put('busy/a.mp4', 'x');
  const request = { inputs: [{ source: 'testsrc2=d=3600:s=1920x1080' }], output: 'busy/out.mp4' };
  const { body: job } = await own.request<{ readonly jobId: string }>('/api/conversion', {
    method: 'POST',
    body: request,
  });
  try {
    const json = { 'content-type': 'application/json' };
    const moves = [
      { from: 'busy/a.mp4', to: 'busy/out.mp4' },
      { from: 'busy/', to: 'idle/' },
    ];
    for (const move of moves) {
      const reply = await files.send('POST', '/api/file-moves', json, JSON.stringify(move));
      expect([reply.status, codeOf(reply)]).toEqual([409, 'FILE_IN_USE']);
      expect(reply.bytes.toString()).toContain(job.jobId);
    }
    expect(await sendJson('/api/file-moves', { from: 'busy/a.mp4', to: 'busy/b.mp4' })).toEqual([200, 'busy/b.mp4']);
  } finally {
    await own.request(`/api/conversion/${job.jobId}/cancel`, { method: 'POST' });
  }
});

test('deleted files and folders are kept in a bin, restored, and deleted for good', async ({ expect }) => {
  const { files } = await world();
  const json = { 'content-type': 'application/json' };
  const send = async <T>(method: string, path: string, body?: object): Promise<readonly [number, T]> => {
    const reply = await files.send(method, path, json, body && JSON.stringify(body));
    return [reply.status, (reply.bytes.length === 0 ? undefined : JSON.parse(reply.bytes.toString())) as T];
  };
  for (const name of ['a.txt', 'b.txt', 'm/c.txt']) await files.put(`bin/${name}`, name);
  const paths = ['bin/a.txt', 'bin/m/', 'bin/none.txt', '../x'];
  const [status, result] = await send<FileDeletionResult>('POST', '/api/file-deletions', { paths, keep: true });
  expect(status).toBe(200);
  expect(result.deleted.map(({ path }) => path)).toEqual(['bin/a.txt', 'bin/m/']);
  expect(result.failed).toMatchObject([{ code: 'FILE_NOT_FOUND' }, { code: 'INVALID_REQUEST' }]);
  expect((await list('?prefix=bin/')).files.map(({ path }) => path)).toEqual(['bin/b.txt']);
  const [one, folder] = result.deleted.map(({ entry }) => entry?.entryId ?? '');
  const [, bin] = await send<BinView>('GET', '/api/bin');
  expect(bin.keepSeconds).toBe(86_400);
  expect(bin.entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ entryId: one, path: 'bin/a.txt', sizeBytes: 5 })]),
  );
  await files.put('bin/a.txt', 'new');
  expect(await send('POST', `/api/bin/${one}/restore`, {})).toMatchObject([409, { code: 'FILE_EXISTS' }]);
  expect(await send('POST', `/api/bin/${one}/restore`, { to: 'bin/old.txt' })).toMatchObject([
    200,
    { path: 'bin/old.txt' },
  ]);
  expect((await files.get('bin/old.txt')).bytes.toString()).toBe('a.txt');
  expect(await send('POST', `/api/bin/${one}/restore`, {})).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
  expect(await send('POST', `/api/bin/${folder}/restore`, {})).toMatchObject([200, { path: 'bin/m/' }]);
  expect((await files.get('bin/m/c.txt')).bytes.toString()).toBe('m/c.txt');
  const [, again] = await send<FileDeletionResult>('POST', '/api/file-deletions', {
    paths: ['bin/old.txt'],
    keep: true,
  });
  const last = again.deleted[0]?.entry?.entryId ?? '';
  expect((await files.send('DELETE', `/api/bin/${last}`)).status).toBe(204);
  expect((await files.send('DELETE', `/api/bin/${last}`)).status).toBe(404);
  // Without "keep", a file is gone at once, and a folder must be empty.
  const [, gone] = await send<FileDeletionResult>('POST', '/api/file-deletions', { paths: ['bin/a.txt', 'bin/m/'] });
  expect(gone).toMatchObject({ deleted: [{ path: 'bin/a.txt' }], failed: [{ code: 'FOLDER_NOT_EMPTY' }] });
  for (const path of ['.telecine-bin/x', '.telecine-bin/x/content'])
    expect((await files.get(path)).status, path).toBe(400);
});

test('a file that an upload replaces is kept if asked, and comes back once the other one is gone', async ({
  expect,
}) => {
  const { server, own, files } = await world();
  const { create, patch } = tusRequests(server.url, own.token);
  const KEEP = { 'keep-replaced': 'true' };
  const contentOf = async (): Promise<string> => (await files.get('kept/a.txt')).bytes.toString();
  const entries = async (): Promise<BinView['entries']> => {
    const { entries } = JSON.parse((await files.send('GET', '/api/bin')).bytes.toString()) as BinView;
    return entries.filter(({ path }) => path === 'kept/a.txt');
  };
  const first = await files.put('kept/a.txt', 'first', KEEP);
  expect([first.status, first.headers['replaced-entry'], await entries()]).toEqual([201, undefined, []]);
  const second = await files.put('kept/a.txt', 'second one', KEEP);
  expect([second.status, await contentOf()]).toEqual([204, 'second one']);
  expect(await entries()).toMatchObject([{ entryId: second.headers['replaced-entry'], sizeBytes: 5 }]);
  const at = locationOf(await create('kept/a.txt', 5, KEEP));
  const third = await patch(at, 0, 'third');
  expect([third.status, await contentOf()]).toEqual([204, 'third']);
  expect((await entries()).map(({ sizeBytes }) => sizeBytes).sort()).toEqual([10, 5]);
  const empty = await create('kept/a.txt', 0, KEEP);
  expect([empty.status, await contentOf()]).toEqual([201, '']);
  expect((await entries()).map(({ entryId }) => entryId)).toContain(empty.headers['replaced-entry']);

  const restore = async (entryId: string | undefined, body: object): Promise<FileReply> =>
    files.send('POST', `/api/bin/${entryId}/restore`, { 'content-type': 'application/json' }, JSON.stringify(body));
  const undone = third.headers['replaced-entry'];
  expect(codeOf(await restore(undone, {}))).toBe('FILE_EXISTS');
  expect(codeOf(await restore(undone, { replace: true })), 'a restore replaces nothing').toBe('INVALID_REQUEST');
  const JSON_BODY = { 'content-type': 'application/json' };
  const deletion = JSON.stringify({ paths: ['kept/a.txt'], keep: true });
  const gone = await files.send('POST', '/api/file-deletions', JSON_BODY, deletion);
  const { deleted } = JSON.parse(gone.bytes.toString()) as FileDeletionResult;
  expect(deleted).toMatchObject([{ entry: { path: 'kept/a.txt', sizeBytes: 0 } }]);
  const reply = await restore(undone, {});
  expect([reply.status, await contentOf()]).toEqual([200, 'second one']);
  expect((await restore(deleted[0]?.entry?.entryId, { to: 'kept/b.txt' })).status).toBe(200);
  const count = (await entries()).length;
  expect((await files.put('kept/a.txt', 'last')).headers['replaced-entry']).toBeUndefined();
  expect(await entries(), 'not asked').toHaveLength(count);
  expect(codeOf(await files.put('kept/a.txt', 'x', { 'keep-replaced': 'yes' }))).toBe('BAD_REQUEST');
  expect(await contentOf()).toBe('last');
});

test('an empty file can be uploaded and downloaded', async ({ expect }) => {
  const { files } = await world();
  expect((await files.put('empty.bin', '')).status).toBe(201);
  expect(await files.get('empty.bin')).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
  expect((await files.get('empty.bin', { range: 'bytes=0-' })).status).toBe(416);
});

test.for<[range: string, status: number, bytes: string, contentRange?: string]>([
  ['bytes=0-3', 206, '0123', 'bytes 0-3/20'],
  ['bytes=5-', 206, '56789abcdefghij', 'bytes 5-19/20'],
  ['bytes=-4', 206, 'ghij', 'bytes 16-19/20'],
  ['bytes=-400', 206, '0123456789abcdefghij', 'bytes 0-19/20'],
  ['bytes=19-400', 206, 'j', 'bytes 19-19/20'],
  ['bytes=0-1,5-6', 200, '0123456789abcdefghij'],
  ['bytes=9-3', 200, '0123456789abcdefghij'],
  ['lines=1-2', 200, '0123456789abcdefghij'],
  ['bytes=20-', 416, '', 'bytes */20'],
  ['bytes=-0', 416, '', 'bytes */20'],
])('answers the range %s with %i', async ([range, status, bytes, contentRange]) => {
  const { files } = await world();
  await files.put(`ranges/${range}`, '0123456789abcdefghij');
  const reply = await files.get(`ranges/${range}`, { range });
  expect({ status: reply.status, contentRange: reply.headers['content-range'] }).toEqual({ status, contentRange });
  if (status === 416) expect(codeOf(reply)).toBe('RANGE_NOT_SATISFIABLE');
  else expect(reply.bytes.toString()).toBe(bytes);
  const head = await files.send('HEAD', fileAt(`ranges/${range}`), { range });
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '20' } });
});

test('supports conditional reads by ETag and time, and If-Range', async ({ expect }) => {
  const { files } = await world();
  const { etag = '' } = (await files.put('cond/read.txt', 'first')).headers;
  const at = (await files.get('cond/read.txt')).headers['last-modified'] ?? '';
  const status = async (headers: Record<string, string>) => (await files.get('cond/read.txt', headers)).status;
  expect(await status({ 'if-none-match': etag })).toBe(304);
  expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
  expect(await status({ 'if-none-match': '*' })).toBe(304);
  expect(await status({ 'if-none-match': '"x"' })).toBe(200);
  expect(await status({ 'if-modified-since': at })).toBe(304);
  expect(await status({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
  expect(await status({ 'if-modified-since': at, 'if-none-match': '"x"' })).toBe(200);
  expect(await status({ 'if-match': etag })).toBe(200);
  expect(await status({ 'if-match': '"x"' })).toBe(412);
  expect(await status({ 'if-match': `W/${etag}` })).toBe(412);
  expect(await status({ 'if-match': 'unquoted' })).toBe(400);
  expect(await status({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(412);
  expect(await status({ range: 'bytes=0-1', 'if-range': etag })).toBe(206);
  expect(await status({ range: 'bytes=0-1', 'if-range': at })).toBe(206);
  expect(await status({ range: 'bytes=0-1', 'if-range': '"x"' })).toBe(200);
  await files.put('cond/read.txt', 'other');
  expect(await status({ 'if-none-match': etag })).toBe(200);
  expect(await status({ range: 'bytes=0-1', 'if-range': etag })).toBe(200);
});

test('supports conditional writes: create only, and replace or delete by ETag', async ({ expect }) => {
  const { files } = await world();
  const create = { 'if-none-match': '*' };
  const path = 'cond/write.txt';
  const first = await files.put(path, 'first', create);
  expect(first.status).toBe(201);
  expect(await files.put(path, 'second', create)).toMatchObject({ status: 412 });
  expect((await files.get(path)).bytes.toString()).toBe('first');
  const known = { 'if-match': first.headers['etag'] ?? '' };
  expect((await files.put(path, 'third', known)).status).toBe(204);
  expect((await files.put(path, 'fourth', known)).status).toBe(412);
  expect((await files.put('cond/none.txt', 'x', { 'if-match': '*' })).status).toBe(412);
  expect((await files.send('DELETE', fileAt(path), known)).status).toBe(412);
  const { etag = '' } = (await files.get(path)).headers;
  expect((await files.send('DELETE', fileAt(path), { 'if-match': etag })).status).toBe(204);
});

test('of concurrent uploads that create one file, exactly one succeeds', async ({ expect }) => {
  const { files } = await world();
  const bodies = Array.from({ length: 12 }, (_, i) => `writer ${i}`);
  const replies = await Promise.all(bodies.map((body) => files.put('race.txt', body, { 'if-none-match': '*' })));
  const winners = bodies.filter((_, i) => replies[i]?.status === 201);
  expect(winners).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(11);
  expect((await files.get('race.txt')).bytes.toString()).toBe(winners[0]);
});

const ODD_NAMES = [
  ' spaces  around ',
  '100% of it',
  '%2F %00',
  'a+b&c=d;e',
  'q?x=1#frag',
  '"double" \'single\' `back`',
  'C:\\temp\\x.txt',
  '日本語 – ünïcödé 🎧',
  'e\u0301 decomposed',
  '.hidden',
  '...',
  '-rf',
  '{path}',
  '*',
];

test.for(ODD_NAMES)('accepts a file with the name %s', async (name, { expect }) => {
  const { server, files } = await world();
  const folder = `odd/${ODD_NAMES.indexOf(name)}`;
  const made = await files.put(`${folder}/${name}`, name);
  expect(made.status).toBe(201);
  expect(await server.media.list(folder)).toEqual([name]);
  expect((await files.send('GET', made.headers['location'] ?? '')).bytes.toString()).toBe(name);
  expect((await files.send('GET', `/api/files/${encodeURIComponent(`${folder}/${name}`)}`)).status).toBe(200);
  expect((await list(`?prefix=${encodeURIComponent(`${folder}/${name}`)}`)).files).toMatchObject([
    { type: 'file', path: `${folder}/${name}`, sizeBytes: Buffer.byteLength(name) },
  ]);
});

test.for<[path: string, status: number, code: string]>([
  ['/api/files/../../etc/passwd', 400, 'INVALID_REQUEST'],
  ['/api/files/%2e%2e/%2e%2e/etc/passwd', 400, 'INVALID_REQUEST'],
  ['/api/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 400, 'INVALID_REQUEST'],
  ['/api/files/a/../../b', 400, 'INVALID_REQUEST'],
  ['/api/files//etc/passwd', 404, 'FILE_NOT_FOUND'],
  ['/api/files/%2fetc%2fpasswd', 404, 'FILE_NOT_FOUND'],
  ['/api/files/a%00b', 400, 'INVALID_REQUEST'],
  ['/api/files/a%0d%0ab', 400, 'INVALID_REQUEST'],
  ['/api/files/%ff', 400, 'BAD_REQUEST'],
  ['/api/files/a%zz', 400, 'BAD_REQUEST'],
  ['/api/files/', 400, 'INVALID_REQUEST'],
  ['/api/files/folder/.', 400, 'INVALID_REQUEST'],
  ['/api/files/.', 400, 'INVALID_REQUEST'],
  ['/api/files/.telecine/serve.lock', 400, 'INVALID_REQUEST'],
  ['/api/files/.TELECINE/jobs/x', 400, 'INVALID_REQUEST'],
  ['/api/files/a/%2etelecine-x', 400, 'INVALID_REQUEST'],
  ['/api/files/s3:%2f%2fbucket%2fkey', 400, 'INVALID_REQUEST'],
  [`/api/files/${'x'.repeat(256)}`, 400, 'INVALID_REQUEST'],
  ['/api/files/x?unknown=1', 400, 'INVALID_REQUEST'],
])('GET, PUT and DELETE %s are rejected', async ([path, status, code], { expect }) => {
  const { server, files } = await world();
  const shared = () => readdir(join(server.mediaRoot, '..'));
  const before = new Set(await shared());
  for (const method of ['GET', 'DELETE', ...(status === 404 ? [] : ['PUT'])]) {
    const reply = await files.send(method, path, {}, method === 'PUT' ? 'x' : undefined);
    expect({ method, status: reply.status, code: codeOf(reply) }).toEqual({ method, status, code });
    expect(reply.bytes.toString()).not.toContain(server.mediaRoot);
  }
  // The folders of test files, those of the service, and `outside` of another test may come meanwhile.
  for (const name of await shared()) if (!before.has(name)) expect(name).toMatch(/^(?:file-\d+|\.telecine.*|outside)$/);
});

onDisk('S3 has no symlinks.', 'ffmpeg').concurrent(
  'follows symlinks inside the media root, but none that leaves it',
  async ({ expect }) => {
    const { server, files } = await world();
    const root = server.mediaRoot;
    const outside = join(root, '../outside');
    await mkdir(outside, { recursive: true });
    await mkdir(join(root, 'links/real'), { recursive: true });
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await writeFile(join(root, 'links/real/in.txt'), 'inside');
    for (const [name, to] of [
      ['in.txt', 'real/in.txt'],
      ['folder', 'real'],
      ['out.txt', join(outside, 'secret.txt')],
      ['out', outside],
      ['data', server.dataDir],
      ['scratch', '../../.telecine'],
      ['loop', 'loop'],
      ['nowhere.txt', 'none.txt'],
      ['out-nowhere.txt', join(outside, 'none.txt')],
    ] as const)
      await symlink(to, join(root, 'links', name));

    expect((await files.get('links/in.txt')).bytes.toString()).toBe('inside');
    expect((await files.get('links/folder/in.txt')).bytes.toString()).toBe('inside');
    expect((await files.put('links/folder/new.txt', 'new')).status).toBe(201);
    expect(await readFile(join(root, 'links/real/new.txt'), 'utf8')).toBe('new');
    const OUT = ['out.txt', 'out/secret.txt', 'out/new.txt', 'data/telecine.db', 'scratch/x', 'out-nowhere.txt'];
    for (const name of OUT)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const reply = await files.send(method, fileAt(`links/${name}`), {}, method === 'PUT' ? 'x' : undefined);
        expect({ name, method, status: reply.status }).toEqual({ name, method, status: 400 });
        expect(reply.bytes.toString()).toContain('OUTSIDE_ROOT');
      }
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(await readdir(outside)).toEqual(['secret.txt']);
    expect((await files.get('links/nowhere.txt')).status).toBe(404);
    // A broken symlink is something at its path: an upload replaces it, and creates nothing.
    expect((await files.put('links/nowhere.txt', 'now', { 'if-none-match': '*' })).status).toBe(412);
    expect((await files.put('links/nowhere.txt', 'now')).status).toBe(204);
    expect((await files.get('links/loop')).status).toBe(404);

    const shown = (await list('?prefix=links/')).files.map(({ path }) => path);
    expect(shown).toEqual(['links/folder/', 'links/in.txt', 'links/nowhere.txt', 'links/real/']);
    expect((await list('?prefix=links/folder/')).files.map(({ path }) => path)).toEqual([
      'links/folder/in.txt',
      'links/folder/new.txt',
    ]);
    expect((await files.send('GET', '/api/files?prefix=links/out/')).status).toBe(400);
    expect((await files.send('GET', '/api/files?prefix=../')).status).toBe(400);
    // Deleting a symlink keeps its target.
    expect((await files.send('DELETE', fileAt('links/in.txt'))).status).toBe(204);
    expect((await files.get('links/real/in.txt')).status).toBe(200);
  },
);

test('rejects a folder path for a file and a file path for a folder', async ({ expect }) => {
  const { files } = await world();
  await files.put('kinds/file.txt', 'x');
  for (const path of ['kinds', 'kinds/file.txt/below.txt']) expect((await files.put(path, 'y')).status, path).toBe(409);
  expect((await files.get('kinds')).status).toBe(409);
  expect((await files.send('DELETE', fileAt('kinds'))).status).toBe(409);
  expect((await files.get('kinds/file.txt/below.txt')).status).toBe(404);
});

test('lists one folder page by page, without reserved paths', async ({ expect }) => {
  const { server, files } = await world();
  for (const name of ['b.mp4', 'a.mp4', 'c/deep.mp4', 'ab.mp4']) await files.put(`list/${name}`, name);
  await server.media.put('list/.telecine-x/z', 'hidden');
  await server.media.put('list/.telecine-y', 'hidden');
  await server.media.put('.telecine/z', 'hidden');
  const paths = async (query: string) => (await list(query)).files.map(({ path }) => path);
  expect(await paths('?prefix=list/')).toEqual(['list/a.mp4', 'list/ab.mp4', 'list/b.mp4', 'list/c/']);
  expect(await paths('?prefix=list/a')).toEqual(['list/a.mp4', 'list/ab.mp4']);
  expect(await paths('?prefix=/list/c/')).toEqual(['list/c/deep.mp4']);
  expect(await paths('?prefix=none/')).toEqual([]);
  expect(await paths('?prefix=list')).toEqual(['list/']);
  expect(await paths('')).not.toContain('.telecine/');
  const first = await list('?prefix=list/&limit=2');
  expect(first.files).toHaveLength(2);
  const second = await list(`?prefix=list/&limit=2&cursor=${first.nextCursor}`);
  expect(second.files.map(({ path }) => path)).toEqual(['list/b.mp4', 'list/c/']);
  expect(second.nextCursor).toBeUndefined();
  expect((await files.send('GET', '/api/files?cursor=***')).status).toBe(400);
  await files.put('listed/deep/er/B-side.mp4', 'x');
  expect(await paths('?q=b-SIDE')).toEqual(['listed/deep/er/B-side.mp4']);
  expect(await paths('?q=b+mp4&prefix=/list/')).toEqual(['list/ab.mp4', 'list/b.mp4']);
  expect(await paths('?q=deep&prefix=list')).toEqual(['list/c/deep.mp4', 'listed/deep/']);
  expect(await paths('?q=telecine')).toEqual([]);
  const found = await list('?q=mp4&prefix=list/&limit=3');
  expect((await list(`?q=mp4&prefix=list/&limit=3&cursor=${found.nextCursor}`)).files).toMatchObject([
    { path: 'list/c/deep.mp4', sizeBytes: 'c/deep.mp4'.length },
  ]);
  for (const q of ['', '%20', '/', 'x'.repeat(201), 'x+'.repeat(21)])
    expect((await files.send('GET', `/api/files?q=${q}`)).status, q).toBe(400);
  const [entry] = first.files;
  expect(entry).toEqual({
    type: 'file',
    path: 'list/a.mp4',
    sizeBytes: 5,
    modifiedAt: expect.stringMatching(/Z$/),
    etag: (await files.get('list/a.mp4')).headers['etag'],
  });
});

test('browsers never run an uploaded file in the origin of the API', async ({ expect }) => {
  const { files } = await world();
  for (const [name, type] of [
    ['page.html', 'text/html'],
    ['worker.js', 'text/javascript'],
    ['style.css', 'text/css'],
    ['code.wasm', 'application/wasm'],
  ] as const) {
    await put(name, '<script>alert(1)</script>', { 'content-type': type });
    expect((await files.get(name)).headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename=${name}`,
      'content-security-policy': expect.stringMatching(/(^|; )sandbox(;|$)/),
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('a client sees only its own files, and only with the scopes for it', async ({ expect }) => {
  const { server, own, files } = await world();
  const alice = await login(server.url, await insertClient(server, 'alice', { root: 'clients/alice' }));
  const bobs = await insertClient(server, 'bob', { root: 'clients/bob' });
  const bob = await login(server.url, bobs);
  const of = (token: string) => filesClient(server.url, token);
  expect((await of(alice.token).put('own.txt', 'of alice')).status).toBe(201);
  for (const path of ['own.txt', '../alice/own.txt', 'clients/alice/own.txt'])
    expect([400, 404], path).toContain((await of(bob.token).get(path)).status);
  expect((await bob.request<FileListView>('/api/files')).body.files).toEqual([]);
  expect((await of(own.token).get('clients/alice/own.txt')).bytes.toString()).toBe('of alice');

  const reader = await login(server.url, bobs, 'files:read');
  expect((await of(reader.token).put('x.txt', 'x')).status).toBe(403);
  expect((await of(reader.token).send('DELETE', fileAt('x.txt'))).status).toBe(403);
  const writer = await login(server.url, bobs, 'files:write');
  expect((await of(writer.token).put('x.txt', 'x')).status).toBe(201);
  expect((await of(writer.token).get('x.txt')).status).toBe(403);
  expect((await of(writer.token).send('GET', '/api/files')).status).toBe(403);
  expect((await filesClient(server.url, undefined).get('x.txt')).status).toBe(401);
  expect((await files.send('POST', fileAt('x.txt'))).headers['allow']).toBe('GET, HEAD, PUT, DELETE');
});

test('replacing the input of a running job does not affect that job', { tags: 'long' }, async ({ expect }) => {
  const { server, own, files } = await world();
  await server.media.fill((folder) => putSample(folder, '480p', 'busy.mp4'));
  const slow = { 'c:v': 'libx264', preset: 'veryfast', s: '426x240', threads: '1', 'c:a': 'copy' };
  const jobId = await own.accept({ input: 'busy.mp4', output: 'busy-out.mp4', parameters: slow });
  await own.wait(jobId, ({ phase }) => phase === 'CONVERTING');
  expect((await files.put('busy.mp4', 'no film at all')).status).toBe(204);
  expect((await own.job(jobId)).status).toBe('PROCESSING');
  const job = await own.wait(jobId);
  expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ durationSeconds: expect.closeTo(30.02, 1) }] });
});
