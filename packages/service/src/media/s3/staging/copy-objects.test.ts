import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { copyObjects } from './copy-objects.ts';

/** Lets each write of a file store at most `most` bytes, as a nearly full disk does. */
async function shortenWrites(folder: string, most: number): Promise<void> {
  await using file = await open(join(folder, 'any'), 'w');
  const handles: FileHandle = Object.getPrototypeOf(file);
  const { write } = handles;
  vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, ...[chunk, offset, length, at]: unknown[]) {
    return Reflect.apply(write, this, [chunk, offset, Math.min(Number(length), most), at]);
  } as never);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('the copy of an object has all its bytes, even if the disk stores only a part of each write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await shortenWrites(folder, 7);
  const content = Buffer.from('All the bytes of the film, in several writes.');
  const client = { send: async () => ({ Body: Readable.from([content]), ETag: '"v1"' }) } as unknown as S3Client;
  const file = join(folder, 'copy');
  const object = { client, bucket: 'media', key: 'film.mp4', path: 'film.mp4', etag: 'v1' };
  await copyObjects([{ ...object, sizeBytes: content.length, file }], {
    signal: new AbortController().signal,
    onBytes: () => {},
  });
  expect(readFileSync(file, 'utf8')).toBe(content.toString());
});
