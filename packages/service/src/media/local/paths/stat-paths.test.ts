import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, onTestFinished, test } from 'vitest';
import { localRoot } from './root-boundary.ts';
import { createPathStats, localDisks } from './stat-paths.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telecine-stats-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each([true, false])(
  'finds the reserved paths of a media root once for all submissions; local disk: %s',
  async (isLocal) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'in.mp4'), 'film');
    const roots: string[] = [];
    const reserved = (root: string) => {
      roots.push(root);
      return (path: string) => path === join(folder, 'keys');
    };
    // Like `localDisks`, return a promise the first time, and then the known result.
    let asked = 0;
    const isOnLocalDisk = () => (asked++ === 0 ? Promise.resolve(isLocal) : isLocal);
    const statPaths = createPathStats(reserved, isOnLocalDisk);
    for (let submission = 0; submission < 3; submission += 1)
      expect(await statPaths(localRoot(folder), ['in.mp4', 'keys', 'none'] as MediaPath[])).toMatchObject([
        { kind: 'file' },
        { kind: 'outside' },
        { kind: 'missing' },
      ]);
    expect(roots).toEqual([folder]);
  },
);

test('a media root that cannot be read counts as a remote disk until it can', async () => {
  const folder = join(newFolder(), 'later');
  const isOnLocalDisk = localDisks();
  expect(await isOnLocalDisk(folder)).toBe(false);
  mkdirSync(folder);
  expect(await isOnLocalDisk(folder)).toBe(true);
  expect(isOnLocalDisk(folder)).toBe(true);
});
