import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listTree } from '../files/list-tree.ts';
import { mediaDisks } from './media-disks.ts';
import { openBoundary } from './root-boundary.ts';

test('media roots and folders on a local disk are read while all calls to other disks hang', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const mediaRoot = await realpath(await mkdtemp(join(tmpdir(), 'media-disks-')));
  onTestFinished(() => rm(mediaRoot, { recursive: true }));
  await writeFile(join(mediaRoot, 'in.mov'), 'film');
  const disks = mediaDisks({ threads: 2, timeoutMs: 1000 });
  // Not a local file system, so its calls count as those of a disk that could hang.
  const hanging = disks.calls('/proc', () => new Promise(() => {}));
  hanging.catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  await expect(hanging).rejects.toMatchObject({ code: 'UNAVAILABLE', disk: '/proc' });
  await expect(disks.calls('/sys', async () => 'reply')).rejects.toMatchObject({ code: 'UNAVAILABLE' });

  expect(await openBoundary(mediaRoot, () => undefined, disks)).toMatchObject({ root: mediaRoot });
  const boundary = await openBoundary(mediaRoot, () => undefined, disks);
  expect((await listTree(boundary, '' as MediaPath, { most: 9, signal: NEVER }))?.files).toMatchObject([
    { path: 'in.mov', sizeBytes: 4 },
  ]);
});

test('a media root of which nobody knows whether it is on a network is read in the thread pool', async () => {
  const { isLocal } = mediaDisks();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'media-disks-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink('/proc', join(folder, 'link'));
  expect(await isLocal(folder)).toBe(true);
  expect(await isLocal('/proc')).toBe(false);
  expect(await isLocal(join(folder, 'link')), 'behind a symlink').toBe(false);
});
