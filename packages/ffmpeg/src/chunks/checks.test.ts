import { expect, test } from 'vitest';
import { checkChunk, checkHeaders, chunkHeader } from './checks.ts';

const PLANNED = { keepsFrames: true, videos: 1, extension: 'mp4' } as const;
const chunkOf = (index: number) => ({ index, startMicros: 0, cutMicros: 0, frames: 100 });
const factsOf = (frames: number, headers = 'same') => ({ frames: [frames], headers });

test('a chunk may have two frames more or fewer than its source', () => {
  for (const frames of [98, 100, 102]) expect(checkChunk(PLANNED, chunkOf(0), factsOf(frames))).toBeUndefined();
  for (const frames of [97, 103, 0])
    expect(checkChunk(PLANNED, chunkOf(0), factsOf(frames))).toEqual({
      whole: `Chunk 1 has ${frames} frames instead of 100.`,
    });
});

test('with a filter that changes the rate, a chunk may have any number of frames but none', () => {
  const planned = { ...PLANNED, keepsFrames: false };
  expect(checkChunk(planned, chunkOf(0), factsOf(50))).toBeUndefined();
  expect(checkChunk(planned, chunkOf(0), factsOf(0))).toHaveProperty('whole');
});

test('chunks with other headers, or with another number of videos, are not joined', () => {
  expect(checkHeaders([{ seconds: 10 }, factsOf(100), factsOf(100)])).toBeUndefined();
  expect(checkHeaders([factsOf(100), factsOf(100, 'other')])).toEqual({
    whole: 'Chunk 2 has other headers than the first.',
  });
  expect(checkChunk({ ...PLANNED, videos: 2 }, chunkOf(0), factsOf(100))).toHaveProperty('whole');
});

test('a chunk that is warmed up has the frames before it too', () => {
  const chunk = { ...chunkOf(1), warmUpFrames: 96 };
  expect(checkChunk(PLANNED, chunk, factsOf(196))).toBeUndefined();
  expect(checkChunk(PLANNED, chunk, factsOf(100))).toHaveProperty('whole');
});

test('alpha is not lost in chunks of MP4', () => {
  const found = factsOf(100, 'same yuva420p');
  expect(checkChunk(PLANNED, chunkOf(0), found)).toEqual({ whole: 'Chunks in MP4 hold no alpha.' });
  expect(checkChunk({ ...PLANNED, extension: 'mov' }, chunkOf(0), found)).toBeUndefined();
});

const box = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};

const fileOf = (moov: string): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('moov', Buffer.from(moov, 'latin1')),
    box('moof', Buffer.alloc(20)),
    box('mfro', Buffer.alloc(8)),
  ]);

const headerOf = (file: Buffer) =>
  chunkHeader(async (position, length) => file.subarray(position, position + length), file.length);

test('the header of a chunk does not depend on its bit rate, and an incomplete file has none', async () => {
  const rates = (text: string): string => `x\0\0\0\x14btrt${text}y`;
  const one = await headerOf(fileOf(rates('123456789012')));
  expect(one).toBeDefined();
  expect(await headerOf(fileOf(rates('999999999999')))).toBe(one);
  expect(await headerOf(fileOf('other'))).not.toBe(one);
  const whole = fileOf('moov');
  for (const bytes of [whole.length - 1, 30, 0]) expect(await headerOf(whole.subarray(0, bytes))).toBeUndefined();
});
