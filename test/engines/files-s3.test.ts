import { randomBytes } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import { fileSearch } from '../../packages/contract/src/domain/file-search.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { FileCheck } from '../../packages/service/src/files/ports.ts';
import { abortAbandoned } from '../../packages/service/src/media/s3/multipart-uploads.ts';
import { OUTPUT_METADATA } from '../../packages/service/src/media/s3/object-facts.ts';
import { filesContract } from '../contracts/files.ts';
import { at } from '../fixtures/media-plans.ts';
import { openS3Files, type S3FilesUnderTest } from '../fixtures/s3-files.ts';
import { needs } from '../support/needs.ts';
import { s3Server, testClient } from '../support/s3.ts';
import { type FaultOf, type S3Fault, type S3Request, startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

for (const bin of ['none', 'versions'] as const)
  filesContract(
    {
      name: bin === 'none' ? 'an S3 server' : 'a bucket with versions',
      open: () => openS3Files(undefined, bin === 'versions'),
      ...{ keepsEmptyFolders: false, keepsOpenFiles: false, bin },
    },
    test,
  );

const anything: FileCheck = () => {};
const FOLDER = { isFolder: true, replace: false };
const MEGABYTES = 2 ** 20;

async function opened(prefix?: string): Promise<S3FilesUnderTest> {
  const t = await openS3Files(prefix);
  onTestFinished(() => t.close());
  return t;
}

/** Opens a store whose requests pass a proxy. */
async function behindProxy(t: S3FilesUnderTest, faultOf: FaultOf) {
  const proxy = await startS3Proxy(s3Server().endpoint, faultOf);
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  return { client, files: t.open({ client }), requests: proxy.requests };
}

async function put(t: S3FilesUnderTest, path: string, bytes: Uint8Array, files = t.files, check = anything) {
  const pending = await files.beginUpload(t.root, at(path), { check });
  try {
    await pending.append(
      (async function* () {
        yield bytes;
      })(),
    );
    return await pending.publish();
  } finally {
    await pending.discard();
  }
}

/** Gives every n-th request that `matches` the fault. */
const every = (n: number, matches: (request: S3Request) => boolean, fault: S3Fault) => {
  let count = 0;
  return (request: S3Request): S3Fault | undefined => {
    if (!matches(request)) return undefined;
    count += 1;
    return count % n === 1 % n ? fault : undefined;
  };
};

const isComplete = ({ method, url }: S3Request): boolean => method === 'POST' && url.includes('uploadId=');
const isGet = ({ method, url }: S3Request): boolean => method === 'GET' && url.includes('x-id=GetObject');

test('lists folders that other programs have made, and omits keys that no request can name', async () => {
  const t = await opened();
  const keys = [
    'a/',
    'b/c.txt',
    'b//d',
    '../e',
    '.telecine/f',
    '.telecine-x',
    'con\u0001trol',
    '/g',
    'ok.txt',
    'z'.repeat(300),
  ];
  for (const key of keys)
    await t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: `own/amy/${key}`, Body: key }));
  const list = async (folder: string) =>
    (await t.files.list(t.root, { folder, nameStart: '', limit: 2 })).entries.map(({ path }) => path);
  expect(await list('')).toEqual(['a/', 'b/']);
  expect(
    (await t.files.list(t.root, { folder: '', nameStart: '', limit: 99 })).entries.map(({ path }) => path),
  ).toEqual(['a/', 'b/', 'ok.txt']);
  expect(await list('a/')).toEqual([]);
  expect(await list('b/')).toEqual(['b/c.txt']);
  await t.files.remove(t.root, at('a'), { isFolder: true });
  expect(await list('')).toEqual(['b/', 'ok.txt']);
});

test('a search is one flat list, which skips the bin, and omits keys that no request can name', async () => {
  const t = await opened();
  const deep = Array.from({ length: 5 }, (_, i) => `deep/${i}/er/x.txt`);
  const keys = [
    ...['x/', 'b/x', 'b//x', '../x', '.telecine/x', '/x', 'x\u0001', `x${'z'.repeat(300)}`],
    ...Array.from({ length: 9 }, (_, i) => `.telecine-bin/entry/${i}/x`),
    ...deep,
  ];
  for (const key of keys)
    await t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: `own/amy/${key}`, Body: 'x' }));
  const { files, requests } = await behindProxy(t, () => undefined);
  const search = async (page: { readonly maxNames: number; readonly after?: string }) =>
    files.search(
      t.root,
      { folder: '', nameStart: '', limit: 99, matches: fileSearch('x'), ...page },
      new AbortController().signal,
    );
  const { entries, nextAfter } = await search({ maxNames: 100 });
  expect([entries.map(({ path }) => path), nextAfter, requests.length]).toEqual([['b/x', ...deep, 'x/'], undefined, 1]);
  // In pages of four names, all those in the bin are in one of them.
  let pages = 0;
  for (let after: string | undefined = ''; after !== undefined; pages += 1)
    after = (await search({ maxNames: 4, ...(after !== '' && { after }) })).nextAfter;
  expect([pages, requests.length]).toEqual([4, 5]);
});

test('a large object is moved in parts, with its metadata, and leaves no parts', async () => {
  const t = await opened();
  const content = randomBytes(11 * MEGABYTES);
  const Metadata = { [OUTPUT_METADATA]: 'print' };
  await t.client.send(
    new PutObjectCommand({
      ...{ Bucket: t.location.bucket, Key: 'own/amy/a b+é.bin', Body: content, Metadata },
      ...{ ContentType: 'video/mp4', CacheControl: 'max-age=60', ContentDisposition: 'inline', ContentLanguage: 'de' },
    }),
  );
  const files = t.open({ maxCopyBytes: 5 * MEGABYTES });
  await files.move(t.root, at('a b+é.bin'), at('moved.bin'), { replace: false });
  const file = await files.open(t.root, at('moved.bin'));
  expect(file.isOutput('print')).toBe(true);
  expect(
    await t.client.send(new HeadObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy/moved.bin' })),
  ).toMatchObject({
    ...{ ContentType: 'video/mp4', CacheControl: 'max-age=60', ContentDisposition: 'inline', ContentLanguage: 'de' },
  });
  expect((await buffer(file.read(0, content.length - 1))).equals(content)).toBe(true);
  expect([await t.all(), await t.uploads()]).toEqual([['moved.bin'], []]);
});

test.each<[string, (t: S3FilesUnderTest, files: S3FilesUnderTest['files']) => Promise<unknown>, string]>([
  ['a deletion', (t, files) => files.remove(t.root, at('a.txt')), 'UNAVAILABLE'],
  [
    'a deletion under a condition',
    async (t, files) => {
      const { fingerprint } = await files.open(t.root, at('a.txt'));
      const check: FileCheck = (current) => {
        if (current?.fingerprint !== fingerprint) throw new Problem('PRECONDITION_FAILED', 'It has changed.');
      };
      await files.remove(t.root, at('a.txt'), { check });
    },
    'PRECONDITION_FAILED',
  ],
  ['a move', (t, files) => files.move(t.root, at('a.txt'), at('b.txt'), { replace: false }), 'UNAVAILABLE'],
])(
  'on a server that knows conditional deletions, a file that another program stores right before the request of %s stays',
  async (_what, run, code) => {
    const t = await opened();
    await put(t, 'a.txt', Buffer.from('old'));
    const object = { Bucket: t.location.bucket, Key: 'own/amy/a.txt' };
    let replaced: Promise<unknown> | undefined;
    const { files } = await behindProxy(t, async ({ method, url, ifMatch }) => {
      if (method !== 'DELETE' || !url.includes('/own/amy/a.txt')) return undefined;
      replaced ??= t.client.send(new PutObjectCommand({ ...object, Body: 'new film' }));
      await replaced;
      // As S3 does; the server of the tests deletes without the condition.
      const { ETag } = await t.client.send(new HeadObjectCommand(object));
      return ifMatch === ETag ? undefined : { status: 412, code: 'PreconditionFailed' };
    });
    await expect(run(t, files)).rejects.toMatchObject({ code });
    expect(await t.all()).toEqual(['a.txt']);
    expect(await text((await t.files.open(t.root, at('a.txt'))).read(0, 7))).toBe('new film');
  },
);

test('a move that fails at any request leaves the file at one path or at both', async () => {
  const t = await opened();
  await put(t, 'a.txt', Buffer.from('a'));
  for (const method of ['PUT', 'DELETE']) {
    const fault = { status: 403, code: 'AccessDenied' };
    const { files } = await behindProxy(t, (request) => (request.method === method ? fault : undefined));
    await expect(files.move(t.root, at('a.txt'), at('b.txt'), { replace: true })).rejects.toMatchObject({
      code: 'STORAGE_FAULT',
    });
    expect(await t.all()).toEqual(method === 'PUT' ? ['a.txt'] : ['a.txt', 'b.txt']);
  }
});

test('a move of a folder that fails at any request loses nothing, and is ended by the same request', async () => {
  const t = await opened();
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const all = (folder: string) => names.map((name) => `${folder}/${name}`);
  for (const path of all('m')) await put(t, path, Buffer.from(path));
  const fault = { status: 403, code: 'AccessDenied' };
  for (const [from, to, method] of [
    ['m', 'n', 'PUT'],
    ['n', 'o', 'DELETE'],
  ] as const) {
    const { files } = await behindProxy(t, (request) =>
      request.method === method && request.url.includes('b.txt') ? fault : undefined,
    );
    await expect(files.move(t.root, at(from), at(to), FOLDER)).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
    expect(await t.all()).toEqual(expect.arrayContaining(method === 'PUT' ? all(from) : all(to)));
    await t.files.move(t.root, at(from), at(to), FOLDER);
    expect(await t.all()).toEqual(all(to));
  }
  expect(await text((await t.files.open(t.root, at('o/b.txt'))).read(0, 6))).toBe('m/b.txt');
});

test('a move of a folder leaves what another request stores at its new path, also when it is repeated', async () => {
  const t = await opened();
  for (const name of ['m/a.txt', 'm/b.txt', 'm/c.txt']) await put(t, name, Buffer.from('same'));
  const fault = { status: 403, code: 'AccessDenied' };
  let isReplaced: Promise<unknown> | undefined;
  const { files } = await behindProxy(t, async ({ method, url }) => {
    if (method !== 'PUT' || !url.includes('/n/c.txt')) return undefined;
    // The last object fails after the others were copied, and another request stores one of them anew.
    await expect.poll(t.all).toEqual(expect.arrayContaining(['n/a.txt', 'n/b.txt']));
    isReplaced ??= put(t, 'n/a.txt', Buffer.from('same'), t.open({ locks: t.newLocks() }));
    await isReplaced;
    return fault;
  });
  await expect(files.move(t.root, at('m'), at('n'), FOLDER)).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  const stored = (await t.files.open(t.root, at('n/a.txt'))).modifiedAt;
  await expect(t.files.move(t.root, at('m'), at('n'), FOLDER)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  expect((await t.files.open(t.root, at('n/a.txt'))).modifiedAt).toEqual(stored);
  expect(await t.all()).toEqual(expect.arrayContaining(['m/a.txt', 'm/b.txt', 'm/c.txt']));
});

test('a folder is not moved into one with other files, and a file with a copy elsewhere counts as moved', async () => {
  const t = await opened();
  for (const path of ['m/a.txt', 'n/b.txt']) await put(t, path, Buffer.from(path));
  await expect(t.files.move(t.root, at('m'), at('n'), FOLDER)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  const { files } = await behindProxy(t, ({ method }) =>
    method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined,
  );
  const move = (store: typeof files) => store.move(t.root, at('m/a.txt'), at('c.txt'), { replace: false });
  await expect(move(files)).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  await move(t.files);
  expect(await t.all()).toEqual(['c.txt', 'n/b.txt']);
});

test('a move of a folder copies nothing if one of its files has another one at the new path', async () => {
  const t = await opened();
  for (const name of ['m/a.txt', 'm/b.txt']) await put(t, name, Buffer.from('same'));
  await put(t, 'n/b.txt', Buffer.from('else'));
  const { files, requests } = await behindProxy(t, () => undefined);
  await expect(files.move(t.root, at('m'), at('n'), FOLDER)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  expect(requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
  expect(await t.all()).toEqual(['m/a.txt', 'm/b.txt', 'n/b.txt']);
});

test('a deletion of many paths asks once whether the bucket keeps versions', async () => {
  const t = await openS3Files(undefined, true);
  onTestFinished(() => t.close());
  const { files, requests } = await behindProxy(t, () => undefined);
  for (const name of ['a', 'b', 'c']) {
    await put(t, name, Buffer.from(name));
    await files.remove(t.root, at(name), { keep: true });
  }
  expect(requests.filter(({ url }) => /[?&]versioning/.test(url))).toHaveLength(1);
});

test('a folder of which an object is replaced by the same content during a move keeps the new object', async () => {
  const t = await opened();
  await put(t, 'm/a.txt', Buffer.from('same'));
  let replaced: Promise<unknown> | undefined;
  const { files } = await behindProxy(t, async ({ method, url }) => {
    if (method === 'HEAD' && url.includes('/m/a.txt') && (await t.all()).includes('n/a.txt')) {
      replaced ??= t.client.send(
        new PutObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy/m/a.txt', Body: 'same' }),
      );
      await replaced;
    }
    return undefined;
  });
  await files.move(t.root, at('m'), at('n'), FOLDER);
  expect(await t.all()).toEqual(['m/a.txt', 'n/a.txt']);
});

test.each([
  ['files', 'a.txt', 'b.txt', false],
  ['folders', 'm/a.txt', 'n/a.txt', true],
] as const)(
  'of two opposite moves of %s at the same time, none loses the file',
  async (_what, one, other, isFolder) => {
    const t = await opened();
    await put(t, one, Buffer.from('film'));
    const [from, to] = (isFolder ? ['m', 'n'] : [one, other]).map(at) as [MediaPath, MediaPath];
    const bothHaveCopied = Promise.withResolvers<void>();
    /** A service that locks a key for the second time, after its copy, only once `then` has resolved. */
    const service = (then: () => Promise<unknown>) => {
      const locks = t.newLocks();
      let count = 0;
      const exclusive: typeof locks.exclusive = async (...lock) => {
        count += 1;
        if (count === 2) await then();
        return locks.exclusive(...lock);
      };
      return t.open({ locks: { ...locks, exclusive } });
    };
    const back = service(async () => bothHaveCopied.resolve());
    let moveBack: Promise<unknown> = Promise.resolve();
    const forth = service(async () => {
      moveBack = back.move(t.root, to, from, { isFolder, replace: false }).catch((error: unknown) => error);
      await bothHaveCopied.promise;
    });
    await forth.move(t.root, from, to, { isFolder, replace: false }).catch((error: unknown) => error);
    await moveBack;
    const left = await t.all();
    expect(left).toHaveLength(1);
    expect(await text((await t.files.open(t.root, at(left[0] ?? ''))).read(0, 3))).toBe('film');
  },
);

test('a folder in a bucket with versions is deleted file by file, of which each comes back', async () => {
  const t = await openS3Files(undefined, true);
  onTestFinished(() => t.close());
  for (const name of ['m/a.txt', 'm/b.txt', 'n.txt']) await put(t, name, Buffer.from(name));
  expect(await t.files.remove(t.root, at('m'), { keep: true, isFolder: true })).toBeUndefined();
  expect(await t.all()).toEqual(['n.txt']);
  const items = await t.files.listBin(t.root);
  expect(items).toHaveLength(2);
  for (const { entryId } of items) {
    const path = (await t.files.pathInBin(t.root, entryId)) ?? '';
    await t.files.restoreFromBin(t.root, entryId, at(path));
  }
  expect(await t.all()).toEqual(['m/a.txt', 'm/b.txt', 'n.txt']);
});

test('of a restore and a deletion of one version by two services at once, one succeeds', async () => {
  const t = await openS3Files(undefined, true);
  onTestFinished(() => t.close());
  const other = t.open({ locks: t.newLocks() });
  for (const round of [1, 2, 3]) {
    await put(t, 'a.txt', Buffer.from('a'));
    const entryId = (await t.files.remove(t.root, at('a.txt'), { keep: true }))?.entryId ?? '';
    const to = at(`${round}.txt`);
    const acts = [
      async () => (await t.files.restoreFromBin(t.root, entryId, to)).bytes,
      () => other.purgeFromBin(t.root, entryId),
    ];
    const ended = await Promise.all(
      (round === 2 ? acts.toReversed() : acts).map((act) => act().catch(() => undefined)),
    );
    expect(ended.filter((bytes) => bytes === 1)).toHaveLength(1);
    expect(await t.files.listBin(t.root)).toEqual([]);
  }
});

test('a version that is the object itself again is no entry of the bin, and is not deleted', async () => {
  const t = await openS3Files(undefined, true);
  onTestFinished(() => t.close());
  await put(t, 'a.txt', Buffer.from('a'));
  const entryId = (await t.files.remove(t.root, at('a.txt'), { keep: true }))?.entryId ?? '';
  const object = { Bucket: t.location.bucket, Key: 'own/amy/a.txt' };
  const { DeleteMarkers = [] } = await t.client.send(
    new ListObjectVersionsCommand({ Bucket: object.Bucket, Prefix: object.Key }),
  );
  // Another program deletes the marker of the deletion.
  await t.client.send(new DeleteObjectCommand({ ...object, VersionId: DeleteMarkers[0]?.VersionId }));
  expect(await t.files.purgeFromBin(t.root, entryId)).toBeUndefined();
  const restored = t.files.restoreFromBin(t.root, entryId, at('b.txt'));
  await expect(restored).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await t.all()).toEqual(['a.txt']);
});

test('a service that may not delete versions restores files all the same', async () => {
  const t = await openS3Files(undefined, true);
  onTestFinished(() => t.close());
  await put(t, 'a.txt', Buffer.from('a'));
  const entryId = (await t.files.remove(t.root, at('a.txt'), { keep: true }))?.entryId ?? '';
  const { files } = await behindProxy(t, ({ method }) =>
    method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined,
  );
  await files.restoreFromBin(t.root, entryId, at('b.txt'));
  expect(await t.all()).toEqual(['b.txt']);
});

test('an id that names an object of a bucket without versions is no entry of a bin', async () => {
  const t = await opened();
  await put(t, 'a.txt', Buffer.from('a'));
  const entryId = Buffer.from('null\0a.txt').toString('base64url');
  expect(await t.files.purgeFromBin(t.root, entryId)).toBeUndefined();
  const restored = t.files.restoreFromBin(t.root, entryId, at('b.txt'));
  await expect(restored).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await t.all()).toEqual(['a.txt']);
});

test('no path reaches the files of another prefix', async () => {
  const t = await opened();
  await t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: 'own/amyx/secret', Body: 'x' }));
  await t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy', Body: 'x' }));
  expect(await t.files.list(t.root, { folder: '', nameStart: '', limit: 9 })).toEqual({ entries: [], more: false });
});

test('an upload that is discarded or never finished leaves no parts', async () => {
  const t = await opened();
  const pending = await t.files.beginUpload(t.root, at('a.bin'), { check: anything });
  await pending.append(
    (async function* () {
      for (let i = 0; i < 20; i += 1) yield randomBytes(MEGABYTES);
    })(),
  );
  expect(await t.uploads()).toEqual(['own/amy/a.bin']);
  await pending.discard();
  expect(await t.uploads()).toEqual([]);
  expect(await t.all()).toEqual([]);
});

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i += 1) yield randomBytes(MEGABYTES);
}

test('uploads of services that have crashed are aborted once they got no part for long, and no others', async () => {
  const t = await opened();
  const crashed = await t.files.beginUpload(t.root, at('crashed.bin'), { check: anything });
  await crashed.append(megabytes(9));
  await t.client.send(new CreateMultipartUploadCommand({ Bucket: t.location.bucket, Key: `${t.location.prefix}lost` }));
  await t.client.send(new CreateMultipartUploadCommand({ Bucket: t.location.bucket, Key: 'elsewhere' }));
  const abandonedMs = 4000;
  await delay(abandonedMs + 1000);
  // This upload is as old, but has got a part since.
  const running = await t.files.beginUpload(t.root, at('running.bin'), { check: anything });
  await running.append(megabytes(9));
  await abortAbandoned(t.client, t.location, async () => true, abandonedMs);
  expect(await t.uploads(), 'the service knows them').toHaveLength(4);
  await abortAbandoned(t.client, t.location, async () => false, abandonedMs);
  expect(await t.uploads()).toEqual(['elsewhere', 'own/amy/running.bin']);
  await expect(crashed.publish(), 'paused until now').rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  await running.publish();
  await running.discard();
  expect(await t.all()).toEqual(['running.bin']);
});

test('an upload that was begun twice, because a reply got lost, leaves no parts, and those of others stay', async () => {
  const t = await opened();
  const running = await t.files.beginUpload(t.root, at('a.bin'), { check: anything });
  await running.append(megabytes(9));
  let lost = 0;
  const isCreate = ({ method, url }: S3Request): boolean => method === 'POST' && url.includes('uploads');
  const { files } = await behindProxy(t, (request) => (isCreate(request) && lost++ < 2 ? 'lose reply' : undefined));
  const session = await files.beginUpload(t.root, at('a.bin'), { check: anything });
  await session.append(megabytes(9));
  expect(lost).toBe(3);
  await session.publish();
  await running.publish();
  await abortAbandoned(t.client, t.location, async () => false, 0);
  expect(await t.uploads()).toEqual([]);
});

test('two services change a file one after the other', async () => {
  const t = await opened();
  const others = [t.files, t.open({ locks: t.newLocks() }), t.open({ locks: t.newLocks() })];
  const isNew: FileCheck = (current) => {
    if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'There is one.');
  };
  // Large enough for Complete, whose condition this server ignores.
  const uploads = await Promise.allSettled(
    others.map((files, i) => put(t, 'a.bin', Buffer.alloc(9 * MEGABYTES, i), files, isNew)),
  );
  expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await t.uploads()).toEqual([]);
});

test('a read whose replies break off continues, and its bytes are those of the file', async () => {
  const t = await opened();
  const bytes = randomBytes(5 * MEGABYTES);
  await put(t, 'a.bin', bytes);
  const { files, requests } = await behindProxy(t, every(1, isGet, { cutAfterBytes: 1_500_000 }));
  const file = await files.open(t.root, at('a.bin'));
  expect(bytes.subarray(10).equals(await buffer(file.read(10, bytes.length - 1)))).toBe(true);
  expect(requests.filter(isGet).length).toBeGreaterThan(3);
});

test('a read fails if the object store stays away, or if the file is replaced between two replies', async () => {
  const t = await opened();
  await put(t, 'a.bin', randomBytes(5 * MEGABYTES));
  const away = await behindProxy(t, every(1, isGet, { cutAfterBytes: 0 }));
  const first = await away.files.open(t.root, at('a.bin'));
  await expect(buffer(first.read(0, 5 * MEGABYTES - 1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });

  const cut = await behindProxy(t, every(2, isGet, { cutAfterBytes: 1_500_000 }));
  const second = await cut.files.open(t.root, at('a.bin'));
  const stream = second.read(0, 5 * MEGABYTES - 1);
  const received: Buffer[] = [];
  const failure = await (async () => {
    for await (const chunk of stream) {
      if (received.push(chunk) === 1) await put(t, 'a.bin', randomBytes(5 * MEGABYTES));
    }
    return undefined;
  })().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'UNAVAILABLE' });
  expect(Buffer.concat(received).length).toBeLessThan(5 * MEGABYTES);
});

for (const [size, bytes, isLast] of [
  ['small', 1000, ({ method, url }: S3Request) => method === 'PUT' && url.includes('x-id=PutObject')],
  ['large', 20 * MEGABYTES, isComplete],
] as const) {
  test(`a ${size} upload whose last reply is lost is stored once, and known as new`, async () => {
    const t = await opened();
    const content = randomBytes(bytes);
    let lost = 0;
    const { files } = await behindProxy(t, (request) => {
      if (!isLast(request)) return undefined;
      lost += 1;
      // Until the SDK gives up.
      return 'lose reply';
    });
    const { file, before } = await put(t, 'a.bin', content, files);
    expect(lost).toBeGreaterThan(0);
    expect(before).toBe(undefined);
    const { entries } = await t.files.list(t.root, { folder: '', nameStart: '', limit: 9 });
    expect(entries).toEqual([{ kind: 'file', ...file }]);
    const stored = await t.client.send(new GetObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy/a.bin' }));
    expect(content.equals(Buffer.from((await stored.Body?.transformToByteArray()) ?? []))).toBe(true);
    expect(await t.uploads()).toEqual([]);
  });

  test(`a ${size} upload that cannot be finished changes nothing, and says when to send it again`, async () => {
    const t = await opened();
    await put(t, 'a.bin', Buffer.from('old'));
    const { files } = await behindProxy(t, (request) => (isLast(request) ? 'slow down' : undefined));
    await expect(put(t, 'a.bin', randomBytes(bytes), files)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('SlowDown'),
      retryAfterSeconds: 5,
    });
    const file = await t.files.open(t.root, at('a.bin'));
    expect(await text(file.read(0, 2))).toBe('old');
    expect(await t.uploads()).toEqual([]);
  });
}

test('requests that the server throttles are repeated', async () => {
  const t = await opened();
  const content = randomBytes(20 * MEGABYTES);
  const { files, requests } = await behindProxy(
    t,
    every(3, () => true, 'slow down'),
  );
  const { file } = await put(t, 'a.bin', content, files);
  const opening = await files.open(t.root, at('a.bin'));
  expect(content.equals(await buffer(opening.read(0, file.sizeBytes - 1)))).toBe(true);
  expect(requests.length).toBeGreaterThan(10);
});

test('a file that another program creates during an upload is not replaced if the check forbids it', async () => {
  const t = await opened();
  const isNew: FileCheck = (current) => {
    if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'There is one.');
  };
  const putTheirs = () =>
    t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy/a.txt', Body: 'theirs' }));
  let theirs: Promise<unknown> | undefined;
  const { files } = await behindProxy(t, async ({ method }) => {
    // After the check has found no file.
    if (method === 'PUT') theirs ??= putTheirs();
    await theirs;
    return undefined;
  });
  await expect(put(t, 'a.txt', Buffer.from('ours'), files, isNew)).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect(await text((await t.files.open(t.root, at('a.txt'))).read(0, 5))).toBe('theirs');
});

test('an output of a job is known by the metadata of its object', async () => {
  const t = await opened();
  const store = (fingerprint: string) =>
    t.client.send(
      new PutObjectCommand({
        Bucket: t.location.bucket,
        Key: 'own/amy/o.mp4',
        Body: 'film',
        Metadata: { [OUTPUT_METADATA]: fingerprint },
      }),
    );
  await store('job.1');
  const output = await t.files.open(t.root, at('o.mp4'));
  expect(['job.1', 'job.2', '', undefined].map((fingerprint) => output.isOutput(fingerprint))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  await put(t, 'o.mp4', Buffer.from('film'));
  expect((await t.files.open(t.root, at('o.mp4'))).isOutput('job.1'), 'replaced by the same content').toBe(false);
});

test('an address of a file works without credentials, for this file, with its name and type', async () => {
  const t = await opened();
  await put(t, 'films/ä b.mp4', Buffer.from('0123456789'));
  const file = await t.open({ publicClient: t.client }).open(t.root, at('films/ä b.mp4'));
  const url = await file.directUrl?.({
    contentType: 'video/mp4',
    contentDisposition: "attachment; filename*=UTF-8''%C3%A4",
  });
  if (url === undefined) throw new Error('There is no address.');
  expect(url).not.toContain(s3Server().secretAccessKey);
  const whole = await fetch(url);
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
  expect(whole.headers.get('content-type')).toBe('video/mp4');
  expect(whole.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A4");
  expect(whole.headers.get('cache-control')).toBe('private, no-cache');
  const part = await fetch(url, { headers: { range: 'bytes=2-3' } });
  expect([part.status, await part.text()]).toEqual([206, '23']);
  expect((await fetch(url.replace('films', 'other'))).status).toBe(403);
  const seconds = Number(new URL(url).searchParams.get('X-Amz-Expires'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
});
