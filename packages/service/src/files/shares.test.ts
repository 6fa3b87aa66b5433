import type { AuditRecord } from '@telecine/contract/domain/audit.ts';
import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { OutputsToOpen } from './job-outputs.ts';
import type { FileStore, OpenFile, ShareStore } from './ports.ts';
import { type ShareDeps, shareOperations } from './shares.ts';

const caller = (clientId: string, scopes: readonly Scope[] = ['files:read']): Caller => ({
  clientId,
  scopes,
  root: mediaRoot('/media'),
  policy: {},
});
const AMY = caller('amy');

const NO_JOBS: ShareDeps['outputs'] = async () => {
  throw new Problem('JOB_NOT_FOUND', 'There is no such job.');
};

/** Creates shares in memory, over a disk with one file. `content`: the fingerprint of this file. undefined: the file is gone. */
function harness({ outputs = NO_JOBS }: { outputs?: ShareDeps['outputs'] } = {}) {
  const stored = new Map<string, Share>();
  const asked: unknown[] = [];
  const audited: AuditRecord[] = [];
  const disk: { content: string | undefined; open: number; failure?: Problem } = { content: 'first', open: 0 };
  let now = Date.parse('2026-01-31T12:00:00.000Z');
  let secrets = 0;
  const shares: ShareStore = {
    add: async (share, hash, limit) => {
      if ((await shares.count(share.clientId)) >= limit) return false;
      stored.set(hash, share);
      return true;
    },
    count: async (clientId) => [...stored.values()].filter((one) => one.clientId === clientId).length,
    find: async (hash) => stored.get(hash),
    list: async ({ clientId, ...query }) => {
      asked.push(query);
      return [...stored.values()].filter((one) => (clientId ?? one.clientId) === one.clientId);
    },
    revoke: async (shareId, revokedBy, clientId, recordOf) => {
      const [hash, share] =
        [...stored].find(([, one]) => one.shareId === shareId && (clientId ?? one.clientId) === one.clientId) ?? [];
      if (hash === undefined || share === undefined) return undefined;
      const revokedAt = new Date(now).toISOString();
      if (share.revokedAt !== undefined) return share;
      const revoked = { ...share, revokedAt, revokedBy, expiresAt: new Date(now - 60_000).toISOString() };
      stored.set(hash, revoked);
      audited.push(recordOf(revoked));
      return revoked;
    },
    addUses: async () => {},
    removeEnded: async () => 0,
  };
  const open = async (_root: unknown, path: MediaPath): Promise<OpenFile> => {
    const { content, failure } = disk;
    if (failure !== undefined) throw failure;
    if (path !== 'films/out.mp4' || content === undefined) throw new Problem('FILE_NOT_FOUND', 'It is not there.');
    disk.open += 1;
    const close = async (): Promise<void> => {
      disk.open -= 1;
    };
    return { path, sizeBytes: 7, fingerprint: content, close } as unknown as OpenFile;
  };
  const operations = shareOperations({
    shares,
    store: { open } as unknown as FileStore,
    outputs,
    newSecret: () => `tcl_${String(secrets++).padStart(43, 'x')}`,
    hash: (secret) => `hash of ${secret}`,
    now: () => new Date(now),
  });
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { operations, disk, stored, asked, audited, pass };
}

const FILE = { path: 'films/out.mp4', seconds: 3600 };

test('a link opens its file and says nothing of the folder, until its time is over', async () => {
  const { operations, disk, stored, pass } = harness();
  const { share, secret } = await operations.create(AMY, { ...FILE, note: 'for Ada' });
  expect(share).toMatchObject({ clientId: 'amy', note: 'for Ada', expiresAt: '2026-01-31T13:00:00.000Z', uses: 0 });
  expect(JSON.stringify([...stored])).not.toContain(`"${secret}`);
  const found = await operations.find(secret);
  const opened = await operations.open(AMY, found);
  const files = [{ name: 'out.mp4', sizeBytes: 7 }];
  expect(opened).toMatchObject({ title: 'out', count: 1, sizeBytes: 7 });
  expect(await opened.first(200)).toMatchObject(files);
  expect(await opened.all()).toMatchObject({ title: 'out', files });
  await expect(opened.named('films/out.mp4')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(disk.open).toBe(0);
  pass(3600);
  await expect(operations.find(secret)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
});

test('a link never opens another file at the same path', async () => {
  const { operations, disk } = harness();
  const { secret } = await operations.create(AMY, FILE);
  const share = await operations.find(secret);
  const opened = await operations.open(AMY, share);
  const file = await opened.named('out.mp4');
  for (const content of ['second', undefined]) {
    disk.content = content;
    await expect(file.open()).rejects.toMatchObject({ code: 'OUTPUT_GONE' });
  }
  expect(disk.open).toBe(0);
});

test.each([
  ['STORAGE_FAULT', 'STORAGE_FAULT'],
  ['UNAVAILABLE', 'UNAVAILABLE'],
  // Such as a symlink that leads out of the media root now.
  ['INVALID_REQUEST', 'OUTPUT_GONE'],
  ['NOT_A_FILE', 'OUTPUT_GONE'],
] as const)('a stranger reads no path in the problem %s, but the log has it', async (code, expected) => {
  const { operations, disk } = harness();
  const { secret } = await operations.create(AMY, FILE);
  const opened = await operations.open(AMY, await operations.find(secret));
  const file = await opened.named('out.mp4');
  const text = 'The folder of "films/out.mp4" cannot be read.';
  const cause = new Problem(code, text, { fix: text, retryAfterSeconds: 2 });
  disk.failure = cause;
  const problem: unknown = await file.open().catch((error: unknown) => error);
  expect(problem).toMatchObject({ code: expected, cause });
  const { message, fix, errors } = problem as Problem;
  expect(JSON.stringify([message, fix, errors])).not.toContain('films');
});

test('a revoked link opens nothing and says so, and only its client or an administrator revokes it', async () => {
  const { operations, audited, pass } = harness();
  const { share, secret } = await operations.create(AMY, FILE);
  const notFound = { code: 'SHARE_NOT_FOUND' };
  const record = { action: 'share.revoke', outcome: 'done', auditId: 'a', at: '2026-01-31T12:00:00.000Z' } as const;
  await expect(operations.revoke(caller('bob'), share.shareId, () => record)).rejects.toMatchObject(notFound);
  const listed = () => operations.list(AMY, { hasEnded: true, limit: 9 });
  const revoked = { revokedBy: 'root', revokedAt: '2026-01-31T12:00:00.000Z' };
  await operations.revoke(caller('root', ['admin']), share.shareId, () => record);
  expect(await listed()).toMatchObject([revoked]);
  await expect(operations.find(secret)).rejects.toMatchObject({
    code: 'LINK_REVOKED',
    message: 'The link was revoked. Ask for a new one.',
  });
  // Two people may press "Revoke" at the same time. The first one has done it.
  pass(60);
  await operations.revoke(AMY, share.shareId, () => record);
  expect(await listed()).toMatchObject([revoked]);
  expect(audited).toEqual([record]);
  await expect(operations.revoke(AMY, 'other', () => record)).rejects.toMatchObject(notFound);
});

test('a link whose record was removed has ended', async () => {
  const { operations } = harness();
  await expect(operations.find(`tcl_${'x'.repeat(43)}`)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
});

test.each(['', 'x', 'tcl_', `tcs_${'x'.repeat(43)}`, `tcl_${'x'.repeat(43)}/..`])('%j is no link', async (text) => {
  await expect(harness().operations.find(text)).rejects.toMatchObject({ code: 'INVALID_LINK' });
});

test('a client lists its own links, and an administrator those of all clients', async () => {
  const { operations } = harness();
  await operations.create(AMY, FILE);
  await operations.create(caller('bob'), FILE);
  const clients = async (who: Caller, client?: string) =>
    (await operations.list(who, { limit: 10, ...(client !== undefined && { client }) })).map((one) => one.clientId);
  expect(await clients(AMY)).toEqual(['amy']);
  expect(await clients(caller('root', ['admin']))).toEqual(['amy', 'bob']);
  expect(await clients(caller('root', ['admin']), 'bob')).toEqual(['bob']);
  await expect(clients(AMY, 'bob')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('the links of a file are those of the caller, also for an administrator', async () => {
  const { operations, asked } = harness();
  await operations.create(AMY, FILE);
  await operations.create(caller('bob'), FILE);
  const root = caller('root', ['admin']);
  const list = async (who: Caller, client?: string) =>
    (await operations.list(who, { path: './films//out.mp4', limit: 10, ...(client && { client }) })).map(
      (one) => one.clientId,
    );
  expect(await list(AMY)).toEqual(['amy']);
  expect(await list(root)).toEqual([]);
  expect(await list(root, 'bob')).toEqual(['bob']);
  const paths = ['films/out.mp4'];
  expect(asked).toEqual(
    ['amy', 'root', 'bob'].map((clientId) => ({ hasEnded: false, limit: 10, of: { files: { clientId, paths } } })),
  );
  await expect(operations.list(AMY, { path: '../etc/passwd', limit: 10 })).rejects.toMatchObject({
    errors: [{ field: '/path' }],
  });
  await expect(operations.list(AMY, { path: 'a', jobId: 'b', limit: 10 })).rejects.toMatchObject({
    errors: [{ field: '/jobId', code: 'CONFLICT' }],
  });
});

test('the links of a job are also those to its outputs, and those of a deleted job are found by its id', async () => {
  const named = (name: string) => ({ name, sizeBytes: 2, open: async () => ({}) as OpenFile });
  const first = async (folder: string, most: number) =>
    ['hls/a.m3u8', 'hls/a0.ts'].slice(0, most).map((path) => named(path.slice(folder.length)));
  const { operations, asked } = harness({
    outputs: async (who, jobId) =>
      jobId === 'job'
        ? ({ clientId: 'bob', count: 2, first } as Partial<OutputsToOpen> as OutputsToOpen)
        : NO_JOBS(who, jobId),
  });
  await operations.list(caller('root', ['admin']), { jobId: 'job', hasEnded: true, limit: 5 });
  await operations.list(AMY, { jobId: 'deleted', limit: 5 });
  expect(asked).toEqual([
    {
      ...{ hasEnded: true, limit: 5 },
      of: { jobId: 'job', files: { clientId: 'bob', paths: ['hls/a.m3u8', 'hls/a0.ts'] } },
    },
    { hasEnded: false, limit: 5, of: { jobId: 'deleted' } },
  ]);
});

test('a link to a job with one output is a link to this file too, unless an administrator shares a job of another client', async () => {
  const { operations } = harness({
    outputs: async () =>
      ({
        ...{ clientId: 'amy', title: 'film', count: 1 },
        all: async () => ({
          ...{ title: 'film', folder: 'films/' },
          files: [{ name: 'film.mp4', sizeBytes: 2, open: async () => ({}) as OpenFile }],
        }),
      }) as Partial<OutputsToOpen> as OutputsToOpen,
  });
  const sent = { jobId: 'job', seconds: 3600 };
  expect((await operations.create(AMY, sent)).share).toMatchObject({ jobId: 'job', path: 'films/film.mp4' });
  expect((await operations.create(caller('root', ['admin']), sent)).share).not.toHaveProperty('path');
});

test('what cannot be read is not shared, and the request says what is missing', async () => {
  const { operations } = harness();
  const code = async (sent: object) =>
    operations.create(AMY, { seconds: 60, ...sent }).then(
      () => 'shared',
      (error: Problem) => [error.code, ...error.errors.map(({ field, code: of }) => `${field} ${of}`)].join(' '),
    );
  expect(await code({})).toBe('INVALID_REQUEST /path MISSING');
  expect(await code({ path: 'a', jobId: 'b' })).toBe('INVALID_REQUEST /jobId CONFLICT');
  expect(await code({ path: 'other.mp4' })).toBe('FILE_NOT_FOUND');
  expect(await code({ path: '../etc/passwd' })).toMatch(/^INVALID_REQUEST \/path/);
  expect(await code({ jobId: 'b' })).toBe('JOB_NOT_FOUND');
});

test('a client has at most so many links as the operator allows, or none', async () => {
  const { operations } = harness();
  const create = (shares: number) => operations.create({ ...AMY, policy: { shares } }, FILE);
  await create(1);
  await expect(create(1)).rejects.toMatchObject({ code: 'TOO_MANY_SHARES' });
  await expect(create(0)).rejects.toThrow(
    'You may not share files. An operator can change this: telecine client set amy',
  );
  await create(2);
});

test('the outputs of jobs are read for one new link of a client at a time, and for none above its limit', async () => {
  const reads: string[] = [];
  const ends: (() => void)[] = [];
  const all = async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return { title: 'film', folder: 'hls/', files: [] };
  };
  const { operations } = harness({
    outputs: async ({ clientId }) => {
      reads.push(clientId);
      return { clientId, count: 10_000, all } as Partial<OutputsToOpen> as OutputsToOpen;
    },
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const created = ['amy', 'amy', 'amy', 'amy', 'bob'].map((client) =>
    operations.create({ ...caller(client), policy: { shares: 2 } }, { jobId: 'job', seconds: 60 }).then(
      () => 'created',
      (error: unknown) => (error as Problem).code,
    ),
  );
  await settled();
  expect(reads, 'another client does not wait').toEqual(['amy', 'bob']);
  while (ends.length > 0) {
    ends.shift()?.();
    await settled();
  }
  expect(await Promise.all(created)).toEqual(['created', 'created', 'TOO_MANY_SHARES', 'TOO_MANY_SHARES', 'created']);
  expect(reads).toEqual(['amy', 'bob', 'amy']);
});

test('a link to a job that was deleted says so', async () => {
  const { operations } = harness();
  const share = { shareId: 's', clientId: 'amy', jobId: 'j', createdAt: '', expiresAt: '', uses: 0 };
  await expect(operations.open(AMY, share)).rejects.toMatchObject({ code: 'OUTPUT_GONE' });
});

test('only sharing a job and its zip read all outputs; its page and each file do not', async () => {
  const open = () => Promise.reject(new Problem('OUTPUT_GONE', '"amys folder/hls/a.ts" was deleted.'));
  const named = (name: string) => ({ name, sizeBytes: 2, open });
  const all: unknown[] = [];
  const { operations, stored } = harness({
    outputs: async () =>
      ({
        ...{ title: 'film', count: 3 },
        all: async (folder) => {
          all.push(folder);
          return { title: 'film', folder: 'hls/', files: [named('a.m3u8'), named('a0.ts'), named('a1.ts')] };
        },
        named: async (folder, name) => (folder === 'hls/' && name === 'a1.ts' ? named(name) : undefined),
        first: async (folder, most) => (folder === 'hls/' ? [named('a.m3u8')].slice(0, most) : []),
      }) as Partial<OutputsToOpen> as OutputsToOpen,
  });
  const { secret } = await operations.create(AMY, { jobId: 'job', seconds: 3600 });
  expect([...stored.values()]).toMatchObject([{ folder: 'hls/', sizeBytes: 6 }]);
  expect(all).toHaveLength(1);
  const share = await operations.find(secret);
  const opened = await operations.open(AMY, share);
  expect(opened).toMatchObject({ title: 'film', count: 3, sizeBytes: 6 });
  expect(await opened.first(200)).toMatchObject([{ name: 'a.m3u8' }]);
  const segment = await opened.named('a1.ts');
  expect(segment.name).toBe('a1.ts');
  await expect(segment.open(), 'strangers read no path').rejects.toThrow('The shared file was deleted or replaced.');
  await expect(opened.named('notes.txt')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(all).toHaveLength(1);
  expect((await opened.all()).files).toHaveLength(3);
  expect(all[1], 'the folder that was stored is not looked for again').toBe('hls/');
});
