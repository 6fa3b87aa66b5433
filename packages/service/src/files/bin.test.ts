import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { memoryBin } from '../../../../test/support/memory-bin.ts';
import { NO_OTHERS, pagesOf } from '../../../../test/support/uncounted-files.ts';
import { MAX_ENTRIES } from './add-to-bin.ts';
import { type BinDeps, deleteEntry, deletePaths, emptyBin, listBin, restoreEntry } from './bin.ts';
import type { BinEntry, FileFacts, OpenFile } from './ports.ts';

const AMY = { clientId: 'amy', root: { pathPrefix: '/srv/media', grants: [] }, policy: {} } as unknown as Caller;

const fails = (code: ProblemCode) => async (): Promise<never> => {
  throw new Problem(code, 'It failed.');
};

/** A store that moves everything, and a bin in memory. `steps`: what was counted and recounted, in order. */
function world(change: Partial<BinDeps['store']> = {}, more: Partial<BinDeps> = {}, entries: readonly BinEntry[] = []) {
  const bin = memoryBin(entries);
  const steps: string[] = [];
  const deps: BinDeps = {
    bin,
    keepSeconds: 60,
    store: {
      open: async () => ({ sizeBytes: 5, close: async () => {} }) as OpenFile,
      listTree: async () => ({ files: [], entries: 0 }),
      keepInBin: async (_root, _path, _entry, record) => record.add('data of the engine'),
      restoreFromBin: async (_root, entry, path, _replaced, { prepare } = {}) => {
        if (entry.path.endsWith('/')) await prepare?.();
        return { kind: 'file', path, sizeBytes: 5, modifiedAt: new Date(0), fingerprint: 'f' };
      },
      purgeFromBin: async () => true,
      ...change,
    },
    stored: { find: async () => [], below: async () => [], count: async () => {}, used: async () => 0 },
    recount: async (_clientId, paths, own) => {
      steps.push(`recount ${paths.length} of ${own?.version ?? 'others'}: ${own?.hasAppeared === true}`);
    },
    others: NO_OTHERS,
    unfinished: { unfinished: async function* () {} },
    ...more,
  };
  const keep = (...paths: readonly string[]) =>
    deletePaths(deps, AMY, { paths: paths.length === 0 ? ['a.mp4'] : paths, keep: true }, async () => {});
  /** Deletes `a.mp4` into the bin, and returns the id of its entry. */
  const kept = async (): Promise<string> => (await keep()).deleted[0]?.entry?.entryId ?? '';
  return { bin, deps, keep, kept, steps };
}

const entryOf = (entryId: string, counted: BinEntry['counted'] = []): BinEntry => ({
  ...{ entryId, clientId: 'amy', path: counted.length > 0 ? 'm/' : `${entryId}.mp4`, bytes: 5, counted, data: '' },
  ...{ deletedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' },
});

test('an entry has what its engine needs to find the files again', async () => {
  const { deps, keep } = world();
  const { deleted } = await keep();
  expect(deleted).toMatchObject([{ path: 'a.mp4', entry: { path: 'a.mp4', bytes: 5, data: 'data of the engine' } }]);
  expect((await listBin(deps, AMY, 9)).entries).toEqual([deleted[0]?.entry]);
});

test('all folders of one deletion are read until the same deadline', async () => {
  const signals: unknown[] = [];
  const { keep } = world({
    listTree: async (_root, _path, _most, signal) => {
      signals.push(signal);
      return { files: [], entries: 0 };
    },
  });
  expect((await keep('m/', 'n/')).deleted).toHaveLength(2);
  expect(signals).toHaveLength(2);
  expect(new Set(signals).size).toBe(1);
});

test('the size of a deleted folder is that of all files in it, and of those that count if it has too many to read', async () => {
  const listed = ['m/a', 'm/b'].map((path) => ({ path, sizeBytes: 90 }) as FileFacts);
  const counted = [{ path: 'm/a', bytes: 90, version: 'v' }];
  const stored = { find: async () => [], below: async () => counted, count: async () => {}, used: async () => 0 };
  const sizeWith = async (listTree: BinDeps['store']['listTree']) => {
    const { deps, keep } = world({ listTree }, { stored });
    await keep('m/');
    return (await listBin(deps, AMY, 9)).sizeBytes;
  };
  expect(await sizeWith(async () => ({ files: listed, entries: 2 }))).toBe(180);
  expect(await sizeWith(async () => undefined)).toBe(90);
  expect(await sizeWith(fails('STORAGE_FAULT'))).toBe(90);
});

test('a folder whose client leaves while it is read stays, and so do those after it', async () => {
  const left = new Problem('BAD_REQUEST', 'The client has left.');
  const hangUp = new AbortController();
  const listTree: BinDeps['store']['listTree'] = async (_root, _path, _most, signal) => {
    hangUp.abort(left);
    throw signal.reason;
  };
  const { bin, deps } = world({ listTree });
  const deletion = { paths: ['m/', 'n/'], keep: true };
  const { failed } = await deletePaths(deps, { ...AMY, hangUp: hangUp.signal }, deletion, async () => {});
  expect(failed).toEqual([
    { path: 'm/', problem: left },
    { path: 'n/', problem: left },
  ]);
  expect(bin.ids()).toEqual([]);
});

test('files of a folder count only once its path is known to be free', async () => {
  const { deps, steps } = world({ restoreFromBin: fails('FILE_EXISTS') }, {}, [
    entryOf('m', [{ path: '/a.ts', bytes: 1 }]),
  ]);
  await expect(restoreEntry(deps, AMY, 'm')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  expect(steps).toEqual([]);
});

test('an entry whose file surely stayed is dropped, and one whose file may be in the bin is kept', async () => {
  const missing = world({ keepInBin: fails('FILE_NOT_FOUND') });
  expect((await missing.keep()).failed).toMatchObject([{ problem: { code: 'FILE_NOT_FOUND' } }]);
  expect(missing.bin.ids()).toEqual([]);
  const refused = world({
    keepInBin: async (_root, _path, _entry, record) => {
      await record.add('');
      await record.remove();
      return fails('STORAGE_FAULT')();
    },
  });
  expect((await refused.keep()).failed).toMatchObject([{ problem: { code: 'STORAGE_FAULT' } }]);
  expect(refused.bin.ids()).toEqual([]);
  const unclear = world({
    keepInBin: async (_root, _path, _entry, record) => {
      await record.add('');
      return fails('STORAGE_FAULT')();
    },
  });
  expect((await unclear.keep()).failed).toMatchObject([{ problem: { code: 'STORAGE_FAULT' } }]);
  expect((await listBin(unclear.deps, AMY, 9)).entries).toMatchObject([{ path: 'a.mp4', bytes: 5 }]);
});

test('only an entry whose files are surely gone is dropped when it is to be restored', async () => {
  const gone = world({ restoreFromBin: async () => undefined });
  await expect(restoreEntry(gone.deps, AMY, await gone.kept())).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
  });
  expect(gone.bin.ids()).toEqual([]);
  // Such as a folder of the new path that another request removes, a bin on a disk that is not mounted, and a path that is taken.
  for (const code of ['FILE_NOT_FOUND', 'STORAGE_FAULT', 'FILE_EXISTS'] as const) {
    const { deps, kept } = world({ restoreFromBin: fails(code) });
    const entryId = await kept();
    await expect(restoreEntry(deps, AMY, entryId)).rejects.toMatchObject({ code });
    expect((await listBin(deps, AMY, 9)).entries.map((entry) => entry.entryId)).toEqual([entryId]);
  }
});

/** A promise that a test resolves. */
const gate = () => Promise.withResolvers<void>();

test('files that are being deleted cannot be restored, also after the deletion has failed', async () => {
  const [begun, may] = [gate(), gate()];
  const { deps, bin, kept } = world({
    purgeFromBin: async () => {
      begun.resolve();
      await may.promise;
      return fails('STORAGE_FAULT')();
    },
  });
  const entryId = await kept();
  const deleting = deleteEntry(deps, AMY, entryId);
  await begun.promise;
  const restore = () => restoreEntry(deps, AMY, entryId);
  await expect(restore()).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  may.resolve();
  await expect(deleting).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  await expect(restore()).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await bin.expired(9), 'for the sweep').toMatchObject([{ entryId }]);
});

test('an entry that is being restored is neither deleted, nor emptied, nor restored twice', async () => {
  const [begun, may] = [gate(), gate()];
  const purged: string[] = [];
  const { deps, bin, kept } = world({
    restoreFromBin: async (_root, _entry, path) => {
      begun.resolve();
      await may.promise;
      return { kind: 'folder', path };
    },
    purgeFromBin: async (_root, { entryId }) => {
      purged.push(entryId);
      return true;
    },
  });
  const entryId = await kept();
  const restoring = restoreEntry(deps, AMY, entryId);
  await begun.promise;
  const isBusy = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };
  await expect(restoreEntry(deps, AMY, entryId, { to: 'b.mp4' })).rejects.toMatchObject(isBusy);
  await expect(deleteEntry(deps, AMY, entryId)).rejects.toMatchObject(isBusy);
  await emptyBin(deps, AMY);
  expect(purged).toEqual([]);
  may.resolve();
  expect(await restoring).toMatchObject({ entry: { path: 'a.mp4' } });
  expect(bin.ids()).toEqual([]);
});

test('a restore that lost its entry to a deletion does not say that all files are back', async () => {
  const { deps, bin, kept } = world({
    restoreFromBin: async (_root, { entryId }, path) => {
      // As after a pause of this process that is longer than the hold.
      await bin.remove(entryId);
      return { kind: 'folder', path };
    },
  });
  await expect(restoreEntry(deps, AMY, await kept())).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
});

test('files that were copied back are deleted from the bin, and never restored twice if that fails', async () => {
  const states: unknown[] = [];
  const { deps, bin, kept } = world({
    purgeFromBin: async (_root, { entryId }) => {
      states.push(await bin.find('amy', entryId));
      return fails('STORAGE_FAULT')();
    },
  });
  const entryId = await kept();
  expect(await restoreEntry(deps, AMY, entryId)).toMatchObject({ entry: { path: 'a.mp4' } });
  expect(states, 'given up before the deletion').toEqual([undefined]);
  await expect(restoreEntry(deps, AMY, entryId, { to: 'b.mp4' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await bin.expired(9), 'for the sweep').toMatchObject([{ entryId }]);
});

test('files that arrive in the bin after their entry was deleted are deleted too', async () => {
  const purged: string[] = [];
  const { bin, keep } = world({
    keepInBin: async (_root, _path, { entryId }, record) => {
      await record.add('');
      await bin.remove(entryId);
    },
    purgeFromBin: async (_root, { entryId }) => {
      purged.push(entryId);
      return true;
    },
  });
  expect((await keep()).failed).toMatchObject([{ path: 'a.mp4', problem: { code: 'FILE_NOT_FOUND' } }]);
  expect(purged).toHaveLength(1);
});

test('a deletion that lost its entry to a restore deletes no files of it', async () => {
  const purged: string[] = [];
  const bin = memoryBin();
  const { keep } = world(
    {
      purgeFromBin: async (_root, { entryId }) => {
        purged.push(entryId);
        return true;
      },
    },
    // As after a pause of this process that is longer than the hold.
    { bin: { ...bin, release: async () => false } },
  );
  expect((await keep()).deleted).toMatchObject([{ path: 'a.mp4', entry: { path: 'a.mp4' } }]);
  expect([purged, bin.ids().length]).toEqual([[], 1]);
});

test('emptying the bin goes on after an entry that cannot be deleted, and then says so', async () => {
  const { deps, bin } = world(
    { purgeFromBin: async (_root, { entryId }) => (entryId === 'away' ? false : entryId === 'b') },
    {},
    [entryOf('away'), entryOf('b')],
  );
  await expect(emptyBin(deps, AMY)).rejects.toMatchObject({
    code: 'STORAGE_FAULT',
    message: expect.stringContaining('"away.mp4"'),
  });
  expect(bin.ids()).toEqual(['away']);
  expect((await listBin(deps, AMY, 9)).sizeBytes).toBe(0);
});

test('an entry of a disk that does not reply is gone for its client, who is told when its files are deleted', async () => {
  const { deps } = world({ purgeFromBin: fails('UNAVAILABLE') }, {}, [entryOf('a'), entryOf('b')]);
  const later = { code: 'STORAGE_FAULT', message: expect.stringContaining('are deleted when it is back') };
  await expect(deleteEntry(deps, AMY, 'a')).rejects.toMatchObject(later);
  await expect(emptyBin(deps, AMY)).rejects.toMatchObject(later);
  expect((await listBin(deps, AMY, 9)).entries).toEqual([]);
});

test('files that do not fit into the quota leave nothing reserved, however many of them were counted', async () => {
  const counted = Array.from({ length: 1200 }, (_, index) => ({ path: `/${index}.ts`, bytes: 1 }));
  const versions = new Set<string>();
  let some = 0;
  const count: BinDeps['stored']['count'] = async (_clientId, files, { version }) => {
    versions.add(version);
    some += files.length;
    if (some > 1000) await fails('QUOTA_EXCEEDED')();
  };
  const stored = { find: async () => [], below: async () => [], count, used: async () => 0 };
  const { deps, steps } = world({}, { stored }, [entryOf('m', counted)]);
  await expect(restoreEntry(deps, AMY, 'm')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const [version = ''] = versions;
  expect(steps).toEqual([`recount 1200 of ${version}: false`]);
  expect((await listBin(deps, AMY, 9)).entries).toHaveLength(1);
});

test('the jobs are read once for all paths of a deletion, and each path that one uses stays', async () => {
  let reads = 0;
  const unfinished = {
    unfinished: async function* () {
      reads += 1;
      for (const [index, input] of ['in/7.mp4', 'other/8.mp4', 'm/deep/x.mp4'].entries())
        yield {
          jobId: `job-${index}`,
          status: 'PENDING' as const,
          request: JSON.stringify({ input, output: 'out.mp4' }),
        };
    },
  };
  const { keep } = world({}, { unfinished });
  const paths = [...Array.from({ length: 100 }, (_, index) => `in/${index}.mp4`), 'm/', '../x'];
  const { deleted, failed } = await keep(...paths);
  expect(reads).toBe(1);
  expect(deleted).toHaveLength(99);
  expect(failed).toMatchObject([
    { path: 'in/7.mp4', problem: { code: 'FILE_IN_USE', message: expect.stringContaining('job-0') } },
    { path: 'm/', problem: { code: 'FILE_IN_USE', message: expect.stringContaining('job-2') } },
    { path: '../x', problem: { code: 'INVALID_REQUEST', errors: [{ field: '/paths/101' }] } },
  ]);
});

test('a service that keeps nothing refuses to, and deletes nothing', async () => {
  const { keep } = world({}, { keepSeconds: 0 });
  await expect(keep()).rejects.toMatchObject({ errors: [{ field: '/keep', code: 'NOT_KEPT' }] });
});

test('a restored file takes the place of another one, which goes to the bin and comes back the same way', async () => {
  const restoreFromBin: BinDeps['store']['restoreFromBin'] = async (_root, _entry, path, replaced) => {
    if (replaced === undefined) return fails('FILE_EXISTS')();
    const facts = { path, sizeBytes: 7, modifiedAt: new Date(0), fingerprint: 'f' };
    await replaced.add('data of the engine', facts);
    return { kind: 'file', ...facts };
  };
  const counted = [{ path: 'a.mp4', bytes: 7, version: 'v' }];
  const { deps, bin, kept, steps } = world(
    { restoreFromBin },
    { stored: { find: async () => counted, below: async () => [], count: async () => {}, used: async () => 0 } },
  );
  const entryId = await kept();
  await expect(restoreEntry(deps, AMY, entryId)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  const { replaced } = await restoreEntry(deps, AMY, entryId, { replace: true });
  expect(replaced).toMatchObject({ path: 'a.mp4', bytes: 7, counted: [{ path: '', bytes: 7 }] });
  expect(bin.ids(), 'the entry that was restored is gone').toEqual([replaced?.entryId]);
  expect(steps.at(-1)).toMatch(/^recount 1 of .*: true$/);
  const again = await restoreEntry(deps, AMY, replaced?.entryId ?? '', { replace: true });
  expect((await listBin(deps, AMY, 9)).entries).toEqual([again.replaced]);
});

test('a service that keeps nothing any more replaces nothing by a restore', async () => {
  const { deps } = world(
    {
      restoreFromBin: async (_root, _entry, _path, replaced) =>
        fails(replaced === undefined ? 'FILE_EXISTS' : 'NO_SPACE')(),
    },
    { keepSeconds: 0 },
    [entryOf('old')],
  );
  await expect(restoreEntry(deps, AMY, 'old', { replace: true })).rejects.toMatchObject({ code: 'FILE_EXISTS' });
});

/** A client with the quota of 100 bytes, of which 90 are used, and a file of 20 bytes that counts for `owners`. */
function withQuota(owners: readonly string[]) {
  const files = owners.map((clientId) => ({ clientId, path: 'a.mp4', bytes: 20, version: 'v' }));
  const { bin, deps } = world(
    { open: async () => ({ sizeBytes: 20, close: async () => {} }) as OpenFile },
    {
      stored: {
        find: async () => files.filter(({ clientId }) => clientId === 'amy'),
        ...{ below: async () => [], count: async () => {}, used: async () => 90 },
      },
      others: { ...NO_OTHERS, find: async () => files.filter(({ clientId }) => clientId !== 'amy') },
    },
  );
  const caller = { ...AMY, policy: { ...AMY.policy, storage: 100 } };
  return { bin, keep: () => deletePaths(deps, caller, { paths: ['a.mp4'], keep: true }, async () => {}) };
}

test.each([
  ['the client itself', true, ['amy']],
  ['the client and another one', true, ['amy', 'bob']],
  ['another client', false, ['bob']],
  ['no client', false, []],
] as const)('a client near its quota can keep a file in the bin that counts for %s: %s', async (_who, fits, owners) => {
  const { bin, keep } = withQuota(owners);
  const { deleted, failed } = await keep();
  expect([deleted.length, bin.ids().length]).toEqual(fits ? [1, 1] : [0, 0]);
  if (!fits) expect(failed).toMatchObject([{ problem: { code: 'QUOTA_EXCEEDED', quota: { used: 90, limit: 100 } } }]);
});

test('a folder with too many files of other clients for one entry is not kept', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => ({ clientId: 'bob', path: `m/${index}`, bytes: 1 }));
  const { bin, keep } = world({}, { others: { ...NO_OTHERS, find: async (_id, _entry, most) => many.slice(0, most) } });
  expect((await keep('m/')).failed).toMatchObject([
    {
      problem: {
        errors: [
          {
            field: '/paths',
            code: 'TOO_MANY',
            message: expect.stringContaining('the bin keeps'),
          },
        ],
      },
    },
  ]);
  expect(bin.ids()).toEqual([]);
});

/** A bin with as many entries as it may have, all from before today. */
const FULL = Array.from({ length: MAX_ENTRIES }, (_, index) => entryOf(`full-${String(index).padStart(5, '0')}`));

test('a full bin gives up its oldest entry for a new one, and that of another client stays', async () => {
  const purged: string[] = [];
  const store: Partial<BinDeps['store']> = {
    purgeFromBin: async (_root, { entryId }) => {
      purged.push(entryId);
      return true;
    },
  };
  const others = { ...entryOf('of-bob'), clientId: 'bob', deletedAt: '2025-01-01T00:00:00.000Z' };
  const { bin, keep } = world(store, {}, [others, ...FULL.slice(1)]);
  await keep('a.mp4');
  expect([purged, await bin.count('amy')], 'the last one that fits').toEqual([[], MAX_ENTRIES]);
  expect((await keep('b.mp4')).deleted).toMatchObject([{ path: 'b.mp4', entry: { path: 'b.mp4' } }]);
  expect([purged, await bin.count('amy'), await bin.count('bob')]).toEqual([['full-00001'], MAX_ENTRIES, 1]);
});

test('a bin never has more bytes than the quota of its client, and gives up the oldest entries that make the room', async () => {
  const own = { ...AMY, policy: { storage: 100 } } as Caller;
  const sized = (entryId: string, bytes: number): BinEntry => ({ ...entryOf(entryId), bytes });
  const entries = [
    ...Array.from({ length: 30 }, (_, index) => sized(`small-${index}`, 1)),
    sized('a', 30),
    sized('b', 40),
  ];
  const purged: string[] = [];
  const { bin, deps } = world(
    {
      open: async () => ({ sizeBytes: 60, close: async () => {} }) as OpenFile,
      purgeFromBin: async (_root, { entryId }) => purged.push(entryId) > 0,
    },
    {
      stored: {
        find: async (_, paths) => paths.map((path) => ({ path, bytes: 60, version: 'v' })),
        below: async () => [],
        count: async () => {},
        used: async () => 60,
      },
    },
    entries,
  );
  const keep = () => deletePaths(deps, own, { paths: ['a.mp4'], keep: true }, async () => {});
  await keep();
  expect([purged, await bin.used('amy')]).toEqual([['a', 'b'], 90]);
  await keep();
  expect(await bin.used('amy'), 'the entry before').toBe(90);
  expect(purged).toHaveLength(3);
  const withoutQuota = world({}, {}, entries);
  await withoutQuota.keep();
  expect(await withoutQuota.bin.used('amy')).toBe(105);
});

test('a file for which a full bin cannot make room stays where it is, and its client learns what to send', async () => {
  let moved = 0;
  const { bin, keep } = world(
    {
      // Like the engines: nothing moves without a record.
      keepInBin: async (_root, _path, _entry, record) => {
        await record.add('').catch(async (error: unknown) => {
          await record.remove();
          throw error;
        });
        moved += 1;
      },
      purgeFromBin: async (_root, { entryId }) => (entryId === 'full-00000' ? fails('STORAGE_FAULT')() : true),
    },
    {},
    FULL,
  );
  expect((await keep()).failed).toMatchObject([
    { path: 'a.mp4', problem: { code: 'UNAVAILABLE', message: expect.stringContaining('without "keep"') } },
  ]);
  expect([moved, await bin.count('amy')]).toEqual([0, MAX_ENTRIES]);
  expect((await keep()).deleted, 'the next oldest one gives room').toHaveLength(1);
});

test('a folder whose files have too long paths for one entry is not kept', async () => {
  const counted = Array.from({ length: 1001 }, (_, index) => ({
    ...{ path: `m/${String(index).padStart(2000, '0')}`, bytes: 1, version: 'v' },
  }));
  const stored = { find: async () => [], below: pagesOf(counted), count: async () => {}, used: async () => 0 };
  const { bin, keep } = world({}, { stored });
  const problem = { errors: [{ code: 'TOO_LONG' }] };
  expect((await keep('m/')).failed).toMatchObject([{ problem }]);
  expect(bin.ids()).toEqual([]);
  counted.splice(0, 2);
  expect((await keep('m/')).deleted).toHaveLength(1);
});

test('a file of another client that a restore replaces counts no longer, and counts again when it comes back', async () => {
  const changes: string[] = [];
  const { deps, kept } = world(
    {
      restoreFromBin: async (_root, _entry, path, replaced) => {
        const facts = { path, sizeBytes: 7, modifiedAt: new Date(0), fingerprint: 'f' };
        await replaced?.add('', facts);
        return { kind: 'file', ...facts };
      },
    },
    {
      others: {
        find: async () => [{ clientId: 'bob', path: 'a.mp4', bytes: 7, version: 'v' }],
        change: (_clientId, files, to) => ({
          begin: async () => {},
          end: async (hasMoved) => {
            for (const { clientId, path } of files) changes.push(`${clientId} ${to?.(path) ?? 'nowhere'} ${hasMoved}`);
          },
        }),
      },
    },
  );
  const entryId = await kept();
  changes.length = 0;
  const { replaced } = await restoreEntry(deps, AMY, entryId, { replace: true });
  expect(replaced?.counted).toEqual([{ path: '', bytes: 7, clientId: 'bob' }]);
  expect(changes).toEqual(['bob a.mp4 true', 'bob nowhere true']);
});
