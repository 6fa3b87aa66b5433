import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { type WatchSourceWorld, watchSourceContract } from '../contracts/watch-sources.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { testFolder } from '../support/folders.ts';
import { watchedFolder } from '../support/watched-folder.ts';

/** More than the steps of the clocks of all disks. */
const SOME_MS = 5000;

describe.each([
  ['local', true],
  ['remote', false],
])('on a %s disk', (_kind, isLocal) => {
  watchSourceContract(async (): Promise<WatchSourceWorld> => {
    const { source, mediaRoot, wait } = await openDiskWatch(await testFolder('watch'), { isLocal });
    const [folder, away] = [join(mediaRoot, 'in'), join(mediaRoot, 'away')];
    return {
      ...{ source, root: localRoot(mediaRoot) },
      put: async (path, content) => {
        await mkdir(dirname(join(mediaRoot, path)), { recursive: true });
        await writeFile(join(mediaRoot, path), content);
      },
      remove: (path) => rm(join(mediaRoot, path)),
      setReachable: (isReachable) => (isReachable ? rename(away, folder) : rename(folder, away)),
      wait: () => wait(SOME_MS),
    };
  });
});

describe('in the folder in memory with which the watcher is tested', () => {
  watchSourceContract(async (): Promise<WatchSourceWorld> => {
    const { source, put, remove, setReachable } = watchedFolder();
    return {
      ...{ source, root: localRoot('/media') },
      put: async (path, { length: bytes }) => put(path, { bytes }),
      remove: async (path) => remove(path),
      setReachable: async (isReachable) => setReachable(isReachable),
      wait: () => {},
    };
  });
});
