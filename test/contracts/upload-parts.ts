import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { Problem, type ProblemCode } from '../../packages/contract/src/domain/problem.ts';
import type {
  FileCheck,
  FileStore,
  StoredUpload as Upload,
  UploadParts,
} from '../../packages/service/src/files/ports.ts';
import { at } from '../fixtures/media-plans.ts';

/** An open engine, and access to its files from outside. */
export interface PartsUnderTest {
  readonly parts: UploadParts;
  /** Opens the engine again, as another service or after a crash. */
  again(): Promise<UploadParts>;
  /**
   * Opens the engine as a service that is killed once a replaced file is in the bin, before the new one takes its place:
   * `publish` of `parts` then rejects and undoes nothing, or never ends. `killed` resolves in the latter case.
   */
  killedOnceKept(): Promise<{ readonly parts: UploadParts; readonly killed: Promise<void> }>;
  readonly files: FileStore;
  readonly root: MediaRoot;
  /** The code of a request for bytes that are gone. A disk can belong to another service, where they are. */
  readonly whenGone: 'STORAGE_FAULT' | 'UPLOAD_NOT_FOUND';
  /** What exists in the storage besides files that clients can see: folders, objects, open multipart uploads. */
  hidden(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** An upload with what `append` has left to `publish`. */
type StoredUpload = Upload & { readonly rest?: Uint8Array | undefined };

const anything: FileCheck = () => {};
const isNew: FileCheck = (current) => {
  if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'There is a file.');
};
const problem = (code: ProblemCode) => expect.objectContaining({ code });

/** Two parts of S3, and some. */
const CONTENT = randomBytes(20 * 2 ** 20 + 77);

type Test = (title: string, run: () => Promise<void>) => void;

/** Defines the tests that every store of resumable uploads must pass. */
export function uploadPartsContract(name: string, open: () => Promise<PartsUnderTest>, test: Test = always): void {
  describe(`resumable uploads on ${name}`, () => {
    let t: PartsUnderTest;
    beforeEach(async () => {
      t = await open();
    });
    afterEach(() => t.close());

    /** Begins an upload of `size` bytes to `path`. */
    async function begin(path: string, size: number, check = anything): Promise<StoredUpload> {
      const upload = {
        uploadId: randomUUID(),
        clientId: 'own',
        root: t.root,
        path: at(path),
        sizeBytes: size,
        offsetBytes: 0,
        data: '',
      };
      await t.parts.begin(upload, check);
      return upload;
    }

    /** Appends bytes in small chunks, and fails after them if `error` is given. Returns the upload as recorded. */
    async function append(upload: StoredUpload, bytes: Buffer, { parts = t.parts, error = undefined as unknown } = {}) {
      let now: StoredUpload = { ...upload, rest: undefined };
      const chunks = (async function* () {
        for (let i = 0; i < bytes.length; i += 65_000) yield bytes.subarray(i, i + 65_000);
        if (error !== undefined) throw error;
      })();
      const appended = parts.append(upload, chunks, async (saved) => {
        if (saved.offsetBytes !== undefined) expect(saved.offsetBytes).toBeGreaterThan(now.offsetBytes);
        now = { ...now, ...saved };
      });
      if (error !== undefined) await expect(appended).rejects.toBe(error);
      else {
        const stored = await appended;
        now = { ...now, ...stored };
      }
      return now;
    }

    /** Publishes as the use case does. Returns the upload as recorded before the file appeared. */
    async function publish(
      upload: StoredUpload,
      check = anything,
      parts = t.parts,
      keepsReplaced = false,
    ): Promise<StoredUpload> {
      let now = upload;
      const save = async (prepared: Partial<StoredUpload>): Promise<void> => {
        now = { ...now, ...prepared };
      };
      await parts.publish(upload, { check, save, keepsReplaced, rest: upload.rest });
      return now;
    }

    async function read(path: string): Promise<Buffer> {
      const file = await t.files.open(t.root, at(path));
      if (file.sizeBytes > 0) return buffer(file.read(0, file.sizeBytes - 1));
      await file.close();
      return Buffer.alloc(0);
    }
    const shown = async () => (await t.files.list(t.root, { folder: '', nameStart: '', limit: 9 })).entries.length;

    test('pieces of any size make the file, which is invisible until it is published', async () => {
      const upload = await begin('deep/film.mp4', CONTENT.length);
      let now = upload;
      // Within a part of S3, to the end of the first part, over the second, one byte, and the rest.
      for (const end of [1, 5_000_000, 8 * 2 ** 20, 17 * 2 ** 20, 17 * 2 ** 20 + 1, CONTENT.length]) {
        now = await append(now, CONTENT.subarray(now.offsetBytes, end));
        expect(now.offsetBytes).toBe(end);
      }
      expect(await shown()).toBe(0);
      await publish(now);
      expect((await read('deep/film.mp4')).equals(CONTENT)).toBe(true);
      await t.parts.remove(now);
      expect(await t.hidden()).toEqual([]);
      expect((await read('deep/film.mp4')).equals(CONTENT)).toBe(true);
    });

    test('keeps what arrived before an error, and another service continues', async () => {
      let upload = await begin('film.mp4', CONTENT.length);
      upload = await append(upload, CONTENT.subarray(0, 9_000_000), { error: new Error('the connection broke') });
      expect(upload.offsetBytes).toBe(9_000_000);
      const parts = await t.again();
      upload = await append(upload, CONTENT.subarray(9_000_000), { parts });
      await publish(upload, anything, parts);
      expect((await read('film.mp4')).equals(CONTENT)).toBe(true);
      await parts.remove(upload);
      expect(await t.hidden()).toEqual([]);
    });

    test('continues at the recorded offset, whatever a crash has written after it', async () => {
      let before = await append(await begin('film.mp4', CONTENT.length), CONTENT.subarray(0, 1_000_000));
      // These bytes are stored, but not the record of their offset.
      const crash = new Error('the service was killed');
      const lost = (async function* () {
        yield randomBytes(10_000_000);
      })();
      const written = t.parts.append(before, lost, async (change) => {
        if (change.offsetBytes !== undefined) throw crash;
        before = { ...before, ...change };
      });
      await expect(written).rejects.toBe(crash);
      const after = await append(before, CONTENT.subarray(1_000_000));
      await publish(after);
      expect((await read('film.mp4')).equals(CONTENT)).toBe(true);
      await t.parts.remove(after);
      expect(await t.hidden()).toEqual([]);
    });

    test('publishing again after a crash changes nothing, also under a condition', async () => {
      const upload = await append(await begin('film.mp4', 5, isNew), Buffer.from('hello'));
      const prepared = await publish(upload, isNew);
      // The record of the end was lost.
      await publish(prepared, isNew, await t.again());
      expect((await read('film.mp4')).toString()).toBe('hello');
      await t.parts.remove(prepared);
      await t.parts.remove(prepared);
      expect(await t.hidden()).toEqual([]);
    });

    test('checks the existing file at the start and at the end, and replaces it whole', async () => {
      const early = await append(await begin('a.txt', 5, isNew), Buffer.from('first'));
      const late = await append(await begin('a.txt', 6, isNew), Buffer.from('second'));
      await publish(early, isNew);
      await expect(publish(late, isNew)).rejects.toEqual(problem('PRECONDITION_FAILED'));
      await expect(begin('a.txt', 1, isNew)).rejects.toEqual(problem('PRECONDITION_FAILED'));
      expect((await read('a.txt')).toString()).toBe('first');
      await publish(late);
      expect((await read('a.txt')).toString()).toBe('second');
      await expect(begin('a.txt/b.txt', 1)).rejects.toEqual(problem('NOT_A_FILE'));
    });

    test('keeps the file that it replaces in the bin, also if publishing is repeated after a crash', async () => {
      const old = await append(await begin('a.txt', 3), Buffer.from('old'));
      await t.parts.remove(await publish(old));
      const upload = await append(await begin('a.txt', 5), Buffer.from('hello'));
      const { parts, killed } = await t.killedOnceKept();
      const isPublished = publish(upload, anything, parts, true).then(
        () => true,
        () => false,
      );
      expect(await Promise.race([isPublished, killed])).not.toBe(true);
      expect((await read('a.txt')).toString()).toBe('old');
      const prepared = await publish(upload, anything, await t.again(), true);
      expect((await read('a.txt')).toString()).toBe('hello');
      // The record of the end was lost.
      await publish(prepared, anything, await t.again(), true);
      await t.parts.remove(prepared);
      const entries = await t.files.listBin(t.root);
      // The killed attempt has given the old file a second name in the bin.
      expect(entries.length).toBeLessThanOrEqual(2);
      for (const [index, { entryId }] of entries.entries()) {
        const restored = await t.files.restoreFromBin(t.root, entryId, at(`b${index}.txt`));
        expect(restored.entry).toMatchObject({ sizeBytes: 3 });
        expect((await read(`b${index}.txt`)).toString()).toBe('old');
      }
    });

    test('publishes an empty file', async () => {
      const upload = await begin('empty.txt', 0);
      await publish(upload);
      expect(await read('empty.txt')).toHaveLength(0);
    });

    test('removes an upload at any time, and what a crash has begun', async () => {
      const begun = await begin('a.bin', 100);
      const half = await append(await begin('b.bin', CONTENT.length), CONTENT.subarray(0, 9_000_000));
      for (const { uploadId, data } of [begun, half]) await t.parts.remove({ uploadId, data });
      await t.parts.remove({ uploadId: randomUUID(), data: '' });
      expect(await t.hidden()).toEqual([]);
      await expect(append(half, CONTENT.subarray(9_000_000))).rejects.toEqual(problem(t.whenGone));
    });
  });
}
