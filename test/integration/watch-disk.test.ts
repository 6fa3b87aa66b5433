import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { FolderUnreachable } from '../../packages/service/src/watches/ports.ts';
import { createSettling } from '../../packages/service/src/watches/settling.ts';
import { type DiskWatch, openDiskWatch } from '../fixtures/disk-watch.ts';
import { at } from '../fixtures/media-plans.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const run = promisify(execFile);

/** More than the steps of the clocks of all disks. */
const SOME_MS = 5000;

describe.each([
  ['local', true],
  ['remote', false],
])('on a %s disk', (_kind, isLocal) => {
  const opened = async (where = {}): Promise<DiskWatch> => openDiskWatch(await testFolder('watch'), { isLocal, where });

  test('a found file has its size, its time and its inode, and the data of the service are not found', async () => {
    const watch = await opened();
    await mkdir(watch.at('data'));
    for (const name of ['1.mov', 'data/2.mov']) await writeFile(watch.at(name), name);
    const { size, mtimeNs, ino } = await stat(watch.at('1.mov'), { bigint: true });
    expect(await watch.scan('full')).toEqual([
      { path: 'in/1.mov', bytes: 5, version: `${size}:${mtimeNs}`, fileKey: `${ino}`, isWhole: false },
    ]);
    expect(watch.memory.storage).toBe(isLocal ? 'local' : 'remote');
  });

  test('counts files whose names no request can have, until they are renamed', async () => {
    const watch = await opened();
    await mkdir(watch.at('a'));
    await writeFile(watch.at('1.mov'), '');
    await writeFile(watch.at('a/line\nbreak.mov'), '');
    await writeFile(Buffer.concat([Buffer.from(watch.at('a/')), Buffer.from([0xff]), Buffer.from('.mov')]), '');
    await writeFile(watch.at('a/line\nbreak.txt'), '');
    expect(await watch.paths('full')).toEqual(['1.mov']);
    expect(watch.memory).toMatchObject({ unusable: 2, unusableName: expect.stringContaining('\uFFFD') });
    await rename(watch.at('a/line\nbreak.mov'), watch.at('a/line break.mov'));
    watch.wait(SOME_MS);
    expect(await watch.paths('quick')).toEqual(['a/line break.mov']);
    expect(watch.memory.unusable).toBe(1);
  });

  test('tells whether the folder answers, and when another one is in its place', async () => {
    const watch = await opened();
    await watch.scan('full');
    const folder = join(watch.mediaRoot, 'in');
    const reach = () => watch.source.reach(localRoot(watch.mediaRoot), 'in/');
    expect(await reach()).toBe(watch.memory.place);
    await rename(folder, join(watch.mediaRoot, 'old'));
    await expect(reach()).rejects.toMatchObject({ reason: 'missing' });
    await mkdir(folder);
    expect(await reach()).not.toBe(watch.memory.place);
  });

  test('a file that is found has the fingerprint of a file and of an output', async () => {
    const watch = await opened();
    await writeFile(watch.at('1.mov'), 'one');
    const found = await watch.source.find(localRoot(watch.mediaRoot), at('in/1.mov'));
    const { size, mtimeNs, ino } = await stat(watch.at('1.mov'), { bigint: true });
    const fingerprint = `${ino}:${size}:${mtimeNs}`;
    expect(found).toMatchObject({ fingerprint, outputFingerprint: fingerprint });
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
    expect(await watch.paths('full')).toEqual(['inside.mov']);
  });

  test('misses no file that lands while the time of the folder stays the same', async () => {
    const watch = await opened();
    await watch.scan('full');
    for (let i = 0; i < 100; i += 1) {
      await writeFile(watch.at(`${i}.mov`), '');
      expect(await watch.paths('quick')).toEqual([`${i}.mov`]);
    }
  });

  test('an idle quick scan looks at each folder and at no file', async () => {
    const watch = await opened();
    for (let folder = 0; folder < 10; folder += 1) {
      await mkdir(watch.at(`${folder}`));
      for (let i = 0; i < 20; i += 1) await writeFile(watch.at(`${folder}/${i}.mov`), '');
    }
    expect(await watch.scan('full')).toHaveLength(200);
    watch.wait(SOME_MS);
    await watch.scan('quick');
    await watch.scan('quick');
    expect(watch.memory.cost.reads).toBe(11);
  });

  test('a file that is changed in place is found by a thorough scan, or if it is marked', async () => {
    const watch = await opened();
    for (const name of ['1.mov', '2.mov', '3.mov']) await writeFile(watch.at(name), name);
    await watch.scan('full');
    watch.wait(SOME_MS);
    await watch.scan('quick');
    for (const name of ['1.mov', '2.mov']) await appendFile(watch.at(name), 'more');
    expect(await watch.paths('quick')).toEqual([]);
    // A marked file is yielded in any case.
    watch.memory.mark('in/1.mov');
    watch.memory.mark('in/3.mov');
    watch.memory.mark('in/gone.mov');
    watch.memory.mark('../etc/passwd');
    expect(await watch.paths('marked')).toEqual(['1.mov', '3.mov']);
    expect(watch.memory.hasMarks).toBe(false);
    expect(await watch.paths('thorough')).toEqual(['2.mov']);
  });

  test('a folder that is moved into place is found with all that is in it', async () => {
    const watch = await opened();
    await watch.scan('full');
    const outside = join(watch.mediaRoot, 'card');
    await mkdir(join(outside, 'DCIM/100'), { recursive: true });
    for (const name of ['DCIM/1.mov', 'DCIM/100/2.mov']) await writeFile(join(outside, name), name);
    await rename(outside, watch.at('card'));
    expect(await watch.paths('quick')).toEqual(['card/DCIM/1.mov', 'card/DCIM/100/2.mov']);
  });

  test('a file of a renamed folder has its key and version at the new path', async () => {
    const watch = await opened();
    await mkdir(watch.at('old'));
    await writeFile(watch.at('old/1.mov'), '1');
    const [before] = await watch.scan('full');
    await rename(watch.at('old'), watch.at('new'));
    expect(await watch.scan('quick')).toEqual([{ ...before, path: 'in/new/1.mov' }]);
    expect(watch.memory.files).toBe(1);
    expect(await watch.source.find(localRoot(watch.mediaRoot), at('in/old/1.mov'))).toBeUndefined();
    expect(await watch.source.find(localRoot(watch.mediaRoot), at('in/new/1.mov'))).toMatchObject({ bytes: 1 });
  });

  test('a file is whole only when nobody has written to it for ten seconds', async () => {
    const watch = await opened();
    const settling = createSettling(10_000);
    let nowMs = 0;
    const look = async (kind: 'quick' | 'marked') => {
      const found = await watch.scan(kind, settling.startScan(nowMs));
      const whole = settling.observe(found, nowMs) ?? [];
      settling.endScan();
      return whole.map(({ bytes }) => bytes);
    };
    await watch.scan('full');
    for (let bytes = 1; bytes <= 5; bytes += 1) {
      await appendFile(watch.at('slow.mov'), 'x');
      expect(await look('quick')).toEqual([]);
      nowMs += 10_000;
    }
    expect(await look('marked')).toEqual([5]);
    settling.remove([at('in/slow.mov')]);
    expect(await look('quick')).toEqual([]);
  });

  test('a copy as rsync makes it counts under its last name', async () => {
    const watch = await opened();
    await watch.scan('full');
    await writeFile(watch.at('.film.mov.Xy12ab'), 'film');
    expect(await watch.paths('quick')).toEqual([]);
    // It sets the time of the source before the rename.
    await utimes(watch.at('.film.mov.Xy12ab'), 1, 1);
    await rename(watch.at('.film.mov.Xy12ab'), watch.at('film.mov'));
    expect(await watch.paths('quick')).toEqual(['film.mov']);
  });

  test('a folder that became a symlink out of the media root is unreachable', async () => {
    const watch = await opened();
    await rm(watch.at(''), { recursive: true });
    await symlink('/etc', join(watch.mediaRoot, 'in'));
    await expect(watch.scan('full')).rejects.toEqual(new FolderUnreachable('denied'));
  });

  test('a missing media root is unreachable, and says nothing about its files', async () => {
    const watch = await opened();
    await rename(watch.mediaRoot, `${watch.mediaRoot}-away`);
    await expect(watch.scan('quick')).rejects.toMatchObject({ reason: 'missing' });
    await expect(watch.source.find(localRoot(watch.mediaRoot), at('in/1.mov'))).rejects.toMatchObject({
      reason: 'missing',
    });
  });

  test('an abort ends a scan, and marks are kept for the next one', async () => {
    const watch = await opened();
    for (let i = 0; i < 600; i += 1) await writeFile(watch.at(`${i}.mov`), '');
    watch.memory.mark('in/5.mov');
    const aborts = new AbortController();
    const reason = new Error('the watch was deleted');
    const scan = async () => {
      for await (const _ of watch.pages('quick', aborts.signal)) aborts.abort(reason);
    };
    await expect(scan()).rejects.toBe(reason);
    expect(watch.memory.hasMarks).toBe(true);
    expect((await watch.paths('quick')).length).toBeGreaterThan(0);
  });

  // A remote disk is read by 20,000 calls in the thread pool, which take minutes on a busy machine.
  const COUNT = isLocal ? 10_000 : 500;
  test(`${COUNT} files are read in several turns of the event loop, each once`, { tags: 'long' }, async () => {
    const watch = await opened();
    for (let folder = 0; folder < COUNT / 100; folder += 1) {
      await mkdir(watch.at(`${folder}`));
      await Promise.all(Array.from({ length: 100 }, (_, i) => writeFile(watch.at(`${folder}/${i}.mov`), '')));
    }
    let turns = 0;
    let isDone = false;
    const countTurns = (): void => {
      turns += 1;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const found = new Set(await watch.paths('full'));
    isDone = true;
    expect(found.size).toBe(COUNT);
    expect(turns).toBeGreaterThan(COUNT / 500);
    expect(await watch.paths('quick')).toEqual([]);
  });
});

needs('mounting')('a disk that is unmounted and comes back has the same files as before', async () => {
  const home = await testFolder('watch');
  for (const folder of ['share/a', 'media/in']) await mkdir(join(home, folder), { recursive: true });
  for (const name of ['1.mov', 'a/2.mov']) await writeFile(join(home, 'share', name), name);
  const script = join(import.meta.dirname, '../fixtures/watch-mount.ts');
  const { stdout } = await run('unshare', ['--mount', process.execPath, script, home]);
  const [first, ...others] = JSON.parse(stdout);
  expect(first).toHaveLength(2);
  // Quick, unmounted twice, and back: the same files, which the ledger knows. Then quick again.
  expect(others).toEqual([[], [], [], first, []]);
});

/**
 * Waits until scans over marked paths have yielded a file. Returns all that they have yielded.
 *
 * @param beforeEach Runs before each of the scans.
 */
async function expectMarked(
  watch: DiskWatch,
  wanted: string,
  beforeEach = async (): Promise<void> => {},
): Promise<readonly string[]> {
  const found = new Set<string>();
  await expect
    .poll(
      async () => {
        await beforeEach();
        for (const path of await watch.paths('marked')) found.add(path);
        return [...found];
      },
      { timeout: 60_000 },
    )
    .toContain(wanted);
  return [...found];
}

test('inotify tells of new and changed files, and of files in new folders', async () => {
  const watch = await openDiskWatch(await testFolder('watch'));
  await mkdir(watch.at('a'));
  await writeFile(watch.at('a/1.mov'), '1');
  let hints = 0;
  using _listener = watch.listen(() => {
    hints += 1;
  });
  await watch.scan('full');
  await writeFile(watch.at('a/2.mov'), '2');
  await expectMarked(watch, 'a/2.mov');
  await appendFile(watch.at('a/1.mov'), 'more');
  await expectMarked(watch, 'a/1.mov');
  await mkdir(watch.at('new/deep'), { recursive: true });
  await watch.scan('quick');
  await writeFile(watch.at('new/deep/3.mov'), '3');
  await expectMarked(watch, 'new/deep/3.mov');
  expect(hints).toBeGreaterThan(2);
});

/** Hosts for many watched files raise `fs.inotify.max_queued_events`. To fill a queue of millions takes minutes. */
const LARGEST_QUEUE = 100_000;

needs('linux')('scans find what happens while the queue of inotify is full', async ({ skip }) => {
  const most = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  skip(most > LARGEST_QUEUE, `The queue of inotify has room for ${most} events.`);
  const watch = await openDiskWatch(await testFolder('watch'));
  await writeFile(watch.at('copied.mov'), 'half');
  using _listener = watch.listen(() => {});
  await watch.scan('full');
  watch.wait(SOME_MS);
  await watch.scan('quick');
  // As long as the thread works, nothing reads the queue.
  for (let events = 0; events <= most; events += 2) {
    writeFileSync(watch.at('.busy'), '');
    rmSync(watch.at('.busy'));
  }
  writeFileSync(watch.at('landed.mov'), '');
  appendFileSync(watch.at('copied.mov'), 'and half');
  // Changes of this file are lost too, until the queue has been read.
  const changeProbe = () => appendFile(watch.at('probe.mov'), 'x');
  expect(await expectMarked(watch, 'probe.mov', changeProbe)).toEqual(['probe.mov']);
  await writeFile(watch.at('later.mov'), '');
  const marked = await expectMarked(watch, 'later.mov');
  expect(marked.filter((path) => path !== 'probe.mov')).toEqual(['later.mov']);
  expect(await watch.paths('quick')).toEqual(['landed.mov']);
  expect(await watch.paths('thorough')).toEqual(['copied.mov']);
});

test('hears of no more folders than it may, and scans find what lands in the others', async () => {
  const watch = await openDiskWatch(await testFolder('watch'), { mostListened: 2 });
  for (const name of ['a', 'b']) await mkdir(watch.at(name));
  using _listener = watch.listen(() => {});
  await watch.scan('full');
  for (const name of ['a/1.mov', 'b/1.mov', '1.mov']) await writeFile(watch.at(name), '');
  const heard = await expectMarked(watch, '1.mov');
  expect(heard).toHaveLength(2);
  expect([...heard, ...(await watch.paths('quick'))].toSorted()).toEqual(['1.mov', 'a/1.mov', 'b/1.mov']);
});

test('names of transfers and of unwanted files give no hint', async () => {
  const watch = await openDiskWatch(await testFolder('watch'), { where: { subfolders: false } });
  const marked: string[] = [];
  const mark = watch.memory.mark.bind(watch.memory);
  watch.memory.mark = (path) => {
    marked.push(path);
    mark(path);
  };
  const wanted = Promise.withResolvers<void>();
  using _listener = watch.listen(wanted.resolve);
  await watch.scan('full');
  for (const name of ['.film.mov.Xy12ab', 'film.mov.part', 'film.txt']) await writeFile(watch.at(name), '');
  await rename(watch.at('film.mov.part'), watch.at('film.mov'));
  await wanted.promise;
  expect([...new Set(marked)]).toEqual(['in/film.mov']);
});

test('a listener that has ended gives no hints, and frees its inotify watches', async () => {
  const watch = await openDiskWatch(await testFolder('watch'));
  let count = 0;
  const listener = watch.listen(() => {
    count += 1;
  });
  await watch.scan('full');
  listener?.[Symbol.dispose]();
  const other = Promise.withResolvers<void>();
  using _listener = watch.listen(other.resolve);
  await watch.scan('full');
  await writeFile(watch.at('1.mov'), '1');
  await other.promise;
  expect(count).toBe(0);
});

needs('rsync')('a copy by rsync is found once, under its last name', async () => {
  const watch = await openDiskWatch(await testFolder('watch'));
  await watch.scan('full');
  const from = join(watch.mediaRoot, 'film.mov');
  await writeFile(from, 'x'.repeat(300_000));
  await run('rsync', ['-a', '--delay-updates', from, watch.at('')]);
  expect(await watch.paths('quick')).toEqual(['film.mov']);
  watch.wait(SOME_MS);
  expect(await watch.paths('quick')).toEqual([]);
});
