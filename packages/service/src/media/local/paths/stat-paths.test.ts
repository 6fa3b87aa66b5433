import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { replaceFsCall } from '../../../../../../test/support/replace-fs-call.ts';
import { localDisks } from './media-disks.ts';
import { remoteCalls } from './remote-calls.ts';
import { localRoot } from './root-boundary.ts';
import { createPathStats } from './stat-paths.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telecine-stats-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each([true, false])(
  'finds the files of a media root and not its reserved paths; local disk: %s',
  async (isLocal) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'in.mp4'), 'film');
    const roots: string[] = [];
    const reserved = (root: string) => {
      roots.push(root);
      return (path: string) => path === join(folder, 'keys');
    };
    const statPaths = createPathStats(reserved, { isLocal: async () => isLocal, calls: remoteCalls() });
    expect(await statPaths(localRoot(folder), ['in.mp4', 'keys', 'none'] as MediaPath[])).toMatchObject([
      { kind: 'file' },
      { kind: 'outside' },
      { kind: 'missing' },
    ]);
    expect(roots).toEqual([folder]);
  },
);

test.each(['a path', 'the media root'])(
  'the stats of %s of a disk that does not reply are not waited for, and none of it is called missing',
  async (hanging) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = newFolder();
    writeFileSync(join(folder, 'in.mp4'), 'film');
    const asked = Promise.withResolvers<void>();
    const reply = Promise.withResolvers<never>();
    replaceFsCall(hanging === 'a path' ? 'lstat' : 'realpath', () => () => {
      asked.resolve();
      return reply.promise;
    });
    const calls = remoteCalls();
    const isOnLocalDisk = hanging === 'a path' ? async () => false : localDisks(calls);
    const statPaths = createPathStats(() => () => false, { isLocal: isOnLocalDisk, calls });
    const stats = async () => statPaths(localRoot(folder), ['in.mp4', 'out.mp4'] as MediaPath[]);
    const found = expect(stats()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(30_000);
    await found;
    await expect(stats(), 'at once').rejects.toMatchObject({ code: 'UNAVAILABLE' });
    reply.reject(new Error('EIO'));
  },
);

test('a media root that cannot be read counts as a remote disk until it can', async () => {
  const folder = join(newFolder(), 'later');
  const isOnLocalDisk = localDisks(remoteCalls());
  expect(await isOnLocalDisk(folder)).toBe(false);
  mkdirSync(folder);
  expect(await isOnLocalDisk(folder)).toBe(true);
});
