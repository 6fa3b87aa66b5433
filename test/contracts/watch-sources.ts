import { test as anyTest, expect } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import type {
  FoundFile,
  ScanKind,
  ScanMemory,
  WatchedFolder,
  WatchSource,
} from '../../packages/service/src/watches/ports.ts';
import { at } from '../fixtures/media-plans.ts';

/** A media root with the empty folder `in/`, and the source that scans it. */
export interface WatchSourceWorld {
  readonly source: WatchSource;
  readonly root: MediaRoot;
  /** Writes a file. `path`: in the media root. */
  put(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the folder unreachable, or reachable again with all its files. */
  setReachable(isReachable: boolean): Promise<void>;
  /** Lets so much time pass that the storage tells changes before it from those after it. */
  wait(): void;
}

const WHERE: WatchedFolder = { folder: 'in/', subfolders: true, accepts: (name) => name.endsWith('.mov') };

/** The scans of one watch with a memory of its own. */
export function scansOf({ source, root }: Pick<WatchSourceWorld, 'source' | 'root'>, where: WatchedFolder = WHERE) {
  const memory: ScanMemory = source.newMemory();
  const pages = (kind: ScanKind, { again = [] as readonly MediaPath[], signal = NEVER } = {}) =>
    source.scan(root, where, { memory, kind, again, signal });
  const scan = async (kind: ScanKind, again?: readonly MediaPath[]): Promise<readonly FoundFile[]> => {
    const found: FoundFile[] = [];
    for await (const page of pages(kind, { ...(again && { again }) })) found.push(...page);
    return found;
  };
  const paths = async (kind: ScanKind, again?: readonly MediaPath[]): Promise<readonly string[]> =>
    (await scan(kind, again)).map(({ path }) => path).toSorted();
  return { memory, pages, scan, paths };
}

/** What each source of watched files does. `open` makes a new world for a test. */
export function watchSourceContract(
  open: () => Promise<WatchSourceWorld>,
  test: (title: string, run: () => Promise<void>) => void = anyTest,
): void {
  async function opened(where: Partial<WatchedFolder> = {}) {
    const world = await open();
    return { ...world, ...scansOf(world, { ...WHERE, ...where }) };
  }

  /** Files that are known for certain. */
  async function withKnown(...names: readonly string[]) {
    const world = await opened();
    for (const name of names) await world.put(name, name);
    await world.scan('full');
    world.wait();
    await world.scan('quick');
    return world;
  }

  test('finds the wanted files of a folder and of those below it, without names of transfers', async () => {
    const t = await opened();
    const wanted = ['in/1.mov', 'in/a/2 é&.mov', 'in/a/b/3.mov'];
    const others = ['in/4.txt', 'in/.5.mov', 'in/6.mov.part', 'in/.thumbs/7.mov', 'inner/8.mov', 'in.mov'];
    for (const path of [...wanted, ...others]) await t.put(path, path);
    expect(await t.paths('full')).toEqual(wanted);
    expect([t.memory.files, typeof t.memory.storage]).toEqual([3, 'string']);
  });

  test('finds only the files of the folder itself if the watch has no subfolders', async () => {
    const t = await opened({ subfolders: false });
    for (const path of ['in/1.mov', 'in/a/2.mov']) await t.put(path, path);
    expect(await t.paths('full')).toEqual(['in/1.mov']);
    expect(await t.paths('quick')).toEqual([]);
  });

  test('an empty folder has no files', async () => {
    const t = await opened();
    for (const kind of ['full', 'quick', 'thorough', 'marked'] as const) expect(await t.paths(kind)).toEqual([]);
    expect(t.memory.files).toBe(0);
  });

  test('a new file is found once by quick scans, and each time by full ones', async () => {
    const t = await withKnown('in/1.mov');
    await t.put('in/a/b/2.mov', '2');
    expect(await t.paths('quick')).toEqual(['in/a/b/2.mov']);
    t.wait();
    expect(await t.paths('quick')).toEqual([]);
    expect(await t.paths('thorough')).toEqual([]);
    expect(await t.paths('full')).toEqual(['in/1.mov', 'in/a/b/2.mov']);
  });

  test('a file with other content has another version, which a thorough scan finds', async () => {
    const t = await withKnown('in/1.mov', 'in/2.mov', 'in/3.mov');
    const before = await t.source.find(t.root, at('in/2.mov'));
    await t.put('in/2.mov', 'another content');
    await t.remove('in/3.mov');
    const found = await t.scan('thorough');
    expect(found).toMatchObject([{ path: 'in/2.mov', bytes: 15 }]);
    expect(found[0]?.version).not.toBe(before?.version);
    expect(await t.source.find(t.root, at('in/2.mov'))).toMatchObject({ version: found[0]?.version, bytes: 15 });
    expect(await t.source.find(t.root, at('in/3.mov'))).toBeUndefined();
    expect(await t.paths('thorough')).toEqual([]);
  });

  test('a file that was removed and is there again is found again', async () => {
    const t = await withKnown('in/1.mov', 'in/2.mov');
    await t.remove('in/1.mov');
    expect(await t.paths('thorough')).toEqual([]);
    await t.put('in/1.mov', 'in/1.mov');
    expect(await t.paths('thorough')).toEqual(['in/1.mov']);
  });

  test('marked files are yielded in any case, if the watch wants them, and marks are used once', async () => {
    const t = await withKnown('in/1.mov', 'in/3.mov');
    for (const path of ['in/2.mov', 'out/4.mov', 'in/5.txt']) await t.put(path, path);
    for (const path of ['in/1.mov', 'in/2.mov', 'out/4.mov', 'in/5.txt', 'in/gone.mov', '../x.mov', '/etc/passwd'])
      t.memory.mark(path);
    expect(t.memory.hasMarks).toBe(true);
    expect(await t.paths('marked')).toEqual(['in/1.mov', 'in/2.mov']);
    expect(t.memory.hasMarks).toBe(false);
    expect(await t.paths('marked')).toEqual([]);
  });

  test('files that are asked for again are yielded in any case, as long as they exist', async () => {
    const t = await withKnown('in/1.mov', 'in/2.mov');
    for (const kind of ['quick', 'marked', 'thorough'] as const)
      expect(await t.paths(kind, [at('in/1.mov'), at('in/gone.mov')])).toEqual(['in/1.mov']);
    await t.remove('in/1.mov');
    expect(await t.paths('marked', [at('in/1.mov')])).toEqual([]);
    await t.put('in/1.mov', 'in/1.mov');
    expect(await t.paths('quick')).toEqual(['in/1.mov']);
  });

  test('pages have at most 500 files, and those of a page whose caller breaks off come again', async () => {
    const t = await opened();
    const names = Array.from({ length: 1200 }, (_, i) => `in/${i}.mov`);
    for (let first = 0; first < names.length; first += 100)
      await Promise.all(names.slice(first, first + 100).map((path) => t.put(path, 'x')));
    const reported: string[] = [];
    let count = 0;
    for await (const page of t.pages('full')) {
      expect(page.length).toBeLessThanOrEqual(500);
      count += 1;
      if (count === 2) break;
      reported.push(...page.map(({ path }) => path));
    }
    const rest = await t.paths('thorough');
    expect([...reported, ...rest].toSorted()).toEqual(names.toSorted());
  });

  test('an unreachable folder is no empty one: nothing is forgotten, and marks are kept', async () => {
    const t = await withKnown('in/1.mov', 'in/2.mov');
    t.memory.mark('in/1.mov');
    await t.setReachable(false);
    for (const kind of ['quick', 'thorough', 'full', 'marked'] as const)
      await expect(t.scan(kind), kind).rejects.toMatchObject({ name: 'FolderUnreachable' });
    await expect(t.source.reach(t.root, 'in/')).rejects.toMatchObject({ name: 'FolderUnreachable' });
    await t.setReachable(true);
    expect(await t.paths('marked')).toEqual(['in/1.mov']);
    expect(await t.paths('thorough')).toEqual([]);
  });

  test('a folder that answers says where it is, as its scans do', async () => {
    const t = await withKnown('in/1.mov');
    expect(await t.source.reach(t.root, 'in/')).toBe(t.memory.place);
  });

  test('an abort ends a scan with its reason, and marks are kept', async () => {
    const t = await withKnown('in/1.mov');
    t.memory.mark('in/1.mov');
    const reason = new Error('the watch was deleted');
    const scan = async () => {
      for await (const _ of t.pages('quick', { signal: AbortSignal.abort(reason) }));
    };
    await expect(scan()).rejects.toBe(reason);
    expect(await t.paths('marked')).toEqual(['in/1.mov']);
  });
}
