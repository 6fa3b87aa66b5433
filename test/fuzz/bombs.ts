import { crc32, deflateSync } from 'node:zlib';
import { matroskaFile } from './matroska-file.ts';

/** A small file that demands much memory or time. */
export interface Bomb {
  readonly description: string;
  readonly extension: string;
  readonly bytes: () => Buffer;
}

const big = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};
const small = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((v) => [v & 255, v >> 8]));
const text = (words: string): Buffer => Buffer.from(words, 'latin1');

function chunk(kind: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat([text(kind), ...content]);
  return Buffer.concat([big(body.length - 4), body, big(crc32(body))]);
}

/** The most bytes of pixels that a PNG really contains. */
const MAX_PIXEL_BYTES = 115_000_000;

/** A black PNG with one bit per pixel. */
function png(width: number, height: number, ...more: readonly Buffer[]): Buffer {
  const row = 1 + Math.ceil(width / 8);
  return Buffer.concat([
    text('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', big(width, height), Buffer.from([1, 0, 0, 0, 0])),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(row * height, MAX_PIXEL_BYTES)))),
    chunk('IEND'),
  ]);
}

/** A GIF with frames of one pixel. */
function gif(width: number, height: number, frames: number, delay: number): Buffer {
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0]),
    small(delay),
    Buffer.from([0, 0, 0x2c]),
    small(0, 0, 1, 1),
    Buffer.from([0, 2, 2, 0x44, 1, 0]),
  ]);
  const head = Buffer.concat([text('GIF89a'), small(width, height), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

const atom = (kind: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([big(body.length + 8), text(kind), body]);
};

/** A QuickTime file with a compressed index. `claimed` and `actual` are sizes after decompression. */
const compressedIndex = (claimed: number, actual: number): Buffer =>
  Buffer.concat([
    atom('ftyp', text('qt  '), big(0)),
    atom(
      'moov',
      atom('cmov', atom('dcom', text('zlib')), atom('cmvd', big(claimed), deflateSync(Buffer.alloc(actual)))),
    ),
  ]);

/** An MP4 whose only track claims `count` samples. */
const hugeSampleTable = (count: number, delta: number): Buffer =>
  Buffer.concat([
    atom('ftyp', text('isom'), big(0)),
    atom(
      'moov',
      atom('mvhd', big(0, 0, 0, 1000, 0xffffffff), Buffer.alloc(80)),
      atom(
        'trak',
        atom('tkhd', big(3, 0, 0, 1, 0, 0xffffffff), Buffer.alloc(60)),
        atom(
          'mdia',
          atom('mdhd', big(0, 0, 0, 1, 0xffffffff, 0)),
          atom('hdlr', big(0, 0), text('soun'), Buffer.alloc(13)),
          atom(
            'minf',
            atom(
              'stbl',
              atom(
                'stsd',
                big(0, 1),
                atom('sowt', Buffer.alloc(6), small(256), Buffer.alloc(8), big(0x00010010, 0, 8000 << 16)),
              ),
              atom('stts', big(0, 1, count, delta)),
              atom('stsc', big(0, 1, 1, count, 1)),
              atom('stsz', big(0, 1, count)),
              atom('stco', big(0, 1, 0)),
            ),
          ),
        ),
      ),
    ),
    atom('mdat', Buffer.alloc(4000)),
  ]);

function bitmap(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(1000)]);
}

/** A JPEG header and the start of a scan. */
const jpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]),
    Buffer.alloc(2000),
  ]);

const wav = (claimed: number, channels: number, rate: number): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(claimed, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE(Math.min(65_535, channels * 2), 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(claimed, 40);
  return Buffer.concat([head, Buffer.alloc(8000)]);
};

const cues = (count: number): string =>
  Array.from({ length: count }, (_, n) => `${n + 1}\n00:00:00,000 --> 99:59:59,999\n{\\b1}<font size=9999>x\n\n`).join(
    '',
  );

export const BOMBS: readonly Bomb[] = [
  { description: 'PNG of 30000×30000', extension: 'png', bytes: () => png(30_000, 30_000) },
  { description: 'PNG of 16000×16000', extension: 'png', bytes: () => png(16_000, 16_000) },
  { description: 'PNG of 2147483647×2147483647', extension: 'png', bytes: () => png(0x7fffffff, 0x7fffffff) },
  { description: 'PNG of 1×2000000', extension: 'png', bytes: () => png(1, 2_000_000) },
  {
    description: 'APNG that claims 4294967295 frames',
    extension: 'apng',
    bytes: () => png(100, 100, chunk('acTL', big(0xffffffff, 0)), chunk('fcTL', big(0, 100, 100, 0, 0, 1, 0))),
  },
  { description: 'GIF of 65535×65535', extension: 'gif', bytes: () => gif(65_535, 65_535, 3, 10) },
  { description: 'GIF of 20000 frames', extension: 'gif', bytes: () => gif(200, 200, 20_000, 1) },
  { description: 'GIF of 2000 frames of 8000×8000', extension: 'gif', bytes: () => gif(8000, 8000, 2000, 1) },
  { description: 'GIF with frames of eleven minutes', extension: 'gif', bytes: () => gif(64, 64, 50, 65_535) },
  { description: 'JPEG of 65500×65500', extension: 'jpg', bytes: () => jpeg(65_500, 65_500) },
  { description: 'BMP of 2147483647×2147483647', extension: 'bmp', bytes: () => bitmap(0x7fffffff, 0x7fffffff) },
  { description: 'BMP of 30000×30000', extension: 'bmp', bytes: () => bitmap(30_000, 30_000) },
  { description: 'PPM of 100000×100000', extension: 'ppm', bytes: () => text('P6 100000 100000 255\n0000') },
  {
    description: 'Y4M of 60000×60000',
    extension: 'y4m',
    bytes: () => text('YUV4MPEG2 W60000 H60000 F1:1 C420\nFRAME\n0000'),
  },
  {
    description: 'QuickTime with a compressed index of 100 MB',
    extension: 'mov',
    bytes: () => compressedIndex(100_000_000, 100_000_000),
  },
  {
    description: 'QuickTime with a compressed index that claims 4 GB',
    extension: 'mov',
    bytes: () => compressedIndex(0xffffffff, 1000),
  },
  { description: 'MP4 of 4294967295 samples', extension: 'mp4', bytes: () => hugeSampleTable(0xffffffff, 1) },
  { description: 'MP4 of 268435456 samples', extension: 'mp4', bytes: () => hugeSampleTable(0x10000000, 0) },
  {
    description: 'MP4 with decreasing sample times',
    extension: 'mp4',
    bytes: () => hugeSampleTable(100_000, 0xffffffff),
  },
  { description: 'WAV that claims 4 GB', extension: 'wav', bytes: () => wav(0xfffffff0, 2, 48_000) },
  { description: 'WAV of 65535 channels', extension: 'wav', bytes: () => wav(8000, 65_535, 48_000) },
  { description: 'WAV of 4294967295 Hz', extension: 'wav', bytes: () => wav(8000, 2, 0xffffffff) },
  { description: 'WAV of 0 channels', extension: 'wav', bytes: () => wav(8000, 0, 0) },
  { description: 'SRT of 50000 cues that never end', extension: 'srt', bytes: () => text(cues(50_000)) },
  { description: 'SRT of one line of 5 MB', extension: 'srt', bytes: () => text(cues(1) + 'x'.repeat(5_000_000)) },
  {
    description: '3000 streams',
    extension: 'mkv',
    bytes: () => matroskaFile(Array.from({ length: 3000 }, () => ({}))),
  },
  { description: '900 streams', extension: 'mkv', bytes: () => matroskaFile(Array.from({ length: 900 }, () => ({}))) },
  { description: 'empty file', extension: 'mp4', bytes: () => Buffer.alloc(0) },
  { description: '20 MB of zeros', extension: 'mp4', bytes: () => Buffer.alloc(20_000_000) },
  { description: '20 MB of MPEG-TS sync bytes', extension: 'ts', bytes: () => Buffer.alloc(20_000_000, 0x47) },
  { description: '5 MB of line feeds', extension: 'srt', bytes: () => Buffer.alloc(5_000_000, 10) },
];
