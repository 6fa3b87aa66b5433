import { test as anyTest, expect } from 'vitest';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import type { FoundFile, WatchedFolders } from '../../packages/service/src/watches/watched-folders.ts';
import { at } from '../fixtures/media-plans.ts';

/** A media root with the empty folder `in/`. */
export interface WatchedFoldersWorld {
  readonly folders: WatchedFolders;
  readonly root: MediaRoot;
  /** Writes a file. `path`: in the media root. */
  put(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Gives a file, or all files of a folder, another path. */
  rename(from: string, to: string): Promise<void>;
  /** Makes the folder unreachable, or reachable again with all its files. */
  setReachable(isReachable: boolean): Promise<void>;
}

/** What each storage tells of watched folders. `open` makes a new world for a test. */
export function watchedFoldersContract(
  open: () => Promise<WatchedFoldersWorld>,
  test: (title: string, run: () => Promise<void>) => void = anyTest,
): void {
  async function opened() {
    const world = await open();
    const list = async (folder = 'in/'): Promise<readonly FoundFile[]> =>
      (await world.folders.list(world.root, folder, NEVER)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const paths = async (folder?: string) => (await list(folder)).map(({ path }) => path);
    return { ...world, list, paths };
  }

  test('a list has all files of a folder and of those below it, and of no other folder', async () => {
    const t = await opened();
    const inside = ['in/1.mov', 'in/a/2 é&.mov', 'in/a/b/3.mov', 'in/4.txt'];
    for (const path of [...inside, 'inner/8.mov', 'in.mov']) await t.put(path, path);
    expect(await t.paths()).toEqual(inside.toSorted());
    expect(await t.paths('in/a/')).toEqual(['in/a/2 é&.mov', 'in/a/b/3.mov']);
    expect(await t.paths('')).toEqual([...inside, 'inner/8.mov', 'in.mov'].toSorted());
  });

  test('an empty folder has no files', async () => {
    expect(await (await opened()).paths()).toEqual([]);
  });

  test('a file has another version when its content changes, and a list tells the same as a look at the file', async () => {
    const t = await opened();
    for (const name of ['1', '2']) await t.put(`in/${name}.mov`, name);
    const [first, second] = await t.list();
    expect(first).toMatchObject({ path: 'in/1.mov', bytes: 1 });
    expect(await t.folders.find(t.root, at('in/1.mov'))).toMatchObject(first ?? {});
    await t.put('in/1.mov', 'another content');
    const [changed, same] = await t.list();
    expect(changed).toMatchObject({ path: 'in/1.mov', bytes: 15 });
    expect(changed?.version).not.toBe(first?.version);
    expect(same).toEqual(second);
    await t.remove('in/1.mov');
    expect(await t.folders.find(t.root, at('in/1.mov'))).toBeUndefined();
    expect(await t.paths()).toEqual(['in/2.mov']);
  });

  test('a file that is renamed, or whose folder is, keeps its version and its key', async () => {
    const t = await opened();
    for (const name of ['1.mov', 'a/2.mov']) await t.put(`in/${name}`, name);
    const [one, two] = await t.list();
    expect(one?.fileKey).toBeDefined();
    await t.rename('in/1.mov', 'in/3.mov');
    await t.rename('in/a/', 'in/b/');
    expect(await t.list()).toEqual([
      { ...one, path: 'in/3.mov' },
      { ...two, path: 'in/b/2.mov' },
    ]);
  });

  test('an unreachable folder is no empty one', async () => {
    const t = await opened();
    await t.put('in/1.mov', '1');
    await t.setReachable(false);
    await expect(t.list()).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE', fix: expect.any(String) });
    await t.setReachable(true);
    expect(await t.paths()).toEqual(['in/1.mov']);
  });

  test('an abort ends a list with its reason', async () => {
    const t = await opened();
    const reason = new Error('the watch was deleted');
    await expect(t.folders.list(t.root, 'in/', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}
