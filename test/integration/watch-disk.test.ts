import { execFile } from 'node:child_process';
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { type WatchedFoldersWorld, watchedFoldersContract } from '../contracts/watched-folders.ts';
import { type DiskWatch, openDiskWatch } from '../fixtures/disk-watch.ts';
import { at } from '../fixtures/media-plans.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { watchedFolder } from '../support/watched-folder.ts';

const run = promisify(execFile);

describe.each([
  ['local', true],
  ['remote', false],
])('on a %s disk', (_kind, isLocal) => {
  const opened = async (): Promise<DiskWatch> => {
    const watch = await openDiskWatch(await testFolder('watch'), { isLocal });
    onTestFinished(watch.close);
    return watch;
  };

  watchedFoldersContract(async (): Promise<WatchedFoldersWorld> => {
    const { folders, root, mediaRoot } = await opened();
    const [folder, away] = [join(mediaRoot, 'in'), join(mediaRoot, 'away')];
    return {
      ...{ folders, root },
      put: async (path, content) => {
        await mkdir(dirname(join(mediaRoot, path)), { recursive: true });
        await writeFile(join(mediaRoot, path), content);
      },
      remove: (path) => rm(join(mediaRoot, path)),
      rename: (from, to) => rename(join(mediaRoot, from), join(mediaRoot, to)),
      setReachable: (isReachable) => (isReachable ? rename(away, folder) : rename(folder, away)),
    };
  });

  test('a found file has its size, its time and its inode, and the data of the service are not found', async () => {
    const watch = await opened();
    await mkdir(watch.at('data'));
    for (const name of ['1.mov', 'data/2.mov']) await writeFile(watch.at(name), name);
    const { size, mtimeNs, ino } = await stat(watch.at('1.mov'), { bigint: true });
    expect(await watch.list()).toEqual([
      { path: 'in/1.mov', bytes: 5, version: `${size}:${mtimeNs}`, fileKey: `${ino}` },
    ]);
    const found = await watch.folders.find(watch.root, at('in/1.mov'));
    expect(found?.isOutput(`${ino}:${size}:${mtimeNs}`)).toBe(true);
    expect(found?.isOutput(`${ino}:${size}:1`)).toBe(false);
  });

  test('names that no request can have are left out', async () => {
    const watch = await opened();
    await mkdir(watch.at('a'));
    await writeFile(watch.at('1.mov'), '');
    await writeFile(watch.at('a/line\nbreak.mov'), '');
    await writeFile(Buffer.concat([Buffer.from(watch.at('a/')), Buffer.from([0xff]), Buffer.from('.mov')]), '');
    expect(await watch.paths()).toEqual(['in/1.mov']);
  });

  test('follows a symlink to a file in the media root, but no other', async () => {
    const watch = await opened();
    await writeFile(join(watch.mediaRoot, 'film.mov'), 'film');
    await mkdir(join(watch.mediaRoot, 'folder'));
    await symlink('../film.mov', watch.at('inside.mov'));
    await symlink('/etc/passwd', watch.at('outside.mov'));
    await symlink('../folder', watch.at('folder'));
    await symlink('.', watch.at('circle'));
    await symlink('nowhere.mov', watch.at('broken.mov'));
    expect(await watch.paths()).toEqual(['in/inside.mov']);
  });

  test('a folder that became a symlink out of the media root is unreachable', async () => {
    const watch = await opened();
    await rm(watch.at(''), { recursive: true });
    await symlink('/etc', join(watch.mediaRoot, 'in'));
    await expect(watch.list()).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  });

  test('a missing media root is unreachable', async () => {
    const watch = await opened();
    await rename(watch.mediaRoot, `${watch.mediaRoot}-away`);
    for (const folder of ['in/', ''])
      await expect(watch.list(folder)).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  });

  // A remote disk is read by calls in the thread pool, which take minutes on a busy machine.
  const COUNT = isLocal ? 10_000 : 500;
  test(`${COUNT} files are listed in several turns of the event loop, each once`, { tags: 'long' }, async () => {
    const watch = await opened();
    for (let folder = 0; folder < COUNT / 100; folder += 1) {
      await mkdir(watch.at(`${folder}`));
      await Promise.all(Array.from({ length: 100 }, (_, i) => writeFile(watch.at(`${folder}/${i}.mov`), '')));
    }
    let [turns, isDone] = [0, false];
    const countTurns = (): void => {
      turns += 1;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const found = new Set(await watch.paths());
    isDone = true;
    expect(found.size).toBe(COUNT);
    expect(turns).toBeGreaterThan(COUNT / 500);
  });
});

describe('in the folder in memory with which the watcher is tested', () => {
  watchedFoldersContract(async (): Promise<WatchedFoldersWorld> => {
    const { folders, put, remove, rename: move, setReachable } = watchedFolder();
    const known = new Set<string>();
    return {
      ...{ folders, root: localRoot('/media') },
      put: async (path, { length: bytes }) => {
        known.add(path);
        put(path, { bytes });
      },
      remove: async (path) => remove(path),
      rename: async (from, to) => {
        for (const path of [...known].filter((one) => one.startsWith(from))) move(path, to + path.slice(from.length));
      },
      setReachable: async (isReachable) => setReachable(isReachable),
    };
  });
});

needs('mounting')('a disk that is unmounted and comes back has the same files as before', async () => {
  const home = await testFolder('watch');
  for (const folder of ['share/a', 'media/in']) await mkdir(join(home, folder), { recursive: true });
  for (const name of ['1.mov', 'a/2.mov']) await writeFile(join(home, 'share', name), name);
  const script = join(import.meta.dirname, '../fixtures/watch-mount.ts');
  const { stdout } = await run('unshare', ['--mount', process.execPath, script, home]);
  const [first, unmounted, back] = JSON.parse(stdout);
  expect(first).toHaveLength(2);
  expect(unmounted).toEqual([]);
  expect(back).toEqual(first);
});
