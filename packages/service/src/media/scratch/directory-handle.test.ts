import { pbkdf2 } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { allEnded, MAX_NEW_FOLDERS, makeDirectories, openDirectory } from './directory-handle.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telecine-folder-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.skipIf(process.platform !== 'linux')(
  'a call that waits in the thread pool never reaches a folder that is opened later',
  async () => {
    const [mine, ofOther] = [newFolder(), newFolder()];
    const folder = await openDirectory(mine, true);
    // Occupy all threads of the pool.
    const work = Array.from({ length: 16 }, () => promisify(pbkdf2)('a', 'b', 20_000, 32, 'sha256'));
    const late = mkdir(folder.pathOf('late')).catch(() => undefined);
    const closed = folder.close();
    const other = await openDirectory(ofOther, true);
    await Promise.all([late, closed, ...work]);
    await other.close();
    expect(readdirSync(ofOther)).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a path with many missing folders opens few of them at the same time, and closes all but the last',
  async () => {
    const real = newFolder();
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    let [most, isDone] = [0, false];
    const watch = (): void => {
      most = Math.max(most, open());
      if (!isDone) setImmediate(watch);
    };
    watch();
    await using folder = await makeDirectories(
      real,
      Array.from({ length: MAX_NEW_FOLDERS }, () => 'a'),
      true,
    );
    isDone = true;
    expect(most - before).toBeLessThan(50);
    expect(open() - before).toBe(1);
    expect(existsSync(folder.pathOf('.'))).toBe(true);
  },
);

test('a path with more missing folders than are allowed creates none of them', async () => {
  const real = newFolder();
  const names = Array.from({ length: MAX_NEW_FOLDERS + 1 }, () => 'a');
  await expect(makeDirectories(real, names)).rejects.toMatchObject({ conflict: 'new-folders' });
  expect(readdirSync(real)).toEqual([]);
});

test('a folder that was closed has no path any more', async () => {
  const folder = await openDirectory(newFolder(), true);
  await folder.close();
  await folder.close();
  if (process.platform === 'linux') await expect(mkdir(folder.pathOf('late'))).rejects.toThrow('ENOENT');
  await expect(folder.stats()).rejects.toThrow();
});

test('waits for all calls before it reports the first that failed', async () => {
  const ended: string[] = [];
  const after = (turns: number, name: string) =>
    new Promise<string>((resolve) => {
      const wait = (left: number): void => {
        if (left > 0) setImmediate(wait, left - 1);
        else resolve(name);
      };
      wait(turns);
    }).then((value) => void ended.push(value));
  await expect(allEnded([after(1, 'a'), Promise.reject(new Error('b')), after(9, 'c')])).rejects.toThrow('b');
  expect(ended).toEqual(['a', 'c']);
});
