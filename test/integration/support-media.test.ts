import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { clip, putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';

needs('any ffmpeg')('a clip of a real sample is short, whole and cut once a run', async () => {
  const root = await testFolder('media');
  const [path, again] = await Promise.all([putClip(root, '480p', 2), clip('480p', 2)]);
  const seen = await probe(join(root, path));
  expect(seen.durationSeconds).toBeCloseTo(2, 0);
  expect(seen.streams.map((s) => s.codec_name)).toEqual(['h264', 'aac']);
  expect(await decodesWithoutErrors(join(root, path))).toBe(true);
  expect((await stat(again)).mtimeMs).toBe((await stat(await clip('480p', 2))).mtimeMs);
});

needs('any ffmpeg')('a damaged file does not count as sound', async () => {
  const root = await testFolder('media');
  const file = join(root, await putSample(root, 'flac'));
  expect(await decodesWithoutErrors(file)).toBe(true);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(64, 0xff), 0, 64, 200_000);
  await handle.close();
  expect(await decodesWithoutErrors(file)).toBe(false);
});
