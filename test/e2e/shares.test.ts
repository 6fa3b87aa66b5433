import { expect } from 'vitest';
import type { CreatedShareView, ShareView } from '../../packages/contract/src/wire/share.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { codeOf, filesClient } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { readZip } from '../support/read-zip.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
/** The client of MCP closes with its test, which a concurrent one cannot tell. */
const alone = needs('ffmpeg');

/** A client with a film in its media root, and a stranger without a token. */
async function newClient(name: string) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `clients/${name}` });
  const media = server.media.below(`clients/${name}`);
  await media.fill((folder) => putSmallMovie(folder, 2, 'films/in.mp4'));
  const client = await login(server.url, credentials);
  return {
    server,
    client,
    clientId: credentials.clientId,
    media,
    files: filesClient(server.url, client.token),
    by: filesClient(server.url, undefined),
  };
}

async function share(client: ApiClient, body: object): Promise<CreatedShareView> {
  const reply = await client.request<CreatedShareView>('/api/shares', { method: 'POST', body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const listed = async (client: ApiClient, query = ''): Promise<readonly ShareView[]> =>
  (await client.request<{ readonly shares: readonly ShareView[] }>(`/api/shares${query}`)).body.shares;

const revoke = async (client: ApiClient, { shareId }: Pick<ShareView, 'shareId'>): Promise<number> =>
  (await client.request(`/api/shares/${shareId}`, { method: 'DELETE' })).status;

test('a file is shared by a link that anyone can open, until it is revoked', async ({ expect }) => {
  const { server, client, clientId, media, by } = await newClient('sharer');
  const content = await media.get('films/in.mp4');
  const made = await share(client, { path: 'films/in.mp4', seconds: 3600, note: 'for Ada' });
  expect(made).toMatchObject({ client: clientId, path: 'films/in.mp4', note: 'for Ada', state: 'ACTIVE', uses: 0 });
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(3_600_000);

  // For a program, the link is the file.
  const all = await by.send('GET', made.url);
  expect(all).toMatchObject({
    status: 200,
    headers: {
      'content-disposition': 'attachment; filename=in.mp4',
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
    },
  });
  expect(all.bytes.equals(content)).toBe(true);
  const part = await by.send('GET', `${made.url}/files/in.mp4`, { range: 'bytes=4-9' });
  expect([part.status, part.bytes.equals(content.subarray(4, 10))]).toEqual([206, true]);
  expect((await by.send('HEAD', made.url)).headers['content-length']).toBe(String(content.length));

  // For a browser, it is a page, which names neither the client nor the folder.
  const page = await by.send('GET', made.url, { accept: 'text/html,*/*;q=0.8' });
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'private, no-store',
  });
  expect(page.bytes.toString()).toContain('<h1>in.mp4</h1>');
  expect(page.bytes.toString()).not.toMatch(/films|sharer|Ada/);

  // Only whole downloads count, and the list says so.
  const counted = await waitUntil('the uses to be stored', async () => {
    const [found] = await listed(client);
    return found !== undefined && found.uses > 0 ? found : undefined;
  });
  expect(counted).toMatchObject({ shareId: made.shareId, uses: 1, lastUsedAt: expect.any(String) });
  expect(JSON.stringify(counted)).not.toContain('tcl_');

  expect(await revoke(client, made)).toBe(204);
  const gone = await by.send('GET', made.url);
  expect([gone.status, codeOf(gone)]).toEqual([410, 'LINK_REVOKED']);
  expect((await by.send('GET', `${made.url}/files/in.mp4`)).status).toBe(410);
  const ended = await fetch(server.url + made.url, { headers: { accept: 'text/html' } });
  expect([ended.status, await ended.text()]).toEqual([410, expect.stringContaining('The link was revoked.')]);
  expect(await listed(client)).toEqual([]);
  // It is still listed, and a second revocation does not change it.
  const trace = await listed(client, '?ended=true&path=films/in.mp4');
  expect(trace).toEqual([
    {
      ...counted,
      state: 'REVOKED',
      revokedBy: clientId,
      revokedAt: trace[0]?.expiresAt,
      expiresAt: expect.any(String),
    },
  ]);
  expect(await revoke(client, made)).toBe(204);
  expect(await listed(client, '?ended=true')).toEqual(trace);
  expect(await listed(client, '?ended=true&path=films/other.mp4')).toEqual([]);
  await waitUntil('a line of the log', async () => (server.log().includes('/s/(hidden)') ? true : undefined));
  expect(server.log()).not.toContain(made.url.slice('/s/'.length));
});

test('a link is never wider than its file', async ({ expect }) => {
  const { client, by, files } = await newClient('narrow');
  await files.put('films/other.mp4', 'another film');
  const { url } = await share(client, { path: 'films/in.mp4' });
  const token = url.slice('/s/'.length);
  for (const path of [
    `${url}/files/other.mp4`,
    `${url}/files/films/in.mp4`,
    `${url}/files/..%2Fother.mp4`,
    `${url}/files/`,
  ])
    expect((await by.send('GET', path)).status, path).toBe(404);
  for (const path of ['/api/files', '/api/files/films/in.mp4', '/api/shares', '/api/conversion']) {
    expect((await by.send('GET', path)).status, path).toBe(401);
    expect((await by.send('GET', path, { authorization: `Bearer ${token}` })).status, path).toBe(401);
  }
  expect((await by.send('GET', `/s/tcl_${'A'.repeat(43)}`)).status).toBe(410);
  // Another file at the same path is not shared.
  await files.put('films/in.mp4', 'a secret');
  for (const path of [url, `${url}/files/in.mp4`]) {
    const reply = await by.send('GET', path);
    expect([reply.status, codeOf(reply)]).toEqual([410, 'OUTPUT_GONE']);
  }
});

test('the outputs of a job are one zip, also by a link, and nothing else is in it', { tags: 'long' }, async ({
  expect,
}) => {
  const { client, media, files, by } = await newClient('zipper');
  const parameters = { c: 'copy', hls_time: '2', hls_segment_filename: 'part_%03d.ts' };
  const job = await client.run({ input: 'films/in.mp4', output: 'out/hls/index.m3u8', parameters });
  const paths = job.outputs?.map(({ path }) => path) ?? [];
  expect(paths.length).toBeGreaterThan(1);
  await files.put('out/hls/notes.txt', 'mine');
  const zip = await files.send('GET', `/api/conversion/${job.jobId}/outputs.zip`);
  expect(zip).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=index.zip' },
  });
  expect(Number(zip.headers['content-length'])).toBe(zip.bytes.length);
  const entries = readZip(zip.bytes);
  expect(entries.map(({ name }) => `out/hls/${name}`)).toEqual(paths);
  for (const { name, content } of entries) expect(content.equals(await media.get(`out/hls/${name}`)), name).toBe(true);

  const made = await share(client, { jobId: job.jobId });
  expect(made).toMatchObject({ jobId: job.jobId });
  for (const path of [made.url, `${made.url}/files.zip`])
    expect(readZip((await by.send('GET', path)).bytes)).toEqual(entries);
  const [, segment = ''] = entries.map(({ name }) => name);
  expect((await by.send('GET', `${made.url}/files/${segment}`)).status).toBe(200);
  for (const name of ['notes.txt', 'out%2Fhls%2Findex.m3u8', 'a%00b.ts', '..%2Fhls%2Findex.m3u8'])
    expect((await by.send('GET', `${made.url}/files/${name}`)).status, name).toBe(404);
  const page = (await by.send('GET', made.url, { accept: 'text/html' })).bytes.toString();
  expect(page).toContain(`${paths.length} files, `);
  expect(page).not.toContain('out/hls');
  // The names in the manifest are relative to it, so that it plays.
  expect((await by.send('GET', `${made.url}/files/index.m3u8`)).bytes.toString()).toContain(segment);
  expect((await by.send('GET', `/api/conversion/${job.jobId}/outputs.zip`)).status).toBe(401);

  await client.request(`/api/conversion/${job.jobId}`, { method: 'DELETE' });
  expect(codeOf(await by.send('GET', made.url))).toBe('OUTPUT_GONE');
});

test('a failed job has no zip and no link, and neither has a job of another client', async ({ expect }) => {
  const { client, files } = await newClient('failing');
  const failed = await client.run({ input: 'films/none.mp4', output: 'none.mp4' });
  expect(failed.status).toBe('FAILED');
  expect(codeOf(await files.send('GET', `/api/conversion/${failed.jobId}/outputs.zip`))).toBe('FILE_NOT_FOUND');
  const { client: other } = await newClient('stranger');
  for (const body of [{ jobId: failed.jobId }, { path: 'none.mp4' }, {}, { path: 'a', jobId: failed.jobId }]) {
    const reply = await client.request('/api/shares', { method: 'POST', body });
    expect(reply.status, JSON.stringify(reply.body)).toBeGreaterThanOrEqual(400);
  }
  const reply = await other.request('/api/shares', { method: 'POST', body: { jobId: failed.jobId } });
  expect(reply).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
});

test('lifetimes and numbers of links are limited, and an operator sees and revokes all', { tags: 'long' }, async ({
  expect,
}) => {
  const { admin } = await start();
  const { client, clientId, by } = await newClient('limited');
  for (const seconds of [59, 30 * 86_400 + 1, 1.5])
    expect(
      (await client.request('/api/shares', { method: 'POST', body: { path: 'films/in.mp4', seconds } })).status,
    ).toBe(400);
  const made = await Promise.all(
    Array.from({ length: COMMON.sharesPerClient }, () => share(client, { path: 'films/in.mp4' })),
  );
  const more = await client.request('/api/shares', { method: 'POST', body: { path: 'films/in.mp4' } });
  expect(more).toMatchObject({ status: 409, body: { code: 'TOO_MANY_SHARES' } });
  const first = await client.request<{ shares: ShareView[]; nextCursor: string }>('/api/shares?limit=4');
  const rest = await listed(client, `?limit=4&cursor=${first.body.nextCursor}`);
  expect([...first.body.shares, ...rest].map(({ shareId }) => shareId)).toEqual(
    made
      .map(({ shareId }) => shareId)
      .toSorted()
      .toReversed(),
  );
  const { client: other } = await newClient('onlooker');
  expect((await other.request(`/api/shares?client=${clientId}`)).status).toBe(403);
  const [one] = made;
  if (one === undefined) throw new Error('Nothing was shared.');
  expect(await revoke(other, one)).toBe(404);
  expect(await listed(admin, `?client=${clientId}`)).toHaveLength(COMMON.sharesPerClient);
  expect(await revoke(admin, one)).toBe(204);
  expect((await by.send('GET', one.url)).status).toBe(410);
  const audit = await admin.request<{ records: { action: string; clientId?: string; target?: string }[] }>(
    `/api/audit?client=${clientId}&action=share.create`,
  );
  expect(audit.body.records).toHaveLength(COMMON.sharesPerClient);
  expect(audit.body.records[0]).toMatchObject({ target: 'films/in.mp4' });
  expect(JSON.stringify(audit.body)).not.toContain('tcl_');
  const revoked = await admin.request<{ records: { target?: string }[] }>('/api/audit?action=share.revoke');
  expect(revoked.body.records.map(({ target }) => target)).toContain(one.shareId);
});

alone(
  'a model shares what its user asks for, lists its links without their URLs, and revokes them',
  async ({ expect }) => {
    const { admin } = await start();
    const { server, client, clientId, by } = await newClient('model-sharer');
    const model = await mcpClient(server.url, client.token);
    type Made = { readonly shareId: string; readonly url: string; readonly expiresAt: string };
    const made = await callTool<Made>(model, 'file_links', {
      ...{ action: 'share', path: 'films/in.mp4', seconds: 3600, note: 'for Ada' },
    });
    expect(made.url.startsWith(`${server.url}/s/tcl_`)).toBe(true);
    expect((await by.send('GET', new URL(made.url).pathname)).status).toBe(200);
    const { shares } = await callTool<{ shares: readonly object[] }>(model, 'file_links', { action: 'list' });
    expect(shares).toMatchObject([{ shareId: made.shareId, path: 'films/in.mp4', note: 'for Ada' }]);
    expect(JSON.stringify(shares)).not.toContain('tcl_');
    const rejected = (args: Record<string, unknown>) => callRejectedTool(model, 'file_links', args);
    expect(await rejected({ action: 'share' })).toMatchObject({
      field: '/path',
      message: 'The request names nothing to share: a file as "path", or a job as "jobId".',
    });
    expect(await rejected({ action: 'revoke' })).toMatchObject({ field: '/shareId' });
    expect(await rejected({ action: 'revoke', shareId: made.shareId, path: 'films/in.mp4' })).toMatchObject({
      field: '/path',
    });
    expect(await rejected({ action: 'share', path: 'films/in.mp4', shareId: made.shareId })).toMatchObject({
      field: '/shareId',
    });
    expect(await rejected({ action: 'share', path: 'films/none.mp4' })).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await callTool(model, 'file_links', { action: 'revoke', shareId: made.shareId })).toMatchObject({
      shareId: made.shareId,
    });
    expect((await by.send('GET', new URL(made.url).pathname)).status).toBe(410);
    expect(await callTool(model, 'file_links', { action: 'revoke', shareId: made.shareId }), 'again').toMatchObject({
      shareId: made.shareId,
    });
    expect(await callTool(model, 'file_links', { action: 'list' })).toMatchObject({ shares: [] });
    const unknown = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15';
    expect(await rejected({ action: 'revoke', shareId: unknown })).toMatchObject({ code: 'SHARE_NOT_FOUND' });

    // The audit log has both, without the secret.
    const audit = await admin.request<{ records: { action: string; target?: string }[] }>(
      `/api/audit?client=${clientId}`,
    );
    expect(audit.body.records.map(({ action, target }) => [action, target])).toEqual(
      expect.arrayContaining([
        ['share.create', 'films/in.mp4'],
        ['share.revoke', made.shareId],
      ]),
    );
    expect(JSON.stringify(audit.body)).not.toContain('tcl_');

    // A client that only reads may list its links, as by REST.
    const reader = await insertClient(server, 'model-reader', { root: 'clients/model-sharer', scopes: ['files:read'] });
    const reading = await mcpClient(server.url, (await login(server.url, reader)).token);
    expect(await callTool(reading, 'file_links', { action: 'list' })).toMatchObject({ shares: [] });
    expect(await callRejectedTool(reading, 'file_links', { action: 'share', path: 'films/in.mp4' })).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
  },
);

test('a client that is revoked shares nothing any more', async ({ expect }) => {
  const { admin } = await start();
  const { client, clientId, by } = await newClient('leaving');
  const { url } = await share(client, { path: 'films/in.mp4' });
  expect((await by.send('GET', url)).status).toBe(200);
  expect((await admin.request(`/api/clients/${clientId}`, { method: 'DELETE' })).status).toBe(200);
  const reply = await by.send('GET', url);
  expect([reply.status, codeOf(reply)]).toEqual([403, 'INVALID_LINK']);
});
