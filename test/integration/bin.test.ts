import { mkdir, readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { emptyBin, listBin, sweepBins, withRoom } from '../../packages/service/src/files/bin.ts';
import { fileOperations } from '../../packages/service/src/files/file-operations.ts';
import type { FileStore, UnfinishedJob } from '../../packages/service/src/files/ports.ts';
import { sumStorage } from '../../packages/service/src/files/sum-storage.ts';
import { uploadOperations } from '../../packages/service/src/files/uploads.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { openLocalFiles } from '../fixtures/local-files.ts';

const LIMIT = 1000;
const AT = '2026-11-20T08:00:00.000Z';

/** A client with a quota of 1000 bytes on a real disk. */
async function open({ keepSeconds = 60, jobs = [] as readonly UnfinishedJob[] } = {}) {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  const { store } = await sqlite.open();
  await store.clients.add({ clientId: 'amy', secretHash: 'h', scopes: [], createdAt: AT });
  const amy = { clientId: 'amy', root: t.root, policy: { storage: LIMIT } } as Caller;
  const bin = {
    ...{ store: t.files, stored: store.storedFiles, keepSeconds },
    unfinished: {
      unfinished: async function* () {
        yield* jobs;
      },
    },
  };
  const makesRoom = withRoom(bin);
  const files = fileOperations(bin as unknown as Parameters<typeof fileOperations>[0]);
  const uploads = uploadOperations({
    ...{ stored: store.storedFiles, leases: store.leases, keepSeconds },
    ...{ store: store.resumableUploads, parts: t.files.parts, withRoom: makesRoom },
    ...{ maxBytes: 1e9, expirySeconds: 3600, onEvent: () => {}, log: { warn: () => {} } },
  });
  const put = (path: string, bytes: number, keepsReplaced = false) =>
    uploads.put(
      { caller: amy },
      {
        ...{ path, sizeBytes: bytes, precondition: {}, keepsReplaced },
        bytes: (async function* () {
          yield new Uint8Array(bytes);
        })(),
      },
    );
  const keep = async (...paths: string[]) => files.removeAll(amy, { paths, keep: true });
  const sizes = async () => {
    const { total } = await store.usage.ofAll('2026-11-20', { limit: 9, offset: 0 });
    return [total.storedBytes, total.binBytes];
  };
  /** Adds up the media root, which another program may have changed. */
  const sum = ({ walk }: Pick<FileStore, 'walk'> = t.files) =>
    sumStorage({
      ...{ stored: store.storedFiles, store: { walk }, rootOf: async () => t.root, folderOf: () => t.mediaRoot },
      ...{ lease: { name: 'sums', holder: 'test' }, leases: store.leases },
      stopping: new AbortController().signal,
      onFailure: ({ err }) => {
        throw err;
      },
    });
  return { t, store, amy, bin, files, put, keep, sizes, sum, makesRoom };
}

test('uploads, deletions, the bin and restores count at once, and as much as a sum finds', async () => {
  const { t, amy, files, put, keep, sizes, sum } = await open();
  const same = async () => {
    const counted = await sizes();
    await sum();
    expect(await sizes()).toEqual(counted);
    return counted;
  };
  await put('a', 300);
  await put('m/b', 200);
  expect(await same()).toEqual([500, 0]);
  const { deleted } = await keep('a', 'm/');
  expect(await same()).toEqual([0, 500]);
  await files.restore(amy, deleted[0]?.entry?.entryId ?? '');
  expect(await same()).toEqual([300, 200]);
  await put('a', 100, true);
  expect(await same()).toEqual([100, 500]);
  await put('a', 50);
  expect(await same()).toEqual([50, 500]);
  await files.remove(amy, 'a', {});
  expect(await same()).toEqual([0, 500]);
  await files.deleteEntry(amy, deleted[1]?.entry?.entryId ?? '');
  expect(await same()).toEqual([0, 300]);
  await files.emptyBin(amy);
  expect([await same(), await t.all()]).toEqual([[0, 0], []]);
});

test('a sum counts a file once that goes to the bin while it runs, and still finds what another program has stored', async () => {
  const { t, put, keep, sizes, sum } = await open();
  await put('a', 300);
  await put('z', 200);
  await writeFile(join(t.mediaRoot, 'other'), new Uint8Array(5000));
  await sum({
    walk: async function* (...args) {
      yield* t.files.walk(...args);
      await keep('a');
      yield* [[{ path: '.telecine/bin/a', bytes: 300 }]];
    },
  });
  const [files = 0, bin] = await sizes();
  expect(bin).toBe(300);
  expect(Math.abs(files - 5200), 'off by at most what changed').toBeLessThanOrEqual(600);
});

test('a sum does not count a file again that was there before it was counted', async () => {
  const { t, store, sizes, sum } = await open();
  await writeFile(join(t.mediaRoot, 'a'), new Uint8Array(300));
  const summed = sum();
  await setTimeout(100);
  await store.storedFiles.add('amy', { files: 300 });
  await summed;
  expect(await sizes()).toEqual([300, 0]);
});

test('a sum finds what other programs have stored, and leaves out the scratch of the service', async () => {
  const { t, sizes, sum } = await open();
  await mkdir(join(t.mediaRoot, 'm/.telecine/jobs'), { recursive: true });
  await writeFile(join(t.mediaRoot, 'm/a'), 'film');
  await writeFile(join(t.mediaRoot, 'm/.telecine/jobs/scratch'), 'not a film');
  await writeFile(join(t.mediaRoot, '.telecine-part'), 'not a film');
  await sum();
  expect(await sizes()).toEqual([4, 0]);
});

test('a media root that cannot be read is added up again later, and the others are not kept waiting', async () => {
  const { t, store, sizes } = await open();
  await store.clients.add({ clientId: 'bob', secretHash: 'h', scopes: [], createdAt: AT });
  await writeFile(join(t.mediaRoot, 'a'), 'film');
  const gone = localRoot(join(t.home, 'gone'));
  const failures: string[] = [];
  await sumStorage({
    ...{ stored: store.storedFiles, store: t.files, rootOf: async (id) => (id === 'amy' ? gone : t.root) },
    ...{ folderOf: (root) => root.pathPrefix, lease: { name: 'sums', holder: 'test' }, leases: store.leases },
    stopping: new AbortController().signal,
    onFailure: ({ clientId }) => void failures.push(clientId),
  });
  expect([failures, await sizes(), await store.storedFiles.due()]).toEqual([['amy'], [4, 0], []]);
});

test('the oldest entries of the bin make room for an upload, and no more of them than it needs', async () => {
  const { amy, bin, put, keep, sizes } = await open();
  for (const name of ['a', 'b', 'c']) {
    await put(name, 300);
    await keep(name);
  }
  await put('d', 500);
  expect(await sizes()).toEqual([500, 300]);
  expect((await listBin(bin, amy, 9)).entries.map(({ path }) => path)).toEqual(['c']);
  await expect(put('e', 501)).rejects.toMatchObject({ code: 'STORAGE_EXCEEDED' });
  expect(await sizes(), 'what cannot fit deletes nothing').toEqual([500, 300]);
});

test('an upload asks for room three times, however many entries of the bin make it', async () => {
  const { amy, bin, put, keep, makesRoom } = await open();
  for (const name of ['a', 'b', 'c']) {
    await put(name, 300);
    await keep(name);
  }
  let asked = 0;
  await makesRoom(amy, async () => {
    asked += 1;
    await bin.stored.reserve('amy', 'one', 900, LIMIT);
  });
  // The second time is in the turn of this request, as others may have made room meanwhile.
  expect([asked, (await listBin(bin, amy, 9)).entries.length]).toEqual([3, 0]);
});

test('of 50 uploads at once at the limit, those that fit are stored, also while the bin makes room', async () => {
  const { put, keep, sizes, sum } = await open();
  await put('old', 900);
  await keep('old');
  const ended = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => put(`${n}`, 100)));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const one of ended)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'STORAGE_EXCEEDED' });
  await sum();
  expect(await sizes()).toEqual([1000, 0]);
});

test('a client that uploads and deletes in a loop never has more than its quota on the disk', async () => {
  const { t, put, keep } = await open();
  const onDisk = async () => {
    const sizes = await Promise.all(
      (await t.all()).map(async (path) => (await readFile(join(t.mediaRoot, path))).length),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  for (let round = 0; round < 20; round += 1) {
    await put('a', 400);
    if (round % 2 === 0) await put('a', 400, true);
    await keep('a');
    expect(await onDisk()).toBeLessThanOrEqual(LIMIT);
  }
});

test('the sweep deletes what is too old, and the oldest of a disk that is nearly full, but nothing of other disks', async () => {
  const { t, amy, bin, put, keep } = await open({ keepSeconds: 3600 });
  const other = await open({ keepSeconds: 3600 });
  await other.put('old', 100);
  await other.keep('old');
  for (const name of ['a', 'b', 'c']) {
    await put(name, 100);
    await keep(name);
  }
  let free = 10;
  const storeOf = (root: MediaRoot) => (root === amy.root ? t.files : other.t.files);
  const sweep = (keepSeconds: number) =>
    sweepBins({
      ...{ stored: bin.stored, keepSeconds, owners: async () => [amy, other.amy], minFreeBytes: 10 },
      store: {
        binOf: (root) => storeOf(root).binOf(root),
        listBin: (root) => storeOf(root).listBin(root),
        purgeFromBin: (root, entryId) => storeOf(root).purgeFromBin(root, entryId),
        freeBytes: async (root) => (root === amy.root ? free++ : 10),
      },
      onFailure: ({ err }) => {
        throw err;
      },
    });
  const left = async () => (await listBin(bin, amy, 9)).entries.map(({ path }) => path);
  const others = async () => (await listBin(other.bin, other.amy, 9)).entries.length;
  await sweep(3600);
  expect([await left(), await others()]).toEqual([['c', 'b', 'a'], 1]);
  free = 9;
  await sweep(3600);
  expect([await left(), await others()]).toEqual([['c', 'b'], 1]);
  await sweep(-1);
  expect([await left(), await others(), await t.all()]).toEqual([[], 0, []]);
});

test('a disk says how much of it is free', async () => {
  const { t } = await open();
  const { bavail, bsize } = await statfs(t.mediaRoot);
  expect(Math.abs((await t.files.freeBytes(t.root)) - bavail * bsize)).toBeLessThan(2 ** 30);
});

test('an entry that cannot be deleted keeps the others neither from making room nor from being deleted', async () => {
  const { t, amy, bin, put, keep, sizes } = await open();
  for (const name of ['a', 'b', 'c']) {
    await put(name, 300);
    await keep(name);
  }
  const [, , oldest] = (await listBin(bin, amy, 9)).entries;
  const purgeFromBin: typeof t.files.purgeFromBin = async (root, entryId) => {
    if (entryId === oldest?.entryId) throw new Problem('STORAGE_FAULT', 'It belongs to another user.');
    return t.files.purgeFromBin(root, entryId);
  };
  const failing = { ...bin, store: { ...bin.store, purgeFromBin } };
  await withRoom(failing)(amy, () => bin.stored.reserve('amy', 'one', 350, LIMIT));
  expect(await sizes()).toEqual([350, 600]);
  await expect(emptyBin(failing, amy)).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  expect((await listBin(bin, amy, 9)).entries).toEqual([oldest]);
});

test('what a crash has left of a deletion is not shown, and is deleted when its time is over', async () => {
  const { t, amy, bin, put, keep } = await open();
  await put('m/a', 300);
  const { deleted } = await keep('m/');
  const [day = '', name = ''] = (deleted[0]?.entry?.entryId ?? '').split('.');
  const folder = join(t.mediaRoot, '.telecine/bin', day);
  await rename(join(folder, name), join(folder, `${name}.deleted`));
  expect(await listBin(bin, amy, 9)).toMatchObject({ entries: [], sizeBytes: 300 });
  const onFailure = ({ err }: { readonly err: unknown }): never => {
    throw err;
  };
  await sweepBins({ ...bin, keepSeconds: -1, owners: async () => [amy], minFreeBytes: 0, onFailure });
  expect(await readdir(join(t.mediaRoot, '.telecine/bin'))).toEqual([]);
});

test('of a restore and a purge of one entry by two services at once, one succeeds, and the sizes stay right', async () => {
  const { t, amy, bin, files, put, keep, sizes, sum } = await open();
  const other = { ...bin, store: await t.restart() };
  const otherFiles = fileOperations(other as unknown as Parameters<typeof fileOperations>[0]);
  for (let round = 0; round < 20; round += 1) {
    await put('a', 100);
    await put('m/b', 50);
    const { deleted } = await keep('a', 'm/');
    for (const { entry } of deleted) {
      const entryId = entry?.entryId ?? '';
      const acts = [() => files.restore(amy, entryId), () => otherFiles.deleteEntry(amy, entryId)];
      const ended = await Promise.allSettled((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of ended)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'FILE_NOT_FOUND' });
    }
    const counted = await sizes();
    await sum();
    expect(await sizes()).toEqual(counted);
    await files.removeAll(amy, { paths: ['a', 'm/b'], keep: false });
    await files.removeAll(amy, { paths: ['m/'], keep: false });
  }
});

test('each path is deleted by itself, and the file of an unfinished job stays', async () => {
  const request = '{"input":"m/used.mp4","output":"x.mp4"}';
  const { t, put, keep } = await open({ jobs: [{ jobId: 'job-1', status: 'PENDING', request }] });
  for (const path of ['a.mp4', 'm/used.mp4']) await put(path, 5);
  const { deleted, failed } = await keep('a.mp4', 'none.mp4', '../b', 'm/', 'm/used.mp4');
  expect(deleted).toMatchObject([{ path: 'a.mp4', entry: { path: 'a.mp4', bytes: 5 } }]);
  expect(failed.map(({ path, problem }) => [path, problem.code])).toEqual([
    ['none.mp4', 'FILE_NOT_FOUND'],
    ['../b', 'INVALID_REQUEST'],
    ['m/', 'FILE_IN_USE'],
    ['m/used.mp4', 'FILE_IN_USE'],
  ]);
  expect(await t.all()).toContain('m/used.mp4');
});

test('nothing is kept or replaced by a restore if the operator keeps no files', async () => {
  const before = await open();
  const { deleted } = await before.put('a', 5).then(() => before.keep('a'));
  await before.put('a', 7);
  const entryId = deleted[0]?.entry?.entryId ?? '';
  const off = fileOperations({ ...before.bin, keepSeconds: 0 } as unknown as Parameters<typeof fileOperations>[0]);
  await expect(off.removeAll(before.amy, { paths: ['a'], keep: true })).rejects.toMatchObject({
    errors: [{ field: '/keep', code: 'NOT_KEPT' }],
  });
  await expect(off.restore(before.amy, entryId)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  await expect(off.restore(before.amy, entryId, '../x')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(off.restore(before.amy, 'none')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await expect(off.deleteEntry(before.amy, 'none')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await emptyBin(before.bin, before.amy);
  expect((await listBin(before.bin, before.amy, 9)).entries).toEqual([]);
});
