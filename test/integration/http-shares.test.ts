import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { Share } from '../../packages/contract/src/domain/share.ts';
import type { NamedFile } from '../../packages/service/src/files/named-files.ts';
import type { OpenFile } from '../../packages/service/src/files/ports.ts';
import type { SharedFiles } from '../../packages/service/src/files/shares.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeShares } from '../support/http-fakes.ts';
import { mediaRoot } from '../support/media-root.ts';

const SECRET = `tcl_${'x'.repeat(43)}`;
const SHARE: Share = {
  shareId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15',
  clientId: 'alice',
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2100-02-07T12:00:00.000Z',
  uses: 0,
};

/** A link to two files of which none can be opened. */
const linkThat = (problem: Problem) => linkTo(() => Promise.reject(problem));

/** A link to two files. `uses`: the downloads that counted. `find`: what the link is now. */
function linkTo(open: NamedFile['open'], find = async () => SHARE) {
  const uses: string[] = [];
  const file: NamedFile = { name: 'a.ts', sizeBytes: 10, open };
  const files: SharedFiles = {
    ...{ title: 'film', count: 2, sizeBytes: 20 },
    first: async () => [file, { ...file, name: 'b.ts' }],
    named: async () => file,
    all: async () => ({ title: 'film', files: [file, { ...file, name: 'b.ts' }] }),
  };
  const { app, inject } = httpApp({
    shares: fakeShares({
      find,
      readerOf: async (clientId) => ({ clientId, scopes: ['files:read'], root: mediaRoot('/media'), policy: {} }),
      open: async () => files,
      uses: { add: (id) => uses.push(id) },
    }),
  });
  const requestOf = (path: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    ({ method, url: `/s/${SECRET}${path}`, headers }) as const;
  return {
    uses,
    get: (path: string, headers?: Readonly<Record<string, string>>) => inject(requestOf(path, headers)),
    head: (path: string) => inject(requestOf(path, {}, 'HEAD')),
    /** Errors are pages only for browsers, and not in the document of the API, so these replies are not compared with it. */
    browse: (path: string) => app.inject(requestOf(path, { accept: 'text/html,*/*;q=0.8' })),
  };
}

const BUSY = new Problem('RATE_LIMITED', '2 downloads of zips of this address are running.', { retryAfterSeconds: 2 });
const GONE = new Problem('OUTPUT_GONE', 'The shared file was deleted or replaced. Ask for a new link.');

test.each(['/files.zip', '/files/a.ts'])('a person who meets a limit at %s reads when to try again', async (path) => {
  const { get, browse, uses } = linkThat(BUSY);
  const page = await browse(path);
  expect(page.statusCode).toBe(429);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'retry-after': '2' });
  expect(page.body).toContain('The link still works: try again in 2 seconds.');
  expect(page.body).not.toContain('opens nothing');
  const program = await get(path);
  expect([program.statusCode, program.json()]).toEqual([429, expect.objectContaining({ code: 'RATE_LIMITED' })]);
  expect(uses).toEqual([]);
});

test('a zip whose first file is gone is an error, and has no header field of a zip', async () => {
  const { get, browse, uses } = linkThat(GONE);
  const reply = await get('/files.zip');
  expect([reply.statusCode, reply.json()]).toEqual([410, expect.objectContaining({ code: 'OUTPUT_GONE' })]);
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(reply.headers).not.toHaveProperty('content-disposition');
  expect((await browse('/files.zip')).body).toContain('This link opens nothing');
  expect(uses).toEqual([]);
});

test('the page of many files opens none of them, and a page of an error is not the reply for a player', async () => {
  const { get, browse } = linkThat(GONE);
  const page = await browse('');
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('2 files, 20 B');
  expect((await get('/files/a.ts', { accept: 'video/*' })).headers['content-type']).toMatch(/problem\+json/);
});

/** A file of ten bytes. */
const open = async (): Promise<OpenFile> => ({
  ...{ path: 'a.ts' as MediaPath, sizeBytes: 10, modifiedAt: new Date('2026-01-31T12:00:00.000Z'), fingerprint: 'f' },
  isOutput: () => true,
  read: (first, last) => Readable.from([Buffer.alloc(last - first + 1)]),
  close: async () => {},
});

test('a download counts once: a whole file, its first part, or a zip', async () => {
  const { get, uses } = linkTo(open);
  expect((await get('/files/a.ts')).rawPayload).toHaveLength(10);
  expect((await get('/files/a.ts', { range: 'bytes=0-3' })).statusCode).toBe(206);
  expect((await get('/files/a.ts', { range: 'bytes=4-9' })).statusCode).toBe(206);
  expect(uses).toHaveLength(2);
  expect((await get('/files.zip')).statusCode).toBe(200);
  expect(uses).toEqual(Array.from({ length: 3 }, () => SHARE.shareId));
});

test('a zip is cut off before its second file if its link is revoked when the first one is open', async () => {
  let opened = 0;
  const countOpen = (): Promise<OpenFile> => {
    opened += 1;
    return open();
  };
  const find = async (): Promise<Share> => {
    if (opened > 0) throw new Problem('LINK_REVOKED', 'The link was revoked. Ask for a new one.');
    return SHARE;
  };
  await expect(linkTo(countOpen, find).get('/files.zip')).rejects.toThrow();
  expect(opened).toBe(1);
});

test('what sends no file does not count as a download, and neither does the player of the page', async () => {
  const { get, head, browse, uses } = linkTo(open);
  const { headers } = await head('/files/a.ts');
  expect((await get('/files/a.ts', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
  expect((await get('/files/a.ts', { 'if-match': '"other"' })).statusCode).toBe(412);
  expect((await get('/files/a.ts', { range: 'bytes=10-' })).statusCode).toBe(416);
  expect((await browse('')).statusCode).toBe(200);
  expect((await get('/files/a.ts?page=true', { range: 'bytes=0-' })).statusCode).toBe(206);
  expect((await get('/files/a.ts?page=true')).statusCode).toBe(200);
  expect(uses).toEqual([]);
  // Programs that follow links add parameters of their own.
  expect((await get('/files/a.ts?from=mail')).statusCode).toBe(200);
  expect(uses).toHaveLength(1);
});

test.each([
  ['the second of two ranges, which is not the first byte', { range: 'bytes=5-6,7-' }],
  ['a range of another unit', { range: 'items=0-' }],
  ['a part of an earlier version of the file', { range: 'bytes=4-', 'if-range': '"other"' }],
])('a whole file that is sent for %s counts as a download', async (_, headers) => {
  const { get, uses } = linkTo(open);
  const reply = await get('/files/a.ts', headers);
  expect([reply.statusCode, reply.rawPayload.length, uses.length]).toEqual([200, 10, 1]);
});

test('a whole zip that is sent for a range counts as a download, and its HEAD does not', async () => {
  const { get, head, uses } = linkTo(open);
  expect((await head('/files.zip')).statusCode).toBe(200);
  expect(uses).toEqual([]);
  expect((await get('/files.zip', { range: 'bytes=5-' })).statusCode).toBe(200);
  expect(uses).toHaveLength(1);
});

test('a video that is saved from the player of the page counts, and one that is played there does not', async () => {
  const { get, uses } = linkTo(open);
  const read = (destination: string) => get('/files/a.ts?page=true', { 'sec-fetch-dest': destination });
  for (const shown of ['video', 'audio', 'image']) expect((await read(shown)).statusCode).toBe(200);
  expect(uses).toEqual([]);
  for (const saved of ['empty', 'document']) expect((await read(saved)).statusCode).toBe(200);
  expect(uses).toHaveLength(2);
});

test('a link works with parameters that tools add to it, and with those that the page of a newer version adds', async () => {
  const { get, browse, uses } = linkTo(open);
  const added = '?utm_source=mail&fbclid=a%20b&fbclid=c&page=2&later=true&x=%00';
  for (const path of ['', '/files.zip', '/files/a.ts'])
    expect((await get(`${path}${added}`)).statusCode, path).toBe(200);
  expect(uses).toHaveLength(3);
  expect((await browse(added)).statusCode).toBe(200);
  // What is known still has its meaning.
  expect((await get('/files/a.ts?utm_source=mail&page=true')).statusCode).toBe(200);
  expect(uses).toHaveLength(3);
});

test('the list says which links work, and those that have ended are listed if they are asked for', async () => {
  const asked: unknown[] = [];
  const expiresAt = '2026-01-31T13:00:00.000Z';
  // The stored end is at least a minute before the revocation.
  const revoked = { revokedAt: '2026-01-31T13:01:00.000Z', expiresAt, revokedBy: 'root' };
  const late = { revokedAt: expiresAt, expiresAt: '2026-01-31T12:59:30.000Z' };
  const shares = [SHARE, { ...SHARE, ...revoked }, { ...SHARE, expiresAt }, { ...SHARE, ...late }];
  const { inject } = httpApp({
    shares: fakeShares({
      list: async (_caller, query) => {
        asked.push(query);
        return shares;
      },
    }),
  });
  const list = (query: string) => inject({ method: 'GET', url: `/api/shares${query}`, headers: BEARER });
  const reply = await list(`?jobId=${SHARE.jobId}&ended=true&limit=5`);
  expect(reply.json().shares).toMatchObject([
    { state: 'ACTIVE', client: 'alice' },
    { state: 'REVOKED', revokedBy: 'root', revokedAt: revoked.revokedAt, expiresAt: revoked.revokedAt },
    { state: 'EXPIRED', expiresAt },
    { state: 'EXPIRED', expiresAt },
  ]);
  expect(reply.json().shares[3], 'revoked after its end').toEqual(reply.json().shares[2]);
  expect((await list('?path=a%20b.mp4')).statusCode).toBe(200);
  expect(asked).toEqual([
    { jobId: SHARE.jobId, hasEnded: true, limit: 6 },
    { path: 'a b.mp4', hasEnded: false, limit: 51 },
  ]);
  for (const query of ['?ended=yes', '?jobId=a', `?path=${'a'.repeat(4097)}`, '?path=a%00b'])
    expect((await list(query)).statusCode, query).toBe(400);
});

test('the audit log says who has revoked a link, and nothing of a client that revokes it again', async () => {
  let wasRevoked = false;
  const stored: unknown[] = [];
  const { inject, audited } = httpApp({
    shares: fakeShares({
      revoke: async (_caller, _shareId, recordOf) => {
        if (!wasRevoked) stored.push(recordOf(SHARE));
      },
    }),
  });
  const revoke = () => inject({ method: 'DELETE', url: `/api/shares/${SHARE.shareId}`, headers: BEARER });
  for (wasRevoked of [false, true]) expect((await revoke()).statusCode).toBe(204);
  const { shareId: target, jobId } = SHARE;
  expect(stored).toMatchObject([
    {
      ...{ action: 'share.revoke', outcome: 'done', via: 'rest', clientId: 'alice', target, details: { jobId } },
      ...{ requestId: expect.any(String), auditId: expect.any(String), at: expect.any(String) },
    },
  ]);
  expect(audited, 'stored with the revocation, and not once more').toEqual([]);
});
