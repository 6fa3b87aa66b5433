import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, onTestFinished, test } from 'vitest';
import { DiskUnavailable } from '../paths/remote-calls.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { listFolder } from './list-folder.ts';
import { listTree } from './list-tree.ts';

test('a list leaves out a symlink to a disk that hangs, and is rejected if the disk only had no turn, and so are the files of a ZIP', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'list-folder-')));
  onTestFinished(() => rm(root, { recursive: true }));
  const nas = join(root, 'm/nas');
  await mkdir(nas, { recursive: true });
  await symlink('nas/a', join(root, 'm/link'));
  const isOfNas = (path: string): boolean => path === nas || path.startsWith(`${nas}/`);
  const boundaryWith = (isHanging: boolean): RootBoundary => ({
    root,
    isReserved: undefined,
    disks: {
      isLocal: () => false,
      diskOf: (path) => (isOfNas(path) ? nas : ''),
      call: async (path, call) => {
        if (isOfNas(path)) throw new DiskUnavailable(nas, 'No reply.', isHanging);
        return call();
      },
    },
  });
  const list = (isHanging: boolean) => listFolder(boundaryWith(isHanging), { folder: 'm/', nameStart: '', limit: 9 });
  expect(await list(true)).toEqual({ entries: [{ kind: 'folder', path: 'm/nas/' }], more: false });
  await expect(list(false)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  for (const isHanging of [true, false])
    await expect(listTree(boundaryWith(isHanging), 'm' as MediaPath, { most: 9, signal: NEVER })).rejects.toMatchObject(
      {
        code: 'UNAVAILABLE',
      },
    );
});
