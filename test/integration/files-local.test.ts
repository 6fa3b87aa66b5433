import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fileSearch } from '../../packages/contract/src/domain/file-search.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { BinEntry, FileCheck } from '../../packages/service/src/files/ports.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { serviceKey } from '../../packages/service/src/media/scratch/scratch.ts';
import { filesContract } from '../contracts/files.ts';
import { type LocalFilesUnderTest, openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { AS_NOBODY, needs } from '../support/needs.ts';
import { replaceFsCall } from '../support/replace-fs-call.ts';
import { IS_WHOLE } from '../support/sampled.ts';

filesContract({
  name: 'a local disk',
  open: openLocalFiles,
  keepsEmptyFolders: true,
  keepsOpenFiles: true,
  bin: 'folder',
});

const FLIPPER = join(import.meta.dirname, '../fixtures/symlink-flipper.ts');

async function opened(): Promise<LocalFilesUnderTest> {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  return t;
}

const anything = () => {};
const FOLDER = { isFolder: true, replace: false };

const moved = async (t: LocalFilesUnderTest, from: string, to: string): Promise<unknown> =>
  t.files.move(t.root, at(from), at(to), { replace: true }).then(
    ({ path }) => path,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );

/** What can take the file away from `in/a.mp4`. `checks`: how many times it checks the file before. */
const TAKING: Readonly<
  Record<string, { readonly checks: number; run(t: LocalFilesUnderTest, check: FileCheck): Promise<unknown> }>
> = {
  'a deletion': { checks: 1, run: (t, check) => t.files.remove(t.root, at('in/a.mp4'), { check }) },
  'a move': {
    checks: 2,
    run: (t, check) => t.files.move(t.root, at('in/a.mp4'), at('done/a.mp4'), { replace: false, check }),
  },
  'a deletion with a bin': {
    checks: 1,
    run: (t, check) => t.files.remove(t.root, at('in/a.mp4'), { keep: true, check }),
  },
};

/** What another program makes at a path, and the path of its film. */
const OTHERS: Readonly<Record<string, { make(path: string): void; readonly film: string }>> = {
  'a file': { make: (path) => writeFileSync(path, 'new film'), film: '' },
  'a symlink': {
    make: (path) => {
      writeFileSync(`${path}.film`, 'new film');
      symlinkSync(`${path}.film`, path);
    },
    film: '',
  },
  'a folder': {
    make: (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'film'), 'new film');
    },
    film: 'film',
  },
};

/** Stores `in/a.mp4`. Returns its path, and a check that rejects each other file. `act`: called by each check of the file. */
async function converted(t: LocalFilesUnderTest, act: (checks: number) => void) {
  const path = join(t.mediaRoot, 'in/a.mp4');
  await mkdir(join(t.mediaRoot, 'in'));
  await writeFile(path, 'old');
  const { fingerprint, close } = await t.files.open(t.root, at('in/a.mp4'));
  await close();
  let checks = 0;
  const check: FileCheck = (facts) => {
    const isOther = facts?.fingerprint !== fingerprint;
    checks += 1;
    act(checks);
    if (isOther) throw new Problem('PRECONDITION_FAILED', 'Another file is there.');
  };
  return { path, check };
}

for (const [action, { checks: last, run }] of Object.entries(TAKING))
  for (const [what, { make, film }] of Object.entries(OTHERS))
    test(`${what} that another program puts at the path after the check of ${action} stays there`, async () => {
      const t = await opened();
      const other = join(t.mediaRoot, 'other');
      make(other);
      const { path, check } = await converted(t, (checks) => {
        if (checks !== last) return;
        rmSync(path);
        renameSync(other, path);
      });
      await expect(run(t, check)).rejects.toBeInstanceOf(Problem);
      expect(await readFile(join(path, film), 'utf8')).toBe('new film');
      const left = (await t.all()).filter((each) => !each.startsWith('in/a.mp4'));
      expect(left).toEqual(what === 'a symlink' ? ['other.film'] : []);
    });

test('a file that another program puts at the old path while its file moves stays there', async () => {
  const t = await opened();
  const { path, check } = await converted(t, () => {});
  await writeFile(join(t.mediaRoot, 'other'), 'new film');
  let links = 0;
  replaceFsCall('link', (link) => async (from, to) => {
    await link(from, to);
    links += 1;
    // The file has both names now.
    if (links === 1) renameSync(join(t.mediaRoot, 'other'), path);
  });
  await t.files.move(t.root, at('in/a.mp4'), at('done/a.mp4'), { replace: false, check });
  expect(await readFile(path, 'utf8')).toBe('new film');
  expect(await readFile(join(t.mediaRoot, 'done/a.mp4'), 'utf8')).toBe('old');
  expect(await t.all()).toEqual(['done/a.mp4', 'in/a.mp4']);
});

test('another file that takes the new name of a file during its move stays there', async () => {
  const t = await opened();
  const { path, check } = await converted(t, () => {});
  const newPath = join(t.mediaRoot, 'done/a.mp4');
  await writeFile(join(t.mediaRoot, 'other'), 'new film');
  replaceFsCall('link', (link) => async (from, to) => {
    await link(from, to);
    renameSync(join(t.mediaRoot, 'other'), newPath);
  });
  const result = t.files.move(t.root, at('in/a.mp4'), at('done/a.mp4'), { replace: false, check });
  await expect(result).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readFile(newPath, 'utf8')).toBe('new film');
});

needs('linux')(
  'on another disk than that of the service, too, a deletion and a move leave the file of another program',
  async () => {
    const t = await opened();
    // Elsewhere than below /tmp.
    const mediaRoot = await mkdtemp('/dev/shm/telecine-files-');
    onTestFinished(() => rm(mediaRoot, { recursive: true }));
    const files = await t.restart({ mediaRoot });
    const { path, check } = await converted(t, () => {
      if (!existsSync(join(t.mediaRoot, 'other'))) return;
      renameSync(join(t.mediaRoot, 'other'), path);
    });
    await writeFile(join(t.mediaRoot, 'other'), 'new film');
    await expect(files.remove(t.root, at('in/a.mp4'), { check })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await readFile(path, 'utf8')).toBe('new film');
    await files.move(t.root, at('in/a.mp4'), at('done/a.mp4'), { replace: false });
    expect(await t.all()).toEqual(['done/a.mp4']);
    await files.remove(t.root, at('done/a.mp4'));
    expect(await t.all()).toEqual([]);
  },
);

test('a request that would create more than 64 folders is rejected, and creates none', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.mp4'), 'film');
  await mkdir(join(t.mediaRoot, 'm'));
  const deep = (folders: number): string => Array.from({ length: folders }, () => 'n').join('/');
  const rejection = (field: string) => ({
    code: 'INVALID_REQUEST',
    errors: [
      {
        ...{ field, code: 'TOO_MANY' },
        message: 'More than 64 folders of the path are missing, the most that one request creates.',
      },
    ],
  });
  const file = at(`${deep(65)}/a.mp4`);
  await expect(t.files.createFolder(t.root, at(deep(65)))).rejects.toMatchObject(rejection('/path'));
  await expect(t.files.beginUpload(t.root, file, { check: anything })).rejects.toMatchObject(rejection('/path'));
  const begun = {
    uploadId: randomUUID(),
    clientId: 'own',
    root: t.root,
    path: file,
    sizeBytes: 5,
    offsetBytes: 0,
    data: '',
  };
  await expect(t.files.parts.begin(begun, anything)).rejects.toMatchObject(rejection('/path'));
  await expect(t.files.move(t.root, at('a.mp4'), file, { replace: false })).rejects.toMatchObject(rejection('/to'));
  await expect(t.files.move(t.root, at('m'), at(deep(66)), FOLDER)).rejects.toMatchObject(rejection('/to'));
  // Removing a file with such a path, which cannot exist, fails because the file is missing.
  await expect(t.files.remove(t.root, file)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect((await readdir(t.mediaRoot)).filter((name) => !name.startsWith('.'))).toEqual(['a.mp4', 'm']);
  await t.files.createFolder(t.root, at(deep(64)));
  await t.files.move(t.root, at('a.mp4'), file, { replace: false });
  expect(await t.all()).toEqual([file]);
});

const NEEDS_FOLDERS: Readonly<Record<string, (t: LocalFilesUnderTest, to: string) => Promise<unknown>>> = {
  'a new folder': (t, to) => t.files.createFolder(t.root, at(to)),
  'a move of a file': (t, to) => t.files.move(t.root, at('old/a.mp4'), at(to), { replace: false }),
  'a move of a folder': (t, to) => t.files.move(t.root, at('old'), at(to), FOLDER),
  'a file from the bin': async (t, to) => {
    const { entryId } = await kept(t, 'old/a.mp4');
    return t.files.restoreFromBin(t.root, entryId, at(to));
  },
};

for (const [what, run] of Object.entries(NEEDS_FOLDERS))
  test(`other changes do not wait while missing folders for ${what} are created, and may remove them`, async () => {
    const t = await opened();
    await mkdir(join(t.mediaRoot, 'old'));
    await writeFile(join(t.mediaRoot, 'old/a.mp4'), 'film');
    const [reached, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const path = join(t.mediaRoot, 'new');
    // The disk is slow to open the first new folder.
    const restore = replaceFsCall('open', (open) => async (name, ...rest) => {
      const handle = await open(name, ...rest);
      if ((await realpath(name).catch(() => '')) === (await realpath(path).catch(() => undefined))) {
        restore();
        reached.resolve();
        await others.promise;
      }
      return handle;
    });
    const running = run(t, 'new/er/b');
    await reached.promise;
    await t.files.createFolder(t.root, at('other'));
    await t.files.remove(t.root, at('new'), { isFolder: true });
    others.resolve();
    await running;
    expect(await readdir(path)).toEqual(['er']);
    expect(await readdir(join(path, 'er'))).toEqual(['b']);
  });

test('a move of a file that is missing, or may not be moved, creates no folders', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.mp4'), 'film');
  const check = () => {
    throw new Problem('PRECONDITION_FAILED', 'Another file is there.');
  };
  for (const [from, code] of [
    ['b.mp4', 'FILE_NOT_FOUND'],
    ['a.mp4', 'PRECONDITION_FAILED'],
  ] as const)
    await expect(t.files.move(t.root, at(from), at('new/b'), { replace: false, check })).rejects.toMatchObject({
      code,
    });
  expect(existsSync(join(t.mediaRoot, 'new'))).toBe(false);
});

test('no change of a client that has disconnected begins', async () => {
  const t = await opened();
  await mkdir(join(t.mediaRoot, 'm'));
  await writeFile(join(t.mediaRoot, 'a.mp4'), 'film');
  await writeFile(join(t.mediaRoot, 'binned.mp4'), 'film');
  const { entryId } = await kept(t, 'binned.mp4');
  const by = { clientId: 'own', hangUp: AbortSignal.abort(new Problem('BAD_REQUEST', 'The client is gone.')) };
  const upload = await t.files.beginUpload(t.root, at('b.mp4'), { check: anything, by });
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    publish: () => upload.publish(),
    remove: () => t.files.remove(t.root, at('a.mp4'), { by }),
    removeFolder: () => t.files.remove(t.root, at('m'), { isFolder: true, by }),
    move: () => t.files.move(t.root, at('a.mp4'), at('b.mp4'), { replace: false, by }),
    moveFolder: () => t.files.move(t.root, at('m'), at('n'), { ...FOLDER, by }),
    createFolder: () => t.files.createFolder(t.root, at('n'), by),
    keepInBin: () => t.files.remove(t.root, at('a.mp4'), { keep: true, by }),
    restoreFromBin: () => t.files.restoreFromBin(t.root, entryId, at('b.mp4'), by),
  };
  for (const [name, change] of Object.entries(changes))
    await expect(change(), name).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await upload.discard();
  expect((await readdir(t.mediaRoot)).filter((name) => !name.startsWith('.'))).toEqual(['a.mp4', 'm']);
  await t.files.restoreFromBin(t.root, entryId, at('b.mp4'));
});

test('a file that cannot be moved into the bin stays at its path, and the bin has no entry of it', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.mp4'), 'film');
  replaceFsCall('rename', () => () => Promise.reject(new Error('The disk fails.')));
  await expect(kept(t, 'a.mp4')).rejects.toThrow('fails');
  expect([await t.all(), await t.files.listBin(t.root)]).toEqual([['a.mp4'], []]);
});

test('a broken symlink is a file at its path: it is replaced, moved and deleted, but nothing is created over it', async () => {
  const t = await opened();
  const broken = async () => symlink('nowhere', join(t.mediaRoot, 'link'));
  await broken();
  const createOnly: FileCheck = (current) => {
    if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'It exists.');
  };
  const begun = t.files.beginUpload(t.root, at('link'), { check: createOnly });
  await expect(begun).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await moved(t, 'link', 'moved')).toBe('moved');
  await t.files.remove(t.root, at('moved'));
  await broken();
  const upload = await t.files.beginUpload(t.root, at('link'), { check: anything });
  await upload.append(bytesOf('new'));
  await upload.publish();
  await upload.discard();
  expect([await t.all(), await readFile(join(t.mediaRoot, 'link'), 'utf8')]).toEqual([['link'], 'new']);
});

test('a file that a symlink shows at two paths survives a move from one to the other', async () => {
  const t = await opened();
  const inRoot = (path: string): string => join(t.mediaRoot, path);
  await mkdir(inRoot('a'));
  await writeFile(inRoot('a/x.mp4'), 'film');
  await symlink('a', inRoot('link'));
  expect(await moved(t, 'a/x.mp4', 'link/x.mp4')).toBe('FILE_EXISTS');
  expect(await readFile(inRoot('a/x.mp4'), 'utf8')).toBe('film');
  await symlink('a/x.mp4', inRoot('y.mp4'));
  expect(await moved(t, 'a/x.mp4', 'y.mp4')).toBe('y.mp4');
  expect(await readFile(inRoot('y.mp4'), 'utf8')).toBe('film');
});

test('a move of a file over its own hard link is rejected, and both names stay', async () => {
  const t = await opened();
  const inRoot = (path: string): string => join(t.mediaRoot, path);
  await writeFile(inRoot('x.mp4'), 'film');
  await link(inRoot('x.mp4'), inRoot('y.mp4'));
  expect(await moved(t, 'x.mp4', 'y.mp4')).toBe('FILE_EXISTS');
  expect(await t.all()).toEqual(['x.mp4', 'y.mp4']);
});

test('on a disk that ignores case, a move to the same name in other case deletes nothing', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'A.mov'), 'film');
  await link(join(t.mediaRoot, 'A.mov'), join(t.mediaRoot, 'b.mov'));
  const names = [/A\.mov$/, /a\.mov$/] as const;
  replaceFsCall(
    'lstat',
    (lstat) =>
      ((path: string, options: object) =>
        lstat(path, options).catch(() =>
          lstat(names[0].test(path) ? path.replace(names[0], 'a.mov') : path.replace(names[1], 'A.mov'), options),
        )) as typeof lstat,
  );
  await t.files.move(t.root, at('A.mov'), at('a.mov'), { replace: true });
  const found = (await readdir(t.mediaRoot)).filter((name) => /mov$/.test(name)).sort();
  expect(found).toEqual(expect.arrayContaining(['b.mov']));
  expect(found.filter((name) => /^a/i.test(name))).toHaveLength(1);
});

/** Moves a file, or a folder if the path ends with a slash, to the bin. */
async function kept(t: LocalFilesUnderTest, path: string): Promise<BinEntry> {
  const entry = await t.files.remove(t.root, at(path.replace(/\/$/, '')), { keep: true, isFolder: path.endsWith('/') });
  if (entry === undefined) throw new Error('Nothing was kept.');
  return entry;
}

test('on a disk without hard links, files are moved, kept when they are replaced, and restored', async () => {
  const t = await opened();
  replaceFsCall('link', () => () => Promise.reject(Object.assign(new Error('No links.'), { code: 'EPERM' })));
  const contentOf = (path: string) => readFile(join(t.mediaRoot, path), 'utf8');
  for (const name of ['a', 'b']) await writeFile(join(t.mediaRoot, name), name);
  const move = (from: string, to: string) => t.files.move(t.root, at(from), at(to), { replace: false });
  await move('a', 'm/a');
  await expect(move('b', 'm/a')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  await expect(move('none', 'n')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect([await contentOf('m/a'), await contentOf('b'), await t.all()]).toEqual(['a', 'b', ['b', 'm/a']]);
  const upload = await t.files.beginUpload(t.root, at('b'), { check: anything });
  await upload.append(bytesOf('new'));
  const { replaced } = await upload.publish(true);
  await upload.discard();
  expect(await contentOf('b')).toBe('new');
  const restore = (entry: BinEntry | undefined, to: string) =>
    t.files.restoreFromBin(t.root, entry?.entryId ?? '', at(to));
  await expect(restore(replaced, 'b')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  const exchanged = await kept(t, 'b');
  await restore(replaced, 'b');
  await restore(exchanged, 'c');
  await t.files.remove(t.root, at('m/a'));
  expect([await contentOf('b'), await contentOf('c'), await t.all()]).toEqual(['b', 'new', ['b', 'c']]);
});

test('on a disk without hard links, a file that is not replaced after all is back at its path', async () => {
  const t = await opened();
  replaceFsCall('link', () => () => Promise.reject(Object.assign(new Error('No links.'), { code: 'EPERM' })));
  await writeFile(join(t.mediaRoot, 'a.mp4'), 'old');
  const upload = await t.files.beginUpload(t.root, at('a.mp4'), { check: anything });
  await upload.append(bytesOf('new'));
  replaceFsCall('rename', (rename) => async (from, to) => {
    const isOld = String(to).endsWith('/a.mp4') && !String(from).endsWith('/content');
    if (!isOld) throw Object.assign(new Error('The disk fails.'), { code: 'EIO' });
    await rename(from, to);
  });
  await expect(upload.publish(true)).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  expect(await readFile(join(t.mediaRoot, 'a.mp4'), 'utf8')).toBe('old');
  expect(await t.files.listBin(t.root)).toEqual([]);
});

test('a path with more folders than the bin keeps is not deleted, the problem says so, and an upload replaces it', async () => {
  const t = await opened();
  const deep = (folders: number): string => Array.from({ length: folders }, () => 'n').join('/');
  await mkdir(join(t.mediaRoot, deep(63)), { recursive: true });
  for (const folders of [62, 63]) await writeFile(join(t.mediaRoot, deep(folders), 'a.mp4'), 'film');
  expect(await kept(t, `${deep(62)}/a.mp4`)).toMatchObject({ bytes: 4 });
  const tooDeep = { code: 'INVALID_REQUEST', errors: [{ field: '/path', code: 'TOO_MANY' }] };
  await expect(kept(t, `${deep(63)}/a.mp4`)).rejects.toMatchObject({
    ...tooDeep,
    errors: [{ message: expect.stringContaining('more than 62 folders') }],
  });
  const upload = await t.files.beginUpload(t.root, at(`${deep(63)}/a.mp4`), { check: anything });
  await upload.append(bytesOf('new'));
  expect(await upload.publish(true)).toMatchObject({ before: { sizeBytes: 4 }, replaced: undefined });
  await upload.discard();
  expect(await readFile(join(t.mediaRoot, deep(63), 'a.mp4'), 'utf8')).toBe('new');
});

test('the bin is a folder in which each file has its own path, and which a person can read', async () => {
  const t = await opened();
  await mkdir(join(t.mediaRoot, 'films/2026'), { recursive: true });
  await writeFile(join(t.mediaRoot, 'films/2026/a.mp4'), 'film');
  await kept(t, 'films/2026/a.mp4');
  const day = new Date().toISOString().slice(0, 10);
  expect(await t.all()).toEqual([
    expect.stringMatching(new RegExp(`^\\.telecine/bin/${day}/\\d{9}-[0-9a-f]{12}-2-4/films/2026/a\\.mp4$`)),
  ]);
});

test('files in the bin of a disk that is not mounted are there again when it is back', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.txt'), 'a');
  const { entryId } = await kept(t, 'a.txt');
  const mounted = join(t.home, 'mounted');
  // As on a server whose disk is away: the folder on which it is mounted is empty.
  await rename(t.mediaRoot, mounted);
  await mkdir(t.mediaRoot);
  const restore = () => t.files.restoreFromBin(t.root, entryId, at('a.txt'));
  await expect(restore()).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect([await t.files.purgeFromBin(t.root, entryId), await t.files.listBin(t.root)]).toEqual([undefined, []]);
  expect(await readdir(t.mediaRoot), 'no bin was created').toEqual([]);
  await rename(t.mediaRoot, join(t.home, 'wrong'));
  await rename(mounted, t.mediaRoot);
  expect((await restore()).entry).toMatchObject({ path: 'a.txt' });
});

test('a folder that is restored while it is purged comes back whole or not at all', async () => {
  const t = await opened();
  const names = Array.from({ length: 50 }, (_, index) => `${index}.txt`);
  for (let round = 0; round < (IS_WHOLE ? 30 : 8); round += 1) {
    await mkdir(join(t.mediaRoot, 'm'));
    for (const name of names) await writeFile(join(t.mediaRoot, 'm', name), name);
    const { entryId } = await kept(t, 'm/');
    const [restored] = await Promise.allSettled([
      t.files.restoreFromBin(t.root, entryId, at('m')),
      t.files.purgeFromBin(t.root, entryId),
    ]);
    const there = await readdir(join(t.mediaRoot, 'm')).catch(() => []);
    expect(there.length).toBe(restored.status === 'rejected' ? 0 : names.length);
    await rm(join(t.mediaRoot, 'm'), { recursive: true, force: true });
  }
  expect(await t.all()).toEqual([]);
});

test('what a purge that was killed has left is listed, so that it is purged again, and is not restored', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.txt'), 'a.txt');
  const a = await kept(t, 'a.txt');
  const [day = '', name = ''] = a.entryId.split('.');
  const folder = join(t.mediaRoot, '.telecine/bin', day);
  await rename(join(folder, name), join(folder, `${name}.deleted`));
  expect(await t.files.listBin(t.root)).toEqual([expect.objectContaining({ entryId: a.entryId, bytes: 5 })]);
  expect(await t.files.pathInBin(t.root, a.entryId)).toBeUndefined();
  await t.files.purgeFromBin(t.root, a.entryId);
  expect([await t.all(), await readdir(join(t.mediaRoot, '.telecine/bin'))]).toEqual([[], []]);
});

test('an entry that a crash has left empty is no file, and is purged', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.txt'), 'a');
  const { entryId } = await kept(t, 'a.txt');
  await rename(join(t.mediaRoot, (await t.all())[0] ?? ''), join(t.mediaRoot, 'a.txt'));
  expect(await t.files.pathInBin(t.root, entryId)).toBeUndefined();
  await t.files.purgeFromBin(t.root, entryId);
  expect([await t.files.listBin(t.root), await t.all()]).toEqual([[], ['a.txt']]);
});

test('a symlink is kept as one, and neither it nor its target counts', async () => {
  const t = await opened();
  await mkdir(join(t.mediaRoot, 'm'));
  await writeFile(join(t.mediaRoot, 'm/a.mov'), 'film');
  await writeFile(join(t.mediaRoot, 'big.mov'), 'large film');
  await symlink('../big.mov', join(t.mediaRoot, 'm/link.mov'));
  expect(await kept(t, 'm/')).toMatchObject({ bytes: 4 });
  expect(await readFile(join(t.mediaRoot, 'big.mov'), 'utf8')).toBe('large film');
});

test('a bin in which the service cannot store a file is a problem of the storage, and the file stays', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'a.txt'), 'a');
  await mkdir(join(t.mediaRoot, '.telecine'));
  await writeFile(join(t.mediaRoot, '.telecine/bin'), 'not a folder');
  await expect(kept(t, 'a.txt')).rejects.toMatchObject({ code: 'STORAGE_FAULT' });
  expect(await readFile(join(t.mediaRoot, 'a.txt'), 'utf8')).toBe('a');
});

needs('mounting')(
  'a file on a disk below the media root is not kept, the problem says what to do, and an upload replaces it',
  async () => {
    const t = await opened();
    await mkdir(join(t.mediaRoot, 'disk'));
    const script = join(import.meta.dirname, '../fixtures/keep-below-mount.ts');
    const { stdout } = await promisify(execFile)('unshare', [
      ...['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs "$1/disk" && exec "$2" "$3" "$1"', 'sh'],
      ...[t.mediaRoot, process.execPath, script],
    ]);
    expect(JSON.parse(stdout)).toEqual({
      entries: 0,
      errors: ['OTHER_DISK', 'OTHER_DISK'],
      left: ['a.txt'],
      replaced: { content: 'new' },
    });
  },
);

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

test('services have different folders in a media root if their hosts or their data folders differ', async () => {
  const t = await opened();
  const [one, other] = [join(t.home, 'one'), join(t.home, 'other')];
  for (const folder of [one, other]) await mkdir(folder);
  const keys = [serviceKey(one, 'a'), serviceKey(one, 'b'), serviceKey(other, 'a'), serviceKey(one), serviceKey(one)];
  expect(new Set(await Promise.all(keys)).size).toBe(4);
});

test('uploads to new folders succeed while another request removes the empty folder above them', async () => {
  const t = await opened();
  let isRunning = true;
  let removals = 0;
  const removing = (async () => {
    while (isRunning) {
      const isRemoved = t.files.remove(t.root, at('cli'), { isFolder: true }).then(() => true);
      if (await isRemoved.catch(() => false)) removals += 1;
      // Another request comes through the network meanwhile.
      await setTimeout(2);
    }
  })();
  for (let round = 0; round < (IS_WHOLE ? 100 : 20); round += 1) {
    const path = at(`cli/${round}/in.mp4`);
    const upload = await t.files.beginUpload(t.root, path, { check: anything });
    await upload.append(bytesOf('film'));
    await upload.publish();
    await upload.discard();
    await t.files.remove(t.root, path);
    await t.files.remove(t.root, at(`cli/${round}`), { isFolder: true });
  }
  isRunning = false;
  await removing;
  expect(removals).toBeGreaterThan(0);
});

test('reading fails for a file that is truncated meanwhile', async () => {
  const t = await opened();
  await writeFile(join(t.mediaRoot, 'cut.bin'), Buffer.alloc(2_000_000));
  const file = await t.files.open(t.root, at('cut.bin'));
  await truncate(join(t.mediaRoot, 'cut.bin'), 1_000_000);
  await expect(text(file.read(0, file.sizeBytes - 1))).rejects.toThrow('truncated');
});

test('a missing media root is STORAGE_FAULT without a host path', async () => {
  const t = await opened();
  const missingRoot = localRoot(join(t.home, 'gone'));
  for (const act of [
    () => t.files.open(missingRoot, at('a')),
    () => t.files.beginUpload(missingRoot, at('a'), { check: anything }),
    () => t.files.list(missingRoot, { folder: '', nameStart: '', limit: 1 }),
  ])
    await expect(act()).rejects.toSatisfy(
      (error) => error instanceof Problem && error.code === 'STORAGE_FAULT' && !error.message.includes(t.home),
    );
});

test('the files of a folder include those behind symlinks to files, but nothing outside the root and no circles', async () => {
  const t = await opened();
  const inRoot = (path: string): string => join(t.mediaRoot, path);
  const outside = join(t.home, 'private');
  for (const path of [inRoot('m/deep'), inRoot('other'), outside]) await mkdir(path, { recursive: true });
  for (const path of [inRoot('m/deep/a.txt'), inRoot('other/b.txt'), join(outside, 'c.txt')])
    await writeFile(path, 'x');
  await symlink('../other/b.txt', inRoot('m/b.txt'));
  await symlink('..', inRoot('m/deep/circle'));
  await symlink('../other', inRoot('m/other'));
  await symlink(join(outside, 'c.txt'), inRoot('m/c.txt'));
  await symlink(outside, inRoot('m/outside'));
  await symlink('gone.txt', inRoot('m/gone.txt'));
  const { signal } = new AbortController();
  const found = await t.files.listTree(t.root, at('m'), 100, signal);
  expect(found?.files.map(({ path }) => path).toSorted()).toEqual(['m/b.txt', 'm/deep/a.txt']);
  await expect(t.files.listTree(t.root, at('m/outside'), 100, signal)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

test('a search leaves out what is outside the root, and shows a symlink to a folder without what is behind it', async () => {
  const t = await opened();
  const inRoot = (path: string): string => join(t.mediaRoot, path);
  const outside = join(t.home, 'private');
  for (const path of [inRoot('m/deep'), inRoot('other'), inRoot('.telecine/x'), outside])
    await mkdir(path, { recursive: true });
  for (const path of [inRoot('m/deep/x.txt'), inRoot('other/x.txt'), inRoot('.telecine/x/x'), join(outside, 'x.txt')])
    await writeFile(path, 'x');
  await symlink('../other/x.txt', inRoot('m/x-file'));
  await symlink('..', inRoot('m/deep/x-circle'));
  await symlink('../other', inRoot('m/x-other'));
  await symlink(join(outside, 'x.txt'), inRoot('m/x-secret'));
  await symlink(outside, inRoot('m/x-outside'));
  await symlink('gone', inRoot('m/x-gone'));
  const { signal } = new AbortController();
  const search = async (page: { readonly folder?: string; readonly limit?: number; readonly after?: string }) => {
    const query = { folder: '', nameStart: '', limit: 99, maxNames: 99, matches: fileSearch('x') };
    const { entries, nextAfter } = await t.files.search(t.root, { ...query, ...page }, signal);
    return { paths: entries.map(({ path }) => path), nextAfter };
  };
  const all = ['m/deep/x-circle/', 'm/deep/x.txt', 'm/x-file', 'm/x-other/', 'other/x.txt'];
  expect(await search({})).toEqual({ paths: all, nextAfter: undefined });
  expect((await search({ folder: 'm/x-other/' })).paths).toEqual(['m/x-other/x.txt']);
  await expect(search({ folder: 'm/x-outside/' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const paths: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await search({ limit: 1, after });
    paths.push(...page.paths);
    after = page.nextAfter;
  }
  expect(paths).toEqual(all);
  // A place that a client invents leads nowhere else.
  for (const after of ['../private/', '.telecine/x/', '/', '//', 'm/../../'])
    expect((await search({ after })).paths, after).toEqual(all);
  expect((await search({ after: 'm/x-outside/' })).paths).toEqual(['other/x.txt']);
  expect((await search({ after: 'm/x-file/y' })).paths).toEqual(['m/x-other/', 'other/x.txt']);
});

test('a search finds all names of a large folder also below another one, whose names it has in memory', async () => {
  const t = await opened();
  const namesOf = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}${String(1000 + index)}.txt`);
  const paths = [...namesOf('m/a/', 600), ...namesOf('m/b', 900)];
  await mkdir(join(t.mediaRoot, 'm/a'), { recursive: true });
  for (const path of paths) writeFileSync(join(t.mediaRoot, path), '');
  const search = (maxNames: number, after = '') =>
    t.files.search(
      t.root,
      { folder: 'm/', nameStart: '', limit: 2000, matches: fileSearch('txt'), maxNames, ...(after && { after }) },
      new AbortController().signal,
    );
  const pathsOf = ({ entries }: Awaited<ReturnType<typeof search>>) => entries.map(({ path }) => path);
  // The folder `m` takes most of 1000 names, so `m/a` is read in several blocks.
  const first = await search(1000);
  expect(first.nextAfter).toBe('b1398.txt');
  const second = await search(1000, first.nextAfter);
  expect([...pathsOf(first), ...pathsOf(second)]).toEqual(paths);
  expect(second.nextAfter).toBeUndefined();
});

needs('another user')('a folder that the service may not read does not stop the list of the others', async () => {
  const [setpriv, ...args] = AS_NOBODY;
  const script = join(import.meta.dirname, '../fixtures/list-closed-folder.ts');
  const { stdout } = await promisify(execFile)(setpriv, [...args, process.execPath, script]);
  const paths = ['m/a.txt', 'm/open/c.txt'];
  const found = { paths, searched: paths, error: 'STORAGE_FAULT' };
  expect(JSON.parse(stdout)).toEqual([found, found]);
});

test('all files of a large folder are found', async () => {
  const t = await opened();
  const names = Array.from({ length: 150 }, (_, i) => `m/${i}/a.txt`);
  for (const name of names) {
    await mkdir(join(t.mediaRoot, name, '..'), { recursive: true });
    await writeFile(join(t.mediaRoot, name), 'x');
  }
  const found = await t.files.listTree(t.root, at('m'), 300, new AbortController().signal);
  expect(found?.files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  expect(await t.files.listTree(t.root, at('m'), 299, new AbortController().signal)).toBeUndefined();
});

// Other systems cannot name a file in an open folder.
needs('linux')(
  'no read, write or deletion follows a folder that keeps becoming a symlink',
  { tags: 'long' },
  async () => {
    const t = await opened();
    const outside = join(t.home, 'private');
    await mkdir(outside);
    await mkdir(join(t.mediaRoot, 'a'));
    // Enough names that the folder becomes a symlink while they are read.
    const inside = [...Array.from({ length: 150 }, (_, i) => `in${i}.txt`), 'same-name.txt'];
    for (const name of inside) await writeFile(join(t.mediaRoot, 'a', name), 'public!');
    await writeFile(join(outside, 'same-name.txt'), 'private');
    await writeFile(join(outside, 'only-outside.txt'), 'private');
    const flipper = spawn(process.execPath, [FLIPPER, join(t.mediaRoot, 'a'), outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(flipper, 'exit');
    const done = { read: 0, listed: 0, published: 0, removed: 0, rejected: 0 };
    const attempt = async (
      what: 'read' | 'listed' | 'published' | 'removed',
      act: () => Promise<unknown>,
    ): Promise<void> => {
      try {
        await act();
        done[what] += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        done.rejected += 1;
      }
    };
    try {
      await once(flipper.stdout, 'data');
      for (let i = 0; i < 200 || Object.values(done).includes(0); i += 1) {
        await attempt('read', async () => {
          const file = await t.files.open(t.root, at('a/same-name.txt'));
          expect(await text(file.read(0, file.sizeBytes - 1))).toBe('public!');
        });
        await attempt('published', async () => {
          const pending = await t.files.beginUpload(t.root, at(`a/new${i}.txt`), { check: anything });
          try {
            await pending.append(bytesOf('new'));
            await pending.publish();
          } finally {
            await pending.discard();
          }
        });
        await attempt('removed', () => t.files.remove(t.root, at(`a/new${i}.txt`)));
        await attempt('removed', () => t.files.remove(t.root, at('a/only-outside.txt')));
        await attempt('listed', async () => {
          const { entries } = await t.files.list(t.root, { folder: 'a/', nameStart: '', limit: 1000 });
          const names = entries.map(({ path }) => path.slice('a/'.length));
          expect(names).not.toContain('only-outside.txt');
          // The list is of the whole folder; or, where an upload just created the folder again, of the upload only.
          if (names.includes('same-name.txt')) expect(names).toEqual(expect.arrayContaining(inside));
          else expect(names.filter((name) => inside.includes(name))).toEqual([]);
        });
      }
    } finally {
      flipper.kill('SIGKILL');
      await ended;
    }
    expect((await readdir(outside)).sort()).toEqual(['only-outside.txt', 'same-name.txt']);
  },
);
