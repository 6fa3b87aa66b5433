import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { FailureCode } from '../../src/domain/failure.ts';
import { clip, putClip, putSample } from '../support/media.ts';

interface FailureCase {
  readonly title: string;
  readonly request: Omit<ConversionRequest, 'output'> & { readonly output?: string };
  readonly code: FailureCode;
  /** What the message and the fix must speak of. */
  readonly says: RegExp;
  readonly advises: RegExp;
}

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;

/** Puts what the cases read into the media root. */
export async function failureMedia(root: string): Promise<void> {
  await putClip(root, '480p', 3, 'movie.mp4');
  await putSample(root, 'mp3', 'song.mp3');
  await writeFile(join(root, 'empty.mp4'), '');
  await writeFile(join(root, 'text.mp4'), 'This is no movie at all.\n'.repeat(200));
  // Fixed bytes that look like noise, so that each run asks the same of ffmpeg.
  const noise = Uint8Array.from({ length: 65_536 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24);
  await writeFile(join(root, 'noise.mp4'), noise);
  const cut = join(root, 'half.mp4');
  await copyFile(await clip('480p', 3), cut);
  await truncate(cut, 60_000);
  await mkdir(join(root, 'gaps'));
}

export const FAILURES: readonly FailureCase[] = [
  {
    title: 'an input that is not there',
    request: { input: 'no/such file.mp4' },
    code: 'INPUT_NOT_FOUND',
    says: /"no\/such file\.mp4"/,
    advises: /put the file there/,
  },
  {
    title: 'the second input is not there',
    request: { inputs: ['movie.mp4', 'gone.mp3'], parameters: { c: 'copy' } },
    code: 'INPUT_NOT_FOUND',
    says: /"gone\.mp3"/,
    advises: /put the file there/,
  },
  {
    title: 'a sequence without a picture',
    request: { input: 'gaps/img%03d.png', parameters: { framerate: '5' } },
    code: 'INPUT_NOT_FOUND',
    says: /gaps\/img%03d\.png/,
    advises: /./,
  },
  {
    title: 'an empty file',
    request: { input: 'empty.mp4' },
    code: 'INPUT_INVALID',
    says: /"empty\.mp4" is empty/,
    advises: /contains media/,
  },
  {
    title: 'noise named as a movie',
    request: { input: 'noise.mp4' },
    code: 'INPUT_INVALID',
    says: /"noise\.mp4" is not a media file/,
    advises: /plays/,
  },
  {
    title: 'text named as a movie, second of two',
    request: { inputs: ['song.mp3', 'text.mp4'] },
    code: 'INPUT_INVALID',
    says: /"text\.mp4" is not a media file/,
    advises: /plays/,
  },
  {
    title: 'a movie that was cut off before its index',
    request: { input: 'half.mp4' },
    code: 'INPUT_INVALID',
    says: /"half\.mp4" .* index/,
    advises: /complete file/,
  },
  {
    title: 'a map that no stream meets',
    request: { input: 'song.mp3', parameters: { map: '0:s:0' } },
    code: 'INPUT_INVALID',
    says: /0:s:0/,
    advises: /"\?"/,
  },
  {
    title: 'a picture of a song that has none',
    request: { input: 'song.mp3', output: 'x.png' },
    code: 'INPUT_INVALID',
    says: /no stream that the output format can use/,
    advises: /format/,
  },
  {
    title: 'a codec that the container cannot hold',
    request: { input: 'movie.mp4', output: 'x.webm', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    says: /VP8 or VP9 or AV1/,
    advises: /another format/,
  },
  {
    title: 'another such codec',
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ...QUICK, 'c:a': 'pcm_s16le' } },
    code: 'UNSUPPORTED',
    says: /pcm_s16le/,
    advises: /matroska/,
  },
  {
    title: 'an experimental encoder',
    request: { input: 'song.mp3', output: 'x.mkv', parameters: { 'c:a': 'dca' } },
    code: 'UNSUPPORTED',
    says: /experimental/,
    advises: /"strict": "experimental"/,
  },
  {
    title: 'a size that the encoder refuses',
    request: { input: 'movie.mp4', parameters: { ...QUICK, vf: 'scale=321:181' } },
    code: 'FFMPEG_FAILED',
    says: /321x181/,
    advises: /even/,
  },
  {
    title: 'a part that lies past the end',
    request: { input: 'movie.mp4', parameters: { ...QUICK, ss: '100' } },
    code: 'FFMPEG_FAILED',
    says: /Nothing was written/,
    advises: /ss, t, to/,
  },
];
