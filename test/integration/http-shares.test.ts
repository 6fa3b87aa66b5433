import { expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { Share } from '../../packages/contract/src/domain/share.ts';
import type { NamedFile } from '../../packages/service/src/files/named-files.ts';
import type { SharedFiles } from '../../packages/service/src/files/shares.ts';
import { httpApp } from '../support/http-app.ts';
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

/** A link to two files of which none can be opened. `uses`: the downloads that counted. */
function linkThat(problem: Problem) {
  const uses: string[] = [];
  const gone: NamedFile = { name: 'a.ts', sizeBytes: 10, open: () => Promise.reject(problem) };
  const files: SharedFiles = {
    ...{ title: 'film', count: 2, sizeBytes: 20 },
    first: async () => [gone, { ...gone, name: 'b.ts' }],
    named: async () => gone,
    all: async () => ({ title: 'film', files: [gone] }),
  };
  const { app, inject } = httpApp({
    shares: fakeShares({
      find: async () => SHARE,
      readerOf: async (clientId) => ({ clientId, scopes: ['files:read'], root: mediaRoot('/media'), policy: {} }),
      open: async () => files,
      uses: { add: (id) => uses.push(id) },
    }),
  });
  const requestOf = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ({ method: 'GET', url: `/s/${SECRET}${path}`, headers }) as const;
  return {
    uses,
    get: (path: string, headers?: Readonly<Record<string, string>>) => inject(requestOf(path, headers)),
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
