import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import { fileSearch } from '../../packages/contract/src/domain/file-search.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { Problem, type ProblemCode } from '../../packages/contract/src/domain/problem.ts';
import type {
  BinRecord,
  FileCheck,
  FileFacts,
  FileStore,
  FilesInBin,
  ReplacedRecord,
} from '../../packages/service/src/files/ports.ts';
import { at } from '../fixtures/media-plans.ts';
import { replacedRecord } from '../support/replaced-record.ts';

/** An engine that the suite runs on. */
export interface FilesEngine {
  readonly name: string;
  /** Opens the engine with an empty media root. */
  open(): Promise<FilesUnderTest>;
  /** Whether empty folders exist. In an object store, a folder exists only while it contains a file. */
  readonly keepsEmptyFolders: boolean;
  /** Whether an open file can still be read after it was replaced or deleted. Otherwise a read then fails. */
  readonly keepsOpenFiles: boolean;
}

/** An open engine, and access to its files from outside. */
export interface FilesUnderTest {
  readonly files: FileStore;
  readonly root: MediaRoot;
  /** Another media root of the same engine, which is empty. */
  otherRoot(): Promise<MediaRoot>;
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
  { name, open: openEngine, keepsEmptyFolders, keepsOpenFiles }: FilesEngine,
  test: Test = always,
): void {
  describe(`files on ${name}`, () => {
    let t: FilesUnderTest;
    beforeEach(async () => {
      t = await openEngine();
    });
    afterEach(() => t.close());

    async function put(path: string, content: string, check: FileCheck = anything, replaced?: ReplacedRecord) {
      const pending = await t.files.beginUpload(t.root, at(path), { sizeBytes: content.length, check });
      try {
        await pending.append(bytesOf(content));
        return await pending.publish(replaced);
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
      const { file, created } = await pending.publish();
      await pending.discard();
      expect(created).toBe(true);
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
      expect(second.created).toBe(false);
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
      await expect(t.files.remove(t.root, at('a.txt'), absent)).rejects.toEqual(problem('PRECONDITION_FAILED'));
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
      await t.files.remove(t.root, at('a.txt'), anything);
      await expect(open('a.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect((await text(ends)) === content, 'a read that had begun').toBe(true);
      const rest = text(late.read(262_140, 262_149));
      if (keepsOpenFiles) expect(await rest).toBe(content.slice(262_140, 262_150));
      else await expect(rest).rejects.toEqual(problem('UNAVAILABLE'));
      await expect(t.files.remove(t.root, at('a.txt'), anything)).rejects.toEqual(problem('FILE_NOT_FOUND'));
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
    inFolders('removeFolder deletes an empty folder only', async () => {
      await put('a/b/c.txt', 'c');
      await expect(t.files.removeFolder(t.root, at('a/b'))).rejects.toEqual(problem('FOLDER_NOT_EMPTY'));
      await t.files.remove(t.root, at('a/b/c.txt'), anything);
      await t.files.removeFolder(t.root, at('a/b'));
      await expect(t.files.removeFolder(t.root, at('a/b'))).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await list('a/')).toEqual({ paths: [], more: false });
      expect(await list('')).toEqual({ paths: ['a/'], more: false });
    });

    test('a folder with a file is not deleted', async () => {
      await put('a/b/c.txt', 'c');
      for (const path of ['a', 'a/b'])
        await expect(t.files.removeFolder(t.root, at(path))).rejects.toEqual(problem('FOLDER_NOT_EMPTY'));
      expect(await t.all()).toEqual(['a/b/c.txt']);
    });

    test('a path that is a folder, or is below a file, is not a file', async () => {
      await put('a/b.txt', 'b');
      await expect(open('a')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a/b.txt/c.txt', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(put('a/b.txt/c/d.txt', 'x')).rejects.toEqual(problem('NOT_A_FILE'));
      await expect(t.files.remove(t.root, at('a'), anything)).rejects.toEqual(problem('NOT_A_FILE'));
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
      expect(fingerprint).toBe(moved.fingerprint);
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
      const record = { add: async () => {}, remove: async () => {} };
      const entry = { entryId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16', isFolder: false };
      await expect(t.files.keepInBin(t.root, at('a.txt'), entry, record, check)).rejects.toMatchObject({
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
      await t.files.moveFolder(t.root, at('m'), at('n/o'));
      expect(await t.all()).toEqual(['mm.txt', 'n/o/a.txt', 'n/o/deep/b.txt']);
      expect(await get('n/o/deep/b.txt')).toBe('b');
      const moveFolder = (from: string, to: string) => t.files.moveFolder(t.root, at(from), at(to));
      for (const to of ['n', 'mm.txt'])
        await expect(moveFolder('n/o/deep', to)).rejects.toEqual(problem('FILE_EXISTS'));
      await expect(moveFolder('n/o/deep', 'mm.txt/x')).rejects.toEqual(problem('NOT_A_FILE'));
      for (const from of ['none', 'mm.txt'])
        await expect(moveFolder(from, 'x')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toEqual(['mm.txt', 'n/o/a.txt', 'n/o/deep/b.txt']);
    });

    test('a folder moves and is restored only after a last check, which may still reject', async () => {
      await put('m/a.txt', 'a');
      const checked: string[] = [];
      const prepare = async () => void checked.push('prepared');
      const rejects = { prepare, before: () => Promise.reject(new Problem('FILE_IN_USE', 'A job uses it now.')) };
      const passes = { prepare, before: async () => void checked.push('checked') };
      await expect(t.files.moveFolder(t.root, at('m'), at('longer'), rejects)).rejects.toEqual(problem('FILE_IN_USE'));
      expect(await t.all()).toEqual(['m/a.txt']);
      await t.files.moveFolder(t.root, at('m'), at('longer'), passes);
      const entry = await keep('longer/', 'entry-1');
      const restored = t.files.restoreFromBin(t.root, entry, at('even/longer'), undefined, rejects);
      await expect(restored).rejects.toEqual(problem('FILE_IN_USE'));
      expect(await list('')).toEqual({ paths: [], more: false });
      await t.files.restoreFromBin(t.root, entry, at('even/longer'), undefined, passes);
      expect(await get('even/longer/a.txt')).toBe('a');
      // Before new folders are created, a check may come in addition.
      expect(checked.filter((step, index) => step !== checked[index - 1])).toEqual([
        'prepared',
        'checked',
        'prepared',
        'checked',
      ]);
      const checks = checked.length;
      // What is certain without a check needs none.
      await put('b/b.txt', 'b');
      await expect(t.files.moveFolder(t.root, at('b'), at('even/longer'), passes)).rejects.toEqual(
        problem('FILE_EXISTS'),
      );
      const occupied = await keep('b/', 'entry-2');
      await expect(t.files.restoreFromBin(t.root, occupied, at('even/longer'), undefined, passes)).rejects.toEqual(
        problem('FILE_EXISTS'),
      );
      const left = new Problem('BAD_REQUEST', 'The client has left.');
      const late = { ...passes, by: { clientId: 'amy', hangUp: AbortSignal.abort(left) } };
      await expect(t.files.restoreFromBin(t.root, occupied, at('longer'), undefined, late)).rejects.toBe(left);
      await expect(t.files.moveFolder(t.root, at('even'), at('longer'), late)).rejects.toBe(left);
      expect(checked).toHaveLength(checks);
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
      await t.files.moveFolder(t.root, at('f/g'), at('h'));
      expect((await list('')).paths).toContain('h/');
      await t.files.removeFolder(t.root, at('h'));
      expect((await list('')).paths).not.toContain('h/');
    });

    /** Moves a file or folder to the bin. If that fails, checks that no record of an entry stays. */
    async function keep(path: string, entryId: string): Promise<FilesInBin> {
      const isFolder = path.endsWith('/');
      let data: string | undefined;
      const record: BinRecord = {
        add: async (added) => {
          expect(data, 'one record').toBeUndefined();
          data = added;
        },
        remove: async () => {
          data = undefined;
        },
      };
      await t.files
        .keepInBin(t.root, at(isFolder ? path.slice(0, -1) : path), { entryId, isFolder }, record)
        .catch((error: unknown) => {
          expect(data, 'a record of an entry without files').toBeUndefined();
          throw error;
        });
      return { entryId, path, data: data ?? '' };
    }
    const purge = (entry: FilesInBin) => t.files.purgeFromBin(t.root, entry);
    /** Restores an entry, and deletes what is left of it in the bin. */
    const restore = async (entry: FilesInBin, to: string) => {
      const restored = await t.files.restoreFromBin(t.root, entry, at(to));
      if (restored !== undefined) expect(await purge(entry)).toBe(true);
      return restored;
    };

    test('what is in the bin is found by no other method, and comes back whole', async () => {
      await put('a.txt', 'a');
      await put('m/b.txt', 'b');
      await put('m/deep/c.txt', 'c');
      const file = await keep('a.txt', 'entry-1');
      const folder = await keep('m/', 'entry-2');
      expect(await list('')).toEqual({ paths: [], more: false });
      await expect(open('a.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await put('a.txt', 'other');
      expect(await restore(file, 'd/a.txt')).toMatchObject({ kind: 'file', path: 'd/a.txt', sizeBytes: 1 });
      expect(await restore(folder, 'm')).toEqual({ kind: 'folder', path: 'm/' });
      expect(await t.all()).toEqual(['a.txt', 'd/a.txt', 'm/b.txt', 'm/deep/c.txt']);
      expect([await get('a.txt'), await get('d/a.txt'), await get('m/deep/c.txt')]).toEqual(['other', 'a', 'c']);
      expect([await restore(file, 'x.txt'), await restore(folder, 'x')], 'no longer there').toEqual([
        undefined,
        undefined,
      ]);
    });

    test('a restored file or folder replaces nothing, and a purged one does not come back', async () => {
      await put('a.txt', 'a');
      await put('m/b.txt', 'b');
      const file = await keep('a.txt', 'entry-1');
      const folder = await keep('m/', 'entry-2');
      await put('a.txt', 'new');
      await put('m/b.txt', 'new');
      await expect(restore(file, 'a.txt')).rejects.toEqual(problem('FILE_EXISTS'));
      await expect(restore(folder, 'm')).rejects.toEqual(problem('FILE_EXISTS'));
      expect([await get('a.txt'), await get('m/b.txt')]).toEqual(['new', 'new']);
      for (const entry of [file, folder, { ...file, entryId: 'none' }]) expect(await purge(entry)).toBe(true);
      expect(await purge(file), 'again').toBe(true);
      expect([await restore(file, 'x.txt'), await restore(folder, 'x')]).toEqual([undefined, undefined]);
      expect(await t.all()).toEqual(['a.txt', 'm/b.txt']);
    });

    test('a replaced file goes to the bin, and a restore exchanges the two repeatedly', async () => {
      await put('d/a.txt', 'first');
      const seen: FileFacts[] = [];
      const first = replacedRecord('entry-1', 'd/a.txt', async (old) => {
        seen.push(old);
        expect(await get('d/a.txt'), 'nothing has changed yet').toBe('first');
      });
      expect(await put('d/a.txt', 'second one', anything, first.record)).toMatchObject({ created: false });
      expect(seen).toMatchObject([{ path: 'd/a.txt', sizeBytes: 5 }]);
      expect([await get('d/a.txt'), await list('d/')]).toEqual(['second one', { paths: ['d/a.txt'], more: false }]);

      const swap = async (entry: FilesInBin, entryId: string): Promise<FilesInBin> => {
        const next = replacedRecord(entryId, 'd/a.txt');
        const restored = await t.files.restoreFromBin(t.root, entry, at('d/a.txt'), next.record);
        expect(await purge(entry)).toBe(true);
        const { read: _, isOutput: __, directUrl: ___, close, ...facts } = await open('d/a.txt');
        await close();
        expect(restored).toEqual({ kind: 'file', ...facts });
        return next.require();
      };
      const second = await swap(first.require(), 'entry-2');
      expect(await get('d/a.txt')).toBe('first');
      const again = await swap(second, 'entry-3');
      expect(await get('d/a.txt')).toBe('second one');
      expect(await purge(again)).toBe(true);
      expect(await t.all()).toEqual(['d/a.txt']);
    });

    test('a file that replaces nothing makes no entry, neither by an upload nor by a restore', async () => {
      const none = replacedRecord('entry-1', 'a.txt');
      expect(await put('a.txt', 'a', anything, none.record)).toMatchObject({ created: true });
      const kept = await keep('a.txt', 'entry-2');
      expect(await t.files.restoreFromBin(t.root, kept, at('b.txt'), none.record)).toMatchObject({ path: 'b.txt' });
      await purge(kept);
      expect([none.entry(), await t.all()]).toEqual([undefined, ['b.txt']]);
    });

    test('a file that is not replaced after all stays, without an entry', async () => {
      await put('a.txt', 'old');
      const rejects: FileCheck = (current) => {
        if (current?.sizeBytes === 3) throw new Problem('PRECONDITION_FAILED', 'There is a file.');
      };
      const unused = replacedRecord('entry-1', 'a.txt');
      await t.files.remove(t.root, at('a.txt'), anything);
      const pending = await t.files.beginUpload(t.root, at('a.txt'), { check: rejects });
      await pending.append(bytesOf('new'));
      await put('a.txt', 'old');
      await expect(pending.publish(unused.record)).rejects.toEqual(problem('PRECONDITION_FAILED'));
      await pending.discard();
      const outage = new Error('The database is away.');
      let records = 0;
      const away: ReplacedRecord = {
        entryIdOf: () => 'entry-2',
        add: async () => {
          // It is stored, although its reply is lost.
          records += 1;
          throw outage;
        },
        remove: async () => {
          records -= 1;
        },
      };
      await expect(put('a.txt', 'new', anything, away)).rejects.toBe(outage);
      const kept = await keep('a.txt', 'entry-3');
      await put('a.txt', 'newer');
      await expect(t.files.restoreFromBin(t.root, kept, at('a.txt'), away)).rejects.toBe(outage);
      expect([unused.entry(), records, await get('a.txt')]).toEqual([undefined, 0, 'newer']);
      expect(await restore(kept, 'b.txt')).toMatchObject({ path: 'b.txt', sizeBytes: 3 });
      expect(await t.all()).toEqual(['a.txt', 'b.txt']);
    });

    test('a path whose file is replaced is never without one', async () => {
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
      const entries: FilesInBin[] = [];
      for (const index of [1, 2, 3, 4]) {
        const replaced = replacedRecord(`entry-${index}`, 'a.txt');
        await put('a.txt', `content ${index}`, anything, replaced.record);
        entries.push(replaced.require());
      }
      const [oldest] = entries;
      const last = replacedRecord('entry-5', 'a.txt');
      if (oldest !== undefined) await t.files.restoreFromBin(t.root, oldest, at('a.txt'), last.record);
      isOver = true;
      expect(await reads).toBeGreaterThan(0);
      expect(await get('a.txt')).toBe('content 0');
      for (const entry of [...entries, last.require()]) expect(await purge(entry)).toBe(true);
      expect(await t.all()).toEqual(['a.txt']);
    });

    test('an entry is recorded before its files move, and not at all if there are none', async () => {
      await put('a.txt', 'a');
      await put('m/b.txt', 'b');
      await expect(keep('none.txt', 'entry-1')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await expect(keep('none/', 'entry-1')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      await expect(keep('m', 'entry-1')).rejects.toEqual(problem('NOT_A_FILE'));
      const outage = new Error('The database is away.');
      for (const [path, isFolder] of [
        ['a.txt', false],
        ['m', true],
      ] as const) {
        let records = 0;
        const add = async (): Promise<void> => {
          expect(await t.all()).toEqual(['a.txt', 'm/b.txt']);
          // It is stored, although its reply is lost.
          records += 1;
          throw outage;
        };
        const remove = async (): Promise<void> => {
          records -= 1;
        };
        const record = { add, remove };
        const kept = t.files.keepInBin(t.root, at(path), { entryId: 'entry-2', isFolder }, record);
        await expect(kept).rejects.toBe(outage);
        expect(records).toBe(0);
      }
      expect(await t.all()).toEqual(['a.txt', 'm/b.txt']);
    });

    test('an entry of an earlier version, which does not know its media root, is restored and purged', async () => {
      await put('a.txt', 'a');
      await put('b.txt', 'b');
      const entries = [await keep('a.txt', 'entry-1'), await keep('b.txt', 'entry-2')];
      const [file, other] = entries.map((entry) => ({ ...entry, data: '' }));
      if (file === undefined || other === undefined) throw new Error('Two files were kept.');
      expect(await restore(file, 'a.txt')).toMatchObject({ path: 'a.txt' });
      expect([await restore(file, 'x.txt'), await purge(other), await t.all()]).toEqual([undefined, true, ['a.txt']]);
    });

    test('files in the bin of an earlier media root are not given up for lost, and are purged there', async () => {
      await put('a.txt', 'a');
      const file = await keep('a.txt', 'entry-1');
      const other = await t.otherRoot();
      await expect(t.files.restoreFromBin(other, file, at('a.txt'))).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await t.all()).toHaveLength(1);
      expect(await t.files.purgeFromBin(other, file)).toBe(true);
      expect(await t.all()).toEqual([]);
    });

    test('removeFolder rejects a path that is not a folder', async () => {
      await put('a/b.txt', 'b');
      for (const path of ['a/b.txt', 'none'])
        await expect(t.files.removeFolder(t.root, at(path))).rejects.toEqual(problem('FILE_NOT_FOUND'));
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
      await keep('n/c.txt', 'film-entry');
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
