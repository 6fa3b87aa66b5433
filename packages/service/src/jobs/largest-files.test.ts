import type { Caller } from '@telecine/contract/domain/client.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { StoredFile, WalkFiles } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { largestFilesReader, largestOf } from './largest-files.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['files:read'], root: mediaRoot('/srv/media'), policy: {} };

const FILES: readonly StoredFile[] = [
  { path: 'a-film.mp4', bytes: 30 },
  { path: 'a/1.mp4', bytes: 10 },
  { path: 'a/b/2.mp4', bytes: 40 },
  { path: 'c.mp4', bytes: 20 },
  { path: 'd/3.mp4', bytes: 60 },
];

const found = (folder: string, limit: number) => {
  const largest = largestOf(folder, limit);
  for (const file of FILES) if (file.path.startsWith(folder)) largest.add(file);
  return largest.result();
};

test('adds up the files of each folder with those of the folders in it, the largest first', () => {
  expect(found('', 2)).toEqual({
    ...{ files: 5, bytes: 160 },
    largestFolders: [
      { path: 'd/', files: 1, bytes: 60 },
      { path: 'a/', files: 2, bytes: 50 },
    ],
    largestFiles: [
      { path: 'd/3.mp4', bytes: 60 },
      { path: 'a/b/2.mp4', bytes: 40 },
    ],
  });
  expect(found('a/', 9)).toEqual({
    ...{ files: 2, bytes: 50 },
    largestFolders: [{ path: 'a/b/', files: 1, bytes: 40 }],
    largestFiles: [
      { path: 'a/b/2.mp4', bytes: 40 },
      { path: 'a/1.mp4', bytes: 10 },
    ],
  });
});

test('a client without files has none', () => {
  expect(largestOf('', 9).result()).toEqual({ files: 0, bytes: 0, largestFolders: [], largestFiles: [] });
});

/** A client with so many files. `steps`: the parts that were read. */
function world(count: number) {
  const paths = Array.from(
    { length: count },
    (_, index) => `${index % 7}/${String(index).padStart(6, '0')}`,
  ).toSorted();
  const steps: number[] = [];
  const walk: WalkFiles = async function* (_root, folder, signal) {
    const below = paths.filter((path) => path.startsWith(folder));
    for (let first = 0; first < below.length; first += 5000) {
      signal.throwIfAborted();
      steps.push(first);
      yield below.slice(first, first + 5000).map((path) => ({ path, bytes: 1 }));
    }
    yield [{ path: '.telecine/bin/a', bytes: 99 }];
  };
  const deps = {
    walk,
    clientContextOf: async () => ({ root: AMY.root }),
    limitsOf: async (clientId: string) => (clientId === 'bob' ? {} : undefined),
  };
  return { deps, steps };
}

test('reads many files in parts, each once, and leaves out the bin', async () => {
  const { deps, steps } = world(12_000);
  const read = largestFilesReader(deps);
  const largest = await read(AMY, { limit: 3 }, NEVER);
  expect(largest).toMatchObject({ clientId: 'amy', folder: '', files: 12_000, bytes: 12_000 });
  expect(largest.largestFolders.map(({ files }) => files)).toEqual([1715, 1715, 1714]);
  expect(steps).toHaveLength(3);
  // The slash may be left out.
  expect(await read(AMY, { folder: '3', limit: 1 }, NEVER)).toMatchObject({ folder: '3/', files: 1714 });
});

test('rejects a folder outside the media root', async () => {
  const read = largestFilesReader(world(5).deps);
  for (const folder of ['..', 'a/../../b', '.telecine/bin/', 'a\0'])
    await expect(read(AMY, { folder, limit: 1 }, NEVER), folder).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('only an administrator sees the files of another client, which must exist', async () => {
  const read = largestFilesReader(world(5).deps);
  const admin: Caller = { ...AMY, scopes: ['admin'] };
  await expect(read(AMY, { client: 'bob', limit: 1 }, NEVER)).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
  });
  expect(await read(admin, { client: 'bob', limit: 1 }, NEVER)).toMatchObject({ clientId: 'bob', files: 5 });
  await expect(read(admin, { client: 'eve', limit: 1 }, NEVER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('reads no further files for a client that has disconnected', async () => {
  const { deps, steps } = world(12_000);
  const hangUp = new AbortController();
  const walk: WalkFiles = async function* (...args) {
    for await (const part of deps.walk(...args)) {
      hangUp.abort(new Error('gone'));
      yield part;
    }
  };
  const read = largestFilesReader({ ...deps, walk });
  await expect(read(AMY, { limit: 1 }, hangUp.signal)).rejects.toThrow('gone');
  expect(steps).toHaveLength(1);
});

test('rejects a third sum of a client while two are in progress', async () => {
  const read = largestFilesReader(world(5).deps);
  const first = [read(AMY, { limit: 1 }, NEVER), read(AMY, { limit: 1 }, NEVER)];
  await expect(read(AMY, { limit: 1 }, NEVER)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await Promise.all(first)).toMatchObject([{ files: 5 }, { files: 5 }]);
  expect(await read(AMY, { limit: 1 }, NEVER)).toMatchObject({ files: 5 });
});
