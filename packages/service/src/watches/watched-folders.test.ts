import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { FileFacts, FileStore } from '../files/ports.ts';
import { watchedFolders } from './watched-folders.ts';

const ROOT = mediaRoot('/media');

function foldersWith(tree: Problem | readonly string[] | undefined, isBucket = false) {
  const facts = (fingerprint: string): FileFacts => ({
    ...{ path: 'in/a.mov' as MediaPath, sizeBytes: 5, fingerprint },
    modifiedAt: new Date(0),
  });
  const store = {
    listTree: async () => {
      if (tree instanceof Problem) throw tree;
      return tree && { files: tree.map(facts), entries: tree.length };
    },
  } as unknown as FileStore;
  return watchedFolders(store, { statPaths: async () => [] }, () => isBucket);
}

test.each<[ProblemCode, RegExp]>([
  ['FILE_NOT_FOUND', /Create the folder/],
  ['INVALID_REQUEST', /Ask the operator for access/],
  ['STORAGE_FAULT', /again in a minute/],
  ['UNAVAILABLE', /again in a minute/],
])('a folder that cannot be read because of %s gets its own fix', async (code, fix) => {
  await expect(foldersWith(new Problem(code, 'No.')).list(ROOT, 'in/', NEVER)).rejects.toMatchObject({
    ...{ code: 'FOLDER_UNREACHABLE', message: expect.stringContaining('"in/"') },
    fix: expect.stringMatching(fix),
  });
});

test('a folder with too many files cannot be watched', async () => {
  await expect(foldersWith(undefined).list(ROOT, '', NEVER)).rejects.toMatchObject({
    ...{ code: 'FOLDER_UNREACHABLE', message: expect.stringContaining('"/" cannot be read: it has more than') },
  });
});

test('a bucket without objects below a folder is an empty folder', async () => {
  const problem = new Problem('FILE_NOT_FOUND', 'No.');
  expect(await foldersWith(problem, true).list(ROOT, 'in/', NEVER)).toEqual([]);
});

test('a file has the key of its inode on a disk, of its content in a bucket, and none without stable inodes', async () => {
  const found = await foldersWith(['77:5:1700', 'd41d8cd9-2:5', '5:1700']).list(ROOT, 'in/', NEVER);
  expect(found.map(({ fileKey, version }) => [fileKey, version])).toEqual([
    ['77', '5:1700'],
    ['d41d8cd9-2:5', 'd41d8cd9-2:5'],
    [undefined, '5:1700'],
  ]);
});
