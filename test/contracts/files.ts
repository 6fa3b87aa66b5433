import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MediaRoot } from '../../src/domain/media-root.ts';
import { Problem, type ProblemCode } from '../../src/domain/problem.ts';
import type { FileCheck, FileStore } from '../../src/files/ports.ts';
import { at } from '../fixtures/media-plans.ts';

/** An engine that the suite runs on. */
export interface FilesEngine {
  readonly name: string;
  /** Opens the engine with an empty media root. */
  open(): Promise<FilesUnderTest>;
  /** Whether empty folders exist. In an object store, a folder exists only while it contains a file. */
  readonly keepsEmptyFolders: boolean;
}

/** An open engine, and access to its files from outside. */
export interface FilesUnderTest {
  readonly files: FileStore;
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

/** Defines the tests that every file store must pass. */
export function filesContract({ name, open: openEngine, keepsEmptyFolders }: FilesEngine): void {
  describe(`files on ${name}`, () => {
    let t: FilesUnderTest;
    beforeEach(async () => {
      t = await openEngine();
    });
    afterEach(() => t.close());

    async function put(path: string, content: string, check: FileCheck = anything) {
      const pending = await t.files.beginUpload(t.root, at(path), { sizeBytes: content.length, check });
      try {
        await pending.append(bytesOf(content));
        return await pending.publish();
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
      const { read: _, close, ...opened } = await open('deep/er/film.mp4');
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
      expect(await text(openFile.read(0, 4))).toBe('first');
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

    test('reads any range, even of an open file that was deleted', async () => {
      const content = randomBytes(700_000).toString('hex');
      await put('a.txt', content);
      const [all, middle, last] = await Promise.all([open('a.txt'), open('a.txt'), open('a.txt')]);
      await t.files.remove(t.root, at('a.txt'), anything);
      await expect(open('a.txt')).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect((await text(all.read(0, content.length - 1))) === content).toBe(true);
      expect(await text(middle.read(262_140, 262_149))).toBe(content.slice(262_140, 262_150));
      expect(await text(last.read(content.length - 1, content.length - 1))).toBe(content.at(-1));
      await expect(t.files.remove(t.root, at('a.txt'), anything)).rejects.toEqual(problem('FILE_NOT_FOUND'));
    });

    test.skipIf(!keepsEmptyFolders)('removeFolder deletes an empty folder only', async () => {
      await put('a/b/c.txt', 'c');
      await expect(t.files.removeFolder(t.root, at('a/b'))).rejects.toEqual(problem('FOLDER_NOT_EMPTY'));
      await t.files.remove(t.root, at('a/b/c.txt'), anything);
      await t.files.removeFolder(t.root, at('a/b'));
      await expect(t.files.removeFolder(t.root, at('a/b'))).rejects.toEqual(problem('FILE_NOT_FOUND'));
      expect(await list('a/')).toEqual({ paths: [], more: false });
      expect(await list('')).toEqual({ paths: ['a/'], more: false });
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
      expect(await list('none/')).toEqual({ paths: [], more: false });
      expect(await list('z/')).toEqual({ paths: [], more: false });
      const { entries } = await t.files.list(t.root, { folder: 'm/', nameStart: 'b', limit: 1 });
      const { read: _, close, ...facts } = await open('m/b');
      await close();
      expect(entries).toEqual([{ kind: 'file', ...facts }]);
    });

    test('concurrent uploads to one path leave one of the files, whole', async () => {
      const contents = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(5000));
      await Promise.all(contents.map((content) => put('a.txt', content)));
      expect(contents).toContain(await get('a.txt'));
      expect(await t.all()).toEqual(['a.txt']);
    });
  });
}
