import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import { fileSearch } from '../../packages/contract/src/domain/file-search.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { Problem, type ProblemCode } from '../../packages/contract/src/domain/problem.ts';
import { isInBin } from '../../packages/contract/src/domain/stored-files.ts';
import type { BinEntry, FileCheck, FileStore } from '../../packages/service/src/files/ports.ts';
import { at } from '../fixtures/media-plans.ts';
import type { FilesWithUploads } from '../support/whole-upload.ts';

/** An engine that the suite runs on. */
export interface FilesEngine {
  readonly name: string;
  /** Opens the engine with an empty media root. */
  open(): Promise<FilesUnderTest>;
  /** Whether empty folders exist. In an object store, a folder exists only while it contains a file. */
  readonly keepsEmptyFolders: boolean;
  /** Whether an open file can still be read after it was replaced or deleted. Otherwise a read then fails. */
  readonly keepsOpenFiles: boolean;
  /** See `FileStore.binOf`. */
  readonly bin: Awaited<ReturnType<FileStore['binOf']>>;
}

/** An open engine, and access to its files from outside. */
export interface FilesUnderTest {
  readonly files: FilesWithUploads;
  readonly root: MediaRoot;
  /** The paths of all files in the root, reserved ones included. */
  all(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const problem = (code: ProblemCode) => expect.objectContaining({ code });
const anything: FileCheck = () => {};

async function* bytesOf(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

type Test = (title: string, run: () => Promise<void>) => void;

/** Defines the tests that every file store must pass. `test`: may skip them if the machine lacks a requirement. */
export function filesContract(
  { name, open: openEngine, keepsEmptyFolders, keepsOpenFiles, bin }: FilesEngine,
  test: Test = always,
): void {
  describe(`files on ${name}`, () => {
    let t: FilesUnderTest;
    beforeEach(async () => {
      t = await openEngine();
    });
    afterEach(() => t.close());

    async function put(path: string, content: string, check: FileCheck = anything, keepsReplaced = false) {
      const pending = await t.files.beginUpload(t.root, at(path), { sizeBytes: content.length, check });
      try {
        await pending.append(bytesOf(content));
        return await pending.publish(keepsReplaced);
      } finally {
        await pending.discard();
      }
    }

    const open = (path: string) => t.files.open(t.root, at(path));

    async function get(path: string): Promise<string> {
      const file = await open(path);
      if (file.sizeBytes > 0) return text(file.read(0, file.sizeBytes - 1));
      await file.close();
      return '';
    }

    const list = async (folder: string, more: { limit?: number; nameStart?: string; after?: string } = {}) => {
      const page = await t.files.list(t.root, { folder, nameStart: '', limit: 100, ...more });
      return { paths: page.entries.map(({ path }) => path), more: page.more };
    };

    test('an uploaded file is invisible until it is published', async () => {
      const pending = await t.files.beginUpload(t.root, at('deep/er/film.mp4'), { check: anything });
      await pending.append(bytesOf('one ', 'two '));
      await expect(open('deep/er/film.mp4')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await list('')).toEqual({ paths: [], more: false });
      await pending.append(bytesOf('three'));
      const { file, before } = await pending.publish();
      await pending.discard();
      expect(before).toBe(undefined);
      expect(await get('deep/er/film.mp4')).toBe('one two three');
      const { read: _, isOutput: __, close, ...opened } = await open('deep/er/film.mp4');
      await close();
      expect(opened).toEqual(file);
      expect(file).toMatchObject({ path: 'deep/er/film.mp4', sizeBytes: 13, modifiedAt: expect.any(Date) });
      expect(await t.all()).toEqual(['deep/er/film.mp4']);
    });

    test('a discarded upload leaves no file and no folder', async () => {
      const pending = await t.files.beginUpload(t.root, at('deep/film.mp4'), { check: anything });
      await pending.append(bytesOf('x'));
      await pending.discard();
      await pending.discard();
      expect(await t.all()).toEqual([]);
      expect(await list('')).toEqual({ paths: [], more: false });
    });

    test('append passes on an error of its source, and the upload can be discarded', async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('x');
        throw new Problem('BAD_REQUEST', 'It broke.');
      }
      const pending = await t.files.beginUpload(t.root, at('film.mp4'), { check: anything });
      await expect(pending.append(broken())).rejects.toEqual(problem('BAD_REQUEST'));
      await pending.discard();
      expect(await t.all()).toEqual([]);
    });

    test('new content has a new fingerprint, and an open file keeps its old content', async () => {
      const first = (await put('a.txt', 'first')).file;
      const openFile = await open('a.txt');
      const second = await put('a.txt', 'other');
      expect(second.before).toEqual(first);
      expect(second.file.fingerprint).not.toBe(first.fingerprint);
      expect(openFile.fingerprint).toBe(first.fingerprint);
      const old = text(openFile.read(0, 4));
      if (keepsOpenFiles) expect(await old).toBe('first');
      else await expect(old).rejects.toEqual(problem('UNAVAILABLE'));
      expect(await get('a.txt')).toBe('other');
    });

    test('a check runs at the start and the end of an upload, and a rejection changes nothing', async () => {
      const seen: (number | undefined)[] = [];
      const watch: FileCheck = (current) => {
        seen.push(current?.sizeBytes);
      };
      const pending = await t.files.beginUpload(t.root, at('a.txt'), { check: watch });
      await pending.append(bytesOf('late'));
      await put('a.txt', 'meanwhile');
      await pending.publish();
      await pending.discard();
      expect(seen).toEqual([undefined, 9]);

      const absent: FileCheck = (current) => {
        if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'There is one.');
      };
      await expect(put('a.txt', 'x', absent)).rejects.toEqual(problem('PRECONDITION_FAILED'));
      const racing = await t.files.beginUpload(t.root, at('b.txt'), { check: absent });
      await put('b.txt', 'was first');
      await expect(racing.publish()).rejects.toEqual(problem('PRECONDITION_FAILED'));
      await racing.discard();
      expect(await get('a.txt')).toBe('late');
      expect(await get('b.txt')).toBe('was first');
      await expect(t.files.remove(t.root, at('a.txt'), { check: absent })).rejects.toEqual(
        problem('PRECONDITION_FAILED'),
      );
      expect(await t.all()).toEqual(['a.txt', 'b.txt']);
    });

    test('reads any range, and what it can of an open file that was deleted', async () => {
      const content = randomBytes(700_000).toString('hex');
      await put('a.txt', content);
      const [all, middle, last, late] = await Promise.all(Array.from({ length: 4 }, () => open('a.txt')));
      if (!all || !middle || !last || !late) throw new Error('Nothing was opened.');
      const ends = all.read(0, content.length - 1);
      await once(ends, 'readable');
      expect(await text(middle.read(262_140, 262_149))).toBe(content.slice(262_140, 262_150));
      expect(await text(last.read(content.length - 1, content.length - 1))).toBe(content.at(-1));
      await t.files.remove(t.root, at('a.txt'));
      await expect(open('a.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect((await text(ends)) === content, 'a read that had begun').toBe(true);
      const rest = text(late.read(262_140, 262_149));
      if (keepsOpenFiles) expect(await rest).toBe(content.slice(262_140, 262_150));
      else await expect(rest).rejects.toEqual(problem('UNAVAILABLE'));
      await expect(t.files.remove(t.root, at('a.txt'))).rejects.toEqual(problem('FILE_NOT_FOUND'));
    });

    test('what the reader says is in use does not change until it is used', async () => {
      const content = randomBytes(1_500_000);
      await put('a.bin', content.toString('latin1'));
      const expected = Buffer.from(content.toString('latin1'));
      // Up to five chunks are in use, like those in a socket whose client reads in bursts.
      const chunks: Buffer[] = [];
      const inUse = () => chunks.reduce((sum, { length }) => sum + length, 0);
      const stream = (await open('a.bin')).read(0, expected.length - 1, inUse);
      let position = 0;
      const use = (count: number) => {
        for (const chunk of chunks.splice(0, count)) {
          expect(chunk.equals(expected.subarray(position, position + chunk.length)), `from ${position}`).toBe(true);
          position += chunk.length;
        }
      };
      for await (const chunk of stream) {
        chunks.push(chunk);
        if (chunks.length === 5) use(position % 5);
      }
      use(chunks.length);
      expect(position).toBe(expected.length);
    });

    test('a file that is not read to its end can be closed', async () => {
      await put('a.txt', 'x'.repeat(3_000_000));
      const stream = (await open('a.txt')).read(0, 2_999_999);
      await once(stream, 'readable');
      stream.destroy();
      await once(stream, 'close');
      await (await open('a.txt')).close();
      expect((await get('a.txt')).length).toBe(3_000_000);
    });

    const inFolders: Test = keepsEmptyFolders ? test : always.skip;
    inFolders('deletes an empty folder only', async () => {
      await put('a/b/c.txt', 'c');
      await expect(t.files.remove(t.root, at('a/b'), { isFolder: true })).rejects.toEqual(problem('FOLDER_NOT_EMPTY'));
      await t.files.remove(t.root, at('a/b/c.txt'));
      await t.files.remove(t.root, at('a/b'), { isFolder: true });
      await expect(t.files.remove(t.root, at('a/b'), { isFolder: true })).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await list('a/')).toEqual({ paths: [], more: false });
      expect(await list('')).toEqual({ paths: ['a/'], more: false });
    });

    test('a folder with a file is not deleted', async () => {
      await put('a/b/c.txt', 'c');
      for (const path of ['a', 'a/b'])
        await expect(t.files.remove(t.root, at(path), { isFolder: true })).rejects.toEqual(problem('FOLDER_NOT_EMPTY'));
      expect(await t.all()).toEqual(['a/b/c.txt']);
    });

    test('a path that is a folder, or is below a file, is not a file', async () => {
      await put('a/b.txt', 'b');
      await expect(open('a')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a/b.txt/c.txt', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a/b.txt/c/d.txt', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(t.files.remove(t.root, at('a'))).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(open('a/b.txt/c.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toEqual(['a/b.txt']);
    });

    test('stores an empty file, and one of many parts', async () => {
      await put('empty.txt', '');
      expect(await get('empty.txt')).toBe('');
      const megabyte = randomBytes(2 ** 20);
      const pending = await t.files.beginUpload(t.root, at('large.bin'), { check: anything });
      async function* large(): AsyncGenerator<Uint8Array> {
        for (let i = 0; i < 35; i += 1) yield Buffer.concat([megabyte, Buffer.from([i])]);
      }
      await pending.append(large());
      const { file } = await pending.publish();
      await pending.discard();
      expect(file.sizeBytes).toBe(35 * (2 ** 20 + 1));
      const bytes = await buffer((await open('large.bin')).read(0, file.sizeBytes - 1));
      for (let i = 0; i < 35; i += 1) {
        const start = i * (2 ** 20 + 1);
        expect(bytes.subarray(start, start + 2 ** 20).equals(megabyte), `megabyte ${i}`).toBe(true);
        expect(bytes[start + 2 ** 20]).toBe(i);
      }
      expect(await t.all()).toEqual(['empty.txt', 'large.bin']);
    });

    const tree = (folder: string, { most = 100, signal = new AbortController().signal } = {}) =>
      t.files.listTree(t.root, at(folder), most, signal);

    test('all files of a folder are found, with those of its folders, as they are when they are opened', async () => {
      const paths = ['m/a.txt', 'm/deep/er+%20é.txt', 'm/deep/er/b.txt'];
      for (const path of [...paths, 'mm.txt', 'n/c.txt']) await put(path, path);
      const { files: found = [] } = (await tree('m')) ?? {};
      expect(found.map(({ path }) => path).toSorted()).toEqual(paths);
      for (const { path, sizeBytes, modifiedAt, fingerprint } of found) {
        const file = await open(path);
        await file.close();
        expect({ sizeBytes, modifiedAt, fingerprint }).toEqual({
          ...{ sizeBytes: file.sizeBytes, modifiedAt: file.modifiedAt, fingerprint: file.fingerprint },
        });
      }
      expect((await tree('m/deep/er'))?.files.map(({ path }) => path)).toEqual(['m/deep/er/b.txt']);
      expect(await tree('m', { most: 1 })).toBeUndefined();
      for (const path of ['none', 'm/none', 'mm.txt', 'm/a.txt/b'])
        await expect(tree(path), path).rejects.toEqual(problem('FILE_NOT_FOUND'));
      const left = new Problem('BAD_REQUEST', 'The client has left.');
      await expect(tree('m', { signal: AbortSignal.abort(left) })).rejects.toBe(left);
    });

    inFolders('an empty folder has no files', async () => {
      await t.files.createFolder(t.root, at('f/g'));
      expect(await tree('f')).toMatchObject({ files: [], entries: 1 });
    });

    const move = (from: string, to: string, replace = false) => t.files.move(t.root, at(from), at(to), { replace });

    test('a moved file has its content at its new path only, and its folders are created', async () => {
      await put('a/b.txt', 'b');
      const moved = await move('a/b.txt', 'c/d/e+%20é.txt');
      expect(moved).toMatchObject({ path: 'c/d/e+%20é.txt', sizeBytes: 1 });
      expect(await get('c/d/e+%20é.txt')).toBe('b');
      const { fingerprint, close } = await open('c/d/e+%20é.txt');
      await close();
      expect(moved).toMatchObject({ fingerprint });
      expect(await t.all()).toEqual(['c/d/e+%20é.txt']);
    });

    test('a file that has changed is neither moved nor put into the bin, if its check says so', async () => {
      await put('a.txt', 'new');
      await put('b.txt', 'b');
      const { fingerprint, close } = await open('b.txt');
      await close();
      const changed = new Problem('PRECONDITION_FAILED', 'It has changed.');
      const check: FileCheck = (current) => {
        if (current?.fingerprint !== fingerprint) throw changed;
      };
      await expect(t.files.move(t.root, at('a.txt'), at('c.txt'), { replace: false, check })).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      });
      if (bin !== 'none')
        await expect(t.files.remove(t.root, at('a.txt'), { keep: true, check })).rejects.toMatchObject({
          code: 'PRECONDITION_FAILED',
        });
      expect(await t.all()).toEqual(['a.txt', 'b.txt']);
      await t.files.move(t.root, at('b.txt'), at('c.txt'), { replace: false, check });
      expect(await t.all()).toEqual(['a.txt', 'c.txt']);
    });

    test('a move replaces a file only if it is told to, and a rejected move changes nothing', async () => {
      await put('a.txt', 'a');
      await put('b.txt', 'old');
      await put('f/c.txt', 'c');
      await expect(move('a.txt', 'b.txt')).rejects.toEqual(problem('FILE_EXISTS'));
      await expect(move('a.txt', 'f')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(move('a.txt', 'b.txt/c.txt')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(move('f', 'g')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(move('none.txt', 'g', true)).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toEqual(['a.txt', 'b.txt', 'f/c.txt']);
      await move('a.txt', 'b.txt', true);
      expect(await get('b.txt')).toBe('a');
      expect(await t.all()).toEqual(['b.txt', 'f/c.txt']);
    });

    test('of two moves to one path, only one succeeds, and the other file stays', async () => {
      await put('a.txt', 'a');
      await put('b.txt', 'b');
      const results = await Promise.allSettled([move('a.txt', 'c.txt'), move('b.txt', 'c.txt')]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(new Set([await get('c.txt'), await get(results[0]?.status === 'fulfilled' ? 'b.txt' : 'a.txt')])).toEqual(
        new Set(['a', 'b']),
      );
    });

    test('a folder moves with all that is in it, but never onto something', async () => {
      await put('m/a.txt', 'a');
      await put('m/deep/b.txt', 'b');
      await put('mm.txt', 'not in the folder');
      const moveFolder = (from: string, to: string) =>
        t.files.move(t.root, at(from), at(to), { isFolder: true, replace: false });
      expect(await moveFolder('m', 'n/o')).toEqual({ kind: 'folder', path: 'n/o/' });
      expect(await t.all()).toEqual(['mm.txt', 'n/o/a.txt', 'n/o/deep/b.txt']);
      expect(await get('n/o/deep/b.txt')).toBe('b');
      for (const to of ['n', 'mm.txt'])
        await expect(moveFolder('n/o/deep', to)).rejects.toEqual(problem('FILE_EXISTS'));
      await expect(moveFolder('n/o/deep', 'mm.txt/x')).rejects.toEqual(problem('NOT_A_FILE'));
      for (const from of ['none', 'mm.txt'])
        await expect(moveFolder(from, 'x')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toEqual(['mm.txt', 'n/o/a.txt', 'n/o/deep/b.txt']);
    });

    test('creates an empty folder, which is listed and can be moved and deleted', async () => {
      await put('a.txt', 'a');
      await t.files.createFolder(t.root, at('f/g'));
      expect(await list('')).toEqual({ paths: ['a.txt', 'f/'], more: false });
      expect(await list('f/')).toEqual({ paths: ['f/g/'], more: false });
      expect(await list('f/g/')).toEqual({ paths: [], more: false });
      for (const path of ['f/g', 'f', 'a.txt'])
        await expect(t.files.createFolder(t.root, at(path)), path).rejects.toEqual(problem('FILE_EXISTS'));
      await expect(t.files.createFolder(t.root, at('a.txt/b'))).rejects.toEqual(problem('NOT_A_FILE'));
      await t.files.move(t.root, at('f/g'), at('h'), { isFolder: true, replace: false });
      expect((await list('')).paths).toContain('h/');
      await t.files.remove(t.root, at('h'), { isFolder: true });
      expect((await list('')).paths).not.toContain('h/');
    });

    const keep = async (path: string): Promise<BinEntry> => {
      const isFolder = path.endsWith('/');
      const entry = await t.files.remove(t.root, at(isFolder ? path.slice(0, -1) : path), { keep: true, isFolder });
      if (entry === undefined) throw new Error('No entry.');
      return entry;
    };
    const purge = ({ entryId }: BinEntry) => t.files.purgeFromBin(t.root, entryId);
    const restore = ({ entryId }: BinEntry, to: string) => t.files.restoreFromBin(t.root, entryId, at(to));
    const binned = async () => (await t.files.listBin(t.root)).map(({ entryId }) => entryId);
    const withBin: Test = bin === 'none' ? () => {} : test;
    const withFolders: Test = bin === 'folder' ? test : () => {};
    /** The paths of the files that are not in the bin. */
    const visible = async () => (await t.all()).filter((path) => !isInBin({ path }));

    test('says whether it has a bin, and what it cannot keep is not deleted', async () => {
      expect(await t.files.binOf(t.root)).toBe(bin);
      if (bin !== 'none') return;
      await put('a.txt', 'a');
      await expect(keep('a.txt')).rejects.toEqual(problem('INVALID_REQUEST'));
      expect(await put('a.txt', 'b', anything, true)).toMatchObject({ replaced: undefined });
      expect([await get('a.txt'), await binned()]).toEqual(['b', []]);
    });

    withBin('what is in the bin is found by no other method, and comes back whole', async () => {
      await put('a.txt', 'a');
      await put('m/b.txt', 'bb');
      const entries = [await keep('a.txt'), await keep('m/b.txt')];
      expect(entries).toMatchObject([
        { path: 'a.txt', bytes: 1 },
        { path: 'm/b.txt', bytes: 2 },
      ]);
      expect(await binned()).toEqual(entries.map(({ entryId }) => entryId).toReversed());
      for (const { entryId, path } of entries) expect(await t.files.pathInBin(t.root, entryId)).toBe(path);
      expect(await list('')).toEqual({ paths: bin === 'folder' ? ['m/'] : [], more: false });
      await expect(open('a.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await put('a.txt', 'other');
      const [file, second] = entries;
      if (file === undefined || second === undefined) throw new Error('Two files were kept.');
      expect((await restore(file, 'd/a.txt')).entry).toMatchObject({ kind: 'file', path: 'd/a.txt', sizeBytes: 1 });
      expect(await restore(second, 'm/b.txt')).toMatchObject({ bytes: 2 });
      expect([await get('a.txt'), await get('d/a.txt'), await get('m/b.txt')]).toEqual(['other', 'a', 'bb']);
      for (const entry of entries)
        await expect(restore(entry, 'x.txt'), 'no longer there').rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect([await visible(), await binned()]).toEqual([['a.txt', 'd/a.txt', 'm/b.txt'], []]);
    });

    withFolders('a folder goes to the bin and back with all that is in it', async () => {
      await put('m/b.txt', 'b');
      await put('m/deep/c.txt', 'cc');
      await put('mm.txt', 'x');
      const folder = await keep('m/');
      expect(folder).toMatchObject({ path: 'm/', bytes: 3 });
      expect(await visible()).toEqual(['mm.txt']);
      await put('m/b.txt', 'new');
      await expect(restore(folder, 'm')).rejects.toEqual(problem('FILE_EXISTS'));
      expect((await restore(folder, 'n/o')).entry).toEqual({ kind: 'folder', path: 'n/o/' });
      expect(await t.all()).toEqual(['m/b.txt', 'mm.txt', 'n/o/b.txt', 'n/o/deep/c.txt']);
    });

    withBin('a restored file replaces nothing, and a purged one does not come back', async () => {
      await put('a.txt', 'a');
      const file = await keep('a.txt');
      await put('a.txt', 'new');
      await expect(restore(file, 'a.txt')).rejects.toEqual(problem('FILE_EXISTS'));
      expect(await get('a.txt')).toBe('new');
      expect([await purge(file), await purge(file)]).toEqual([1, undefined]);
      await expect(restore(file, 'x.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect([await t.all(), await binned()]).toEqual([['a.txt'], []]);
    });

    withBin(
      'a replaced file goes to the bin, and comes back in place of the other, which goes to the bin',
      async () => {
        await put('d/a.txt', 'first');
        const { replaced, before } = await put('d/a.txt', 'second one', anything, true);
        expect([before, replaced]).toMatchObject([{ sizeBytes: 5 }, { path: 'd/a.txt', bytes: 5 }]);
        expect([await get('d/a.txt'), await list('d/')]).toEqual(['second one', { paths: ['d/a.txt'], more: false }]);
        const second = await keep('d/a.txt');
        if (replaced === undefined) throw new Error('No file was kept.');
        const restored = await restore(replaced, 'd/a.txt');
        const { read: _, isOutput: __, directUrl: ___, close, ...facts } = await open('d/a.txt');
        await close();
        expect(restored.entry).toEqual({ kind: 'file', ...facts });
        expect([await get('d/a.txt'), await binned()]).toEqual(['first', [second.entryId]]);
      },
    );

    withBin('an upload that replaces nothing makes no entry', async () => {
      expect(await put('a.txt', 'a', anything, true)).toMatchObject({ before: undefined, replaced: undefined });
      expect([await visible(), await binned()]).toEqual([['a.txt'], []]);
    });

    withBin('a file that is not replaced after all stays, without an entry', async () => {
      const rejects: FileCheck = (current) => {
        if (current?.sizeBytes === 3) throw new Problem('PRECONDITION_FAILED', 'There is a file.');
      };
      const pending = await t.files.beginUpload(t.root, at('a.txt'), { check: rejects });
      await pending.append(bytesOf('new'));
      await put('a.txt', 'old');
      await expect(pending.publish(true)).rejects.toEqual(problem('PRECONDITION_FAILED'));
      await pending.discard();
      expect([await get('a.txt'), await binned()]).toEqual(['old', []]);
    });

    withBin('a path whose file is replaced is never without one', async () => {
      await put('a.txt', 'content 0');
      let isOver = false;
      const reads = (async () => {
        let count = 0;
        for (; !isOver; count += 1) {
          const file = await open('a.txt');
          await file.close();
          expect(file.sizeBytes).toBe(9);
        }
        return count;
      })();
      for (const index of [1, 2, 3, 4]) await put('a.txt', `content ${index}`, anything, true);
      isOver = true;
      expect(await reads).toBeGreaterThan(0);
      expect(await get('a.txt')).toBe('content 4');
      expect(await binned()).toHaveLength(4);
    });

    withBin('what is missing makes no entry, and of several restores of one entry one succeeds', async () => {
      await put('m/b.txt', 'b');
      await expect(keep('none.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await expect(keep('none/')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await expect(keep('m')).rejects.toEqual(problem('NOT_A_FILE'));
      expect([await t.all(), await binned()]).toEqual([['m/b.txt'], []]);
      const kept = await keep('m/b.txt');
      const results = await Promise.allSettled(['x.txt', 'y.txt', 'z.txt'].map((to) => restore(kept, to)));
      if (bin === 'folder') expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await binned()).toEqual([]);
    });

    withBin('an id of an entry never leads out of the bin of its media root', async () => {
      await put('a.txt', 'a');
      const day = new Date().toISOString().slice(0, 10);
      const own = Buffer.from('v\0../a.txt').toString('base64url');
      for (const id of ['..', '../..', `${day}.`, `${day}.../a.txt`, `${day}/..`, 'a.txt', '', '\0', own]) {
        expect(await t.files.pathInBin(t.root, id), id).toBe(undefined);
        expect(await t.files.purgeFromBin(t.root, id), id).toBe(undefined);
        const restored = t.files.restoreFromBin(t.root, id, at('b.txt'));
        await expect(restored, id).rejects.toEqual(problem('FILE_NOT_FOUND'));
      }
      expect(await t.all()).toEqual(['a.txt']);
    });

    test('a walk finds the size of each file, and of those in the bin', async () => {
      for (const path of ['b.txt', 'a/x.txt', 'a/deep/y.txt', 'c/z.txt']) await put(path, path);
      const walk = async (folder: string) => {
        const found: string[] = [];
        for await (const files of t.files.walk(t.root, folder, new AbortController().signal))
          for (const file of files) found.push(`${isInBin(file) ? 'bin' : file.path} ${file.bytes}`);
        return found.toSorted();
      };
      expect(await walk('')).toEqual(['a/deep/y.txt 12', 'a/x.txt 7', 'b.txt 5', 'c/z.txt 7']);
      expect([await walk('a/'), await walk('none/'), await walk('b.txt/')]).toEqual([
        ['a/deep/y.txt 12', 'a/x.txt 7'],
        [],
        [],
      ]);
      if (bin === 'none') return;
      await keep('c/z.txt');
      expect(await walk('')).toEqual(['a/deep/y.txt 12', 'a/x.txt 7', 'b.txt 5', 'bin 7']);
    });

    test('rejects a deletion of a folder at a path that is not one', async () => {
      await put('a/b.txt', 'b');
      for (const path of ['a/b.txt', 'none'])
        await expect(t.files.remove(t.root, at(path), { isFolder: true })).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toEqual(['a/b.txt']);
    });

    test('lists one folder by name, in pages', async () => {
      for (const path of ['m/b', 'm/a', 'm/a.d/x', 'm/c/y', 'm/B', 'z']) await put(path, path);
      expect(await list('')).toEqual({ paths: ['m/', 'z'], more: false });
      expect(await list('m/')).toEqual({ paths: ['m/B', 'm/a', 'm/a.d/', 'm/b', 'm/c/'], more: false });
      expect(await list('m/', { nameStart: 'a' })).toEqual({ paths: ['m/a', 'm/a.d/'], more: false });
      expect(await list('m/', { limit: 2 })).toEqual({ paths: ['m/B', 'm/a'], more: true });
      expect(await list('m/', { limit: 3, after: 'a' })).toEqual({ paths: ['m/a.d/', 'm/b', 'm/c/'], more: false });
      expect(await list('m/', { limit: 1, after: 'a.d/' })).toEqual({ paths: ['m/b'], more: true });
      expect(await list('none/')).toEqual({ paths: [], more: false });
      expect(await list('z/')).toEqual({ paths: [], more: false });
      const { entries } = await t.files.list(t.root, { folder: 'm/', nameStart: 'b', limit: 1 });
      const { read: _, isOutput: __, close, ...facts } = await open('m/b');
      await close();
      expect(entries).toEqual([{ kind: 'file', ...facts }]);
    });

    test('pages have every entry once, whatever characters are in its name', async () => {
      const names = ['a', 'a-b', 'a.c/x', 'a/x', 'a b', 'a+b', 'a%2Bb', 'ä', '😀', '～', '{', 'b&<c>'];
      for (const name of names) await put(`m/${name === 'a' ? 'a0' : name}`, 'x');
      const all = (await list('m/')).paths;
      const found: string[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = await list('m/', { limit: 1, ...(after !== undefined && { after }) });
        found.push(...page.paths);
        after = page.paths.at(-1)?.slice(2);
        more = page.more;
      }
      expect(found).toEqual(all);
      const expected = ['a0', 'a-b', 'a.c/', 'a/', 'a b', 'a+b', 'a%2Bb', 'ä', '😀', '～', '{', 'b&<c>'];
      expect(new Set(found)).toEqual(new Set(expected.map((name) => `m/${name}`)));
      expect(found).toHaveLength(expected.length);
    });

    const search = async (
      q: string,
      { folder = '', nameStart = '', limit = 100, maxNames = 100, after = '' } = {},
      signal = new AbortController().signal,
    ) => {
      const query = { folder, nameStart, limit, maxNames, matches: fileSearch(q), ...(after !== '' && { after }) };
      const page = await t.files.search(t.root, query, signal);
      return { paths: page.entries.map(({ path }) => path), nextAfter: page.nextAfter };
    };

    /** All pages of a search, and how many they are. */
    const searchAll = async (q: string, page: { folder?: string; limit?: number; maxNames?: number }) => {
      const paths: string[] = [];
      let pages = 0;
      for (let after: string | undefined = ''; after !== undefined; pages += 1) {
        const found = await search(q, { ...page, after });
        expect(found.paths.length).toBeLessThanOrEqual(page.limit ?? 100);
        paths.push(...found.paths);
        after = found.nextAfter;
      }
      return { paths, pages };
    };

    test('a search finds the files and folders of all folders below one, as a list shows them, and nothing reserved', async () => {
      const paths = ['a.txt', 'm/Film.mp4', 'm/film/b.txt', 'm/film/deep/film 2.mp4', 'mm/film.mp4', 'n/c.txt'];
      for (const path of paths) await put(path, path);
      if (bin !== 'none') await keep('n/c.txt');
      await put('n/c.txt', 'c');
      const all = ['m/Film.mp4', 'm/film/', 'm/film/deep/film 2.mp4', 'mm/film.mp4'];
      expect(await search('film')).toEqual({ paths: all, nextAfter: undefined });
      expect((await search('film', { folder: 'm/' })).paths).toEqual(all.slice(0, 3));
      expect((await search('film', { nameStart: 'mm' })).paths).toEqual(['mm/film.mp4']);
      expect((await search('film', { folder: 'm/', nameStart: 'f' })).paths).toEqual(all.slice(1, 3));
      expect((await search('film', { folder: 'm/film/' })).paths).toEqual(['m/film/deep/film 2.mp4']);
      expect((await search('deep film')).paths).toEqual(['m/film/deep/film 2.mp4']);
      expect((await search('c.txt')).paths).toEqual(['n/c.txt']);
      for (const folder of ['none/', 'a.txt/']) expect((await search('film', { folder })).paths, folder).toEqual([]);
      const query = { folder: 'm/', nameStart: '', limit: 9, maxNames: 9, matches: fileSearch('film.mp4') };
      const { read: _, isOutput: __, close, ...facts } = await open('m/Film.mp4');
      await close();
      const { entries } = await t.files.search(t.root, query, new AbortController().signal);
      expect(entries).toEqual([{ kind: 'file', ...facts }]);
      const left = new Problem('BAD_REQUEST', 'The client has left.');
      await expect(search('film', {}, AbortSignal.abort(left))).rejects.toBe(left);
    });

    test('the pages of a search have every entry once, whatever is in its path, and each looks at few names', async () => {
      const names = [
        'a-x',
        'a.x/b-x/x',
        'a/x',
        'a x/x+',
        'a%2Bx',
        'xä',
        '😀/～x',
        'b&<x>',
        'c/d/e/f/x',
        'c/d/none',
        'z',
      ];
      for (const name of names) await put(`m/${name}`, 'x');
      const whole = (await search('x', { folder: 'm/' })).paths;
      const folders = ['a.x/', 'a.x/b-x/', 'a x/'];
      expect(whole.toSorted()).toEqual(
        [...names.filter((name) => name.includes('x')), ...folders].map((path) => `m/${path}`).toSorted(),
      );
      for (const limit of [1, 2, 3]) expect((await searchAll('x', { folder: 'm/', limit })).paths).toEqual(whole);
      for (const maxNames of [1, 2, 3]) {
        const found = await searchAll('x', { folder: 'm/', maxNames });
        expect(found.paths).toEqual(whole);
        expect(found.pages).toBeGreaterThanOrEqual(names.length / maxNames);
      }
      expect((await searchAll('nothing', { folder: 'm/', maxNames: 4 })).paths).toEqual([]);
      // A file that is gone meanwhile, in a folder that never was.
      expect((await search('x', { folder: 'm/', after: 'c/d/gone/x' })).paths).toEqual(['m/xä', 'm/😀/～x']);
    });

    test('concurrent uploads to one path leave one of the files, whole', async () => {
      const contents = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(5000));
      await Promise.all(contents.map((content) => put('a.txt', content)));
      expect(contents).toContain(await get('a.txt'));
      expect(await t.all()).toEqual(['a.txt']);
    });
  });
}
