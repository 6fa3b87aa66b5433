import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import type { ChunkFiles } from '../../packages/service/src/jobs/ports/chunk-files.ts';
import type { MediaStore, Scratch } from '../../packages/service/src/jobs/ports/media-store.ts';
import { failure } from './media.ts';

/** An open store of chunks, and the media engine with the scratch folders. */
export interface ChunkFilesUnderTest {
  readonly media: MediaStore;
  readonly chunkFiles: ChunkFiles;
  /** The ids of the stored files. */
  stored(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Test = (title: string, run: () => Promise<void>) => void;

/** Defines the tests that every store of chunks must pass. */
export function chunkFilesContract(name: string, open: () => Promise<ChunkFilesUnderTest>, test: Test = always): void {
  describe(`chunks on ${name}`, () => {
    let t: ChunkFilesUnderTest;
    let scratch: Scratch;
    beforeEach(async () => {
      t = await open();
      scratch = await openScratch(1);
    });
    afterEach(() => t.close());

    /** Opens a scratch folder in which a conversion has created `pass/`. */
    async function openScratch(fence: number): Promise<Scratch> {
      const opened = await t.media.openScratch('job', fence);
      await mkdir(pass(opened));
      return opened;
    }
    const pass = (of: Scratch): string => join(t.media.scratchFolder(of), 'pass');
    const write = (file: string, content: string | Buffer) => writeFile(join(pass(scratch), file), content);

    test('a kept file can be linked into the scratch folder of another job, any number of times', async () => {
      await write('c0.mkv', 'chunk');
      expect(await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1'), 'its size').toBe(5);
      expect(await readdir(pass(scratch)), 'not where ffmpeg would write again').not.toContain('c0.mkv');
      expect(await t.stored()).toEqual(['a.1']);
      for (const fence of [2, 3]) {
        const other = await openScratch(fence);
        expect(await t.chunkFiles.link(other, 'a.1', 'linked.mkv')).toBe(true);
        expect(await readFile(join(pass(other), 'linked.mkv'), 'utf8')).toBe('chunk');
      }
      expect(await t.stored()).toEqual(['a.1']);
    });

    test('a file of several parts is stored whole', async () => {
      const content = Buffer.alloc(40 * 2 ** 20 + 7, 'chunk');
      await write('c0.mkv', content);
      expect(await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1')).toBe(content.length);
      expect(await t.chunkFiles.link(scratch, 'a.1', 'linked.mkv')).toBe(true);
      expect((await readFile(join(pass(scratch), 'linked.mkv'))).equals(content)).toBe(true);
    });

    test('a file that is kept under an id a second time replaces the first one', async () => {
      for (const content of ['first', 'second']) {
        await write('c0.mkv', content);
        await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
      }
      expect(await t.chunkFiles.link(scratch, 'a.1', 'c0.mkv')).toBe(true);
      expect(await readFile(join(pass(scratch), 'c0.mkv'), 'utf8')).toBe('second');
      expect(await t.stored()).toEqual(['a.1']);
    });

    test('a missing file is not linked, and writes nothing', async () => {
      expect(await t.chunkFiles.link(scratch, 'none.1', 'c0.mkv')).toBe(false);
      expect(await readdir(pass(scratch))).toEqual([]);
    });

    test('rejects a symlink or a folder that ffmpeg wrote in place of a file, and stores nothing', async () => {
      const secret = join(pass(scratch), 'secret');
      await writeFile(secret, 'secret');
      await symlink(secret, join(pass(scratch), 'link.mkv'));
      await mkdir(join(pass(scratch), 'folder.mkv'));
      for (const file of ['link.mkv', 'folder.mkv'])
        await expect(t.chunkFiles.keep(scratch, file, 'a.1'), file).rejects.toEqual(failure('FFMPEG_FAILED'));
      await expect(t.chunkFiles.keep(scratch, 'missing.mkv', 'a.1')).rejects.toEqual(failure('STORAGE_FAULT'));
      expect(await t.stored()).toEqual([]);
    });

    test('rejects a symlink in place of the folder pass/, and never writes through a symlink', async () => {
      await write('c0.mkv', 'chunk');
      await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
      const elsewhere = join(t.media.scratchFolder(scratch), 'elsewhere');
      await mkdir(elsewhere);
      await symlink(join(elsewhere, 'target'), join(pass(scratch), 'linked.mkv'));
      expect(await t.chunkFiles.link(scratch, 'a.1', 'linked.mkv'), 'instead of the symlink').toBe(true);
      await rename(pass(scratch), join(t.media.scratchFolder(scratch), 'moved'));
      await symlink(elsewhere, pass(scratch));
      await writeFile(join(elsewhere, 'c1.mkv'), 'other');
      await expect(t.chunkFiles.link(scratch, 'a.1', 'c0.mkv')).rejects.toEqual(failure('FFMPEG_FAILED'));
      await expect(t.chunkFiles.keep(scratch, 'c1.mkv', 'a.2')).rejects.toEqual(failure('FFMPEG_FAILED'));
      expect(await readdir(elsewhere)).toEqual(['c1.mkv']);
      expect(await t.stored()).toEqual(['a.1']);
    });

    test('removes files, and ignores those that are missing', async () => {
      for (const id of ['a.1', 'b.1', 'c.1']) {
        await write('c0.mkv', id);
        await t.chunkFiles.keep(scratch, 'c0.mkv', id);
      }
      await t.chunkFiles.remove(['a.1', 'none.1', 'c.1']);
      expect(await t.stored()).toEqual(['b.1']);
    });

    test('sweeps files that belong to no chunk, and keeps one that is stored meanwhile', async () => {
      for (const id of ['a.1', 'a.2', 'b.1']) {
        await write('c0.mkv', id);
        await t.chunkFiles.keep(scratch, 'c0.mkv', id);
      }
      await t.chunkFiles.sweep(async () => {
        await write('c0.mkv', 'new');
        await t.chunkFiles.keep(scratch, 'c0.mkv', 'c.1');
        return new Set(['a.2']);
      });
      expect([...(await t.stored())].sort()).toEqual(['a.2', 'c.1']);
    });
  });
}
