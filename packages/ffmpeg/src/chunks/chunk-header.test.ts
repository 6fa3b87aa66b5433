import { expect, test } from 'vitest';
import { element, matroskaFile } from '../../../../test/fuzz/matroska-file.ts';
import { chunkHeader } from './chunk-header.ts';

/** Reads a header from the beginning of a file and a stated length, as from a file with holes. Also returns how much was read. */
async function headerOf(extension: 'mp4' | 'mkv', file: Buffer, fileBytes = file.length) {
  const lengths: number[] = [];
  const read = async (position: number, length: number): Promise<Uint8Array> => {
    lengths.push(length);
    return file.subarray(position, position + length);
  };
  const header = await chunkHeader(extension, read, fileBytes);
  return { header, reads: lengths.length, bytes: Math.max(...lengths) };
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const rates = (rate: number): Buffer => box('btrt', Buffer.alloc(12, rate));
const LAST = box('mfra', box('mfro', Buffer.from([0, 0, 0, 0, 0, 0, 0, 24])));
const movie = (...content: readonly Buffer[]): Buffer =>
  Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', ...content), box('moof'), box('mdat'), LAST]);

test('the header of an MP4 file is all but its bit rates', async () => {
  const [codec, other] = [Buffer.from('codec'), Buffer.from('other')];
  const { header } = await headerOf('mp4', movie(codec, rates(1), codec, rates(2)));
  expect(header).toHaveLength(22);
  expect((await headerOf('mp4', movie(codec, rates(9), codec, rates(9)))).header).toBe(header);
  expect((await headerOf('mp4', movie(codec, rates(1), other, rates(2)))).header).not.toBe(header);
  expect((await headerOf('mp4', movie(codec, rates(1), codec))).header).not.toBe(header);
  const cut = movie(rates(1).subarray(0, 8));
  expect((await headerOf('mp4', cut)).header).toHaveLength(22);
});

test('the header of a Matroska file is that of its tracks, without random numbers', async () => {
  const name = Buffer.from('film');
  const file = matroskaFile([{ name }]);
  const { header } = await headerOf('mkv', file);
  expect(header).toHaveLength(22);
  const random = Buffer.from(file);
  random.writeUInt32BE(99, random.indexOf(Buffer.from('73c501', 'hex')) + 10);
  expect(random.equals(file)).toBe(false);
  expect((await headerOf('mkv', random)).header).toBe(header);
  expect((await headerOf('mkv', matroskaFile([{ name: Buffer.from('test') }]))).header).not.toBe(header);
  expect((await headerOf('mkv', matroskaFile([{ name }, {}]))).header).not.toBe(header);
});

const MOVIE = movie(Buffer.from('codec'));
const SEGMENT = Buffer.from('18538067', 'hex');
/** A file whose segment has this size, and this content. */
const segmentOf = (size: string, content: Buffer): Buffer =>
  Buffer.concat([element('1a45dfa3'), SEGMENT, Buffer.from(size, 'hex'), content]);
/** A size of 64 bits: more bytes than any file has. */
const endlessBox = (type: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from(type), Buffer.alloc(8, 0xff)]);
const MANY = 100_000;

test.each<[what: string, extension: 'mp4' | 'mkv', file: Buffer, fileBytes?: number]>([
  ['an empty MP4 file', 'mp4', Buffer.alloc(0)],
  ['an MP4 file without its end', 'mp4', MOVIE.subarray(0, -1)],
  ['an MP4 file without fragments', 'mp4', Buffer.concat([box('ftyp'), box('moov'), LAST])],
  ['an MP4 file without an index', 'mp4', Buffer.concat([box('ftyp'), box('moof'), LAST])],
  ['an MP4 file with an endless index', 'mp4', Buffer.concat([endlessBox('moov'), box('moof'), LAST])],
  ['an MP4 file with an index up to its end', 'mp4', Buffer.concat([Buffer.alloc(4), Buffer.from('moov'), LAST])],
  ['an MP4 file with boxes of no size', 'mp4', Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.alloc(999), LAST])],
  [
    'an MP4 file of boxes without content',
    'mp4',
    Buffer.concat([...Array.from({ length: MANY }, () => box('free')), LAST]),
  ],
  ['an empty Matroska file', 'mkv', Buffer.alloc(0)],
  ['a Matroska file without its end', 'mkv', matroskaFile([{}]).subarray(0, -1)],
  ['a Matroska file whose size was not written', 'mkv', segmentOf('01ffffffffffffff', matroskaFile([{}]))],
  ['a Matroska file without tracks', 'mkv', matroskaFile([])],
  ['a Matroska file with endless tracks', 'mkv', segmentOf('88', Buffer.from('1654ae6b0effffff', 'hex'))],
  ['a Matroska file of elements without content', 'mkv', segmentOf('100186a0', Buffer.alloc(MANY, 'ec80', 'hex'))],
  ['a file of zeros', 'mkv', Buffer.alloc(MANY)],
  ['a file of ones', 'mkv', Buffer.alloc(MANY, 0xff)],
  ['a file of terabytes', 'mp4', Buffer.alloc(MANY), 2 ** 50],
])('%s is damaged, and a little of it is read', async (_what, extension, file, fileBytes) => {
  const { header, reads, bytes } = await headerOf(extension, file, fileBytes);
  expect(header).toBeUndefined();
  expect(reads).toBeLessThanOrEqual(2);
  expect(bytes).toBeLessThanOrEqual(256 * 1024);
});
