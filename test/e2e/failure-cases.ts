import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { FailureCode } from '../../packages/contract/src/domain/failure.ts';
import { clip, putClip, putSample } from '../support/media.ts';

interface FailureCase {
  readonly title: string;
  readonly request: Omit<ConversionRequest, 'output'> & { readonly output?: string };
  readonly code: FailureCode;
  /** Matches the message. */
  readonly message: RegExp;
  /** Matches the fix. */
  readonly fix: RegExp;
}

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;

/** Writes the inputs of the cases to the media root. */
export async function failureMedia(root: string): Promise<void> {
  await putClip(root, '480p', 3, 'movie.mp4');
  await putSample(root, 'mp3', 'song.mp3');
  await writeFile(join(root, 'empty.mp4'), '');
  await writeFile(join(root, 'text.mp4'), 'This is no movie at all.\n'.repeat(200));
  // Bytes that look random but are the same in each run.
  const noise = Uint8Array.from({ length: 65_536 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24);
  await writeFile(join(root, 'noise.mp4'), noise);
  const cut = join(root, 'half.mp4');
  await copyFile(await clip('480p', 3), cut);
  await truncate(cut, 60_000);
  await mkdir(join(root, 'gaps'));
}

export const FAILURES: readonly FailureCase[] = [
  {
    title: 'a missing input',
    request: { input: 'no/such file.mp4' },
    code: 'INPUT_NOT_FOUND',
    message: /"no\/such file\.mp4"/,
    fix: /put the file there/,
  },
  {
    title: 'a missing input that exists in another spelling',
    request: { input: 'Videos\\MOVIE.MP4' },
    code: 'INPUT_NOT_FOUND',
    message: /does not exist in your media root, but "movie\.mp4" does/,
    fix: /^Send "movie\.mp4"\.$/,
  },
  {
    title: 'a missing second input',
    request: { inputs: ['movie.mp4', 'gone.mp3'], parameters: { c: 'copy' } },
    code: 'INPUT_NOT_FOUND',
    message: /"gone\.mp3"/,
    fix: /put the file there/,
  },
  {
    title: 'an image sequence without a file',
    request: { input: 'gaps/img%03d.png', parameters: { framerate: '5' } },
    code: 'INPUT_NOT_FOUND',
    message: /gaps\/img%03d\.png/,
    fix: /./,
  },
  {
    title: 'an empty file',
    request: { input: 'empty.mp4' },
    code: 'INPUT_INVALID',
    message: /"empty\.mp4" is empty/,
    fix: /contains media/,
  },
  {
    title: 'random bytes named .mp4',
    request: { input: 'noise.mp4' },
    code: 'INPUT_INVALID',
    message: /"noise\.mp4" is not a media file/,
    fix: /plays/,
  },
  {
    title: 'text named .mp4, as the second input',
    request: { inputs: ['song.mp3', 'text.mp4'] },
    code: 'INPUT_INVALID',
    message: /"text\.mp4" is not a media file: it is a text file/,
    fix: /Send the media file itself/,
  },
  {
    title: 'a movie truncated before its index',
    request: { input: 'half.mp4' },
    code: 'INPUT_INVALID',
    message: /"half\.mp4" .* index/,
    fix: /complete file/,
  },
  {
    title: 'a map that matches no stream',
    request: { input: 'song.mp3', parameters: { map: '0:s:0' } },
    code: 'INPUT_INVALID',
    message: /0:s:0/,
    fix: /^Leave "0:s:0" out, or send "0:s:0\?"/,
  },
  {
    title: 'a picture of a song without a cover',
    request: { input: 'song.mp3', output: 'x.png' },
    code: 'INPUT_INVALID',
    message: /^The format image2 \(\.png\) can use no stream of the inputs\.$/,
    fix: /Send a file with such streams, or an output for those of the inputs: .*\.m4a for audio/,
  },
  {
    title: 'a copied codec that the container does not support',
    request: { input: 'movie.mp4', output: 'x.webm', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    message: /VP8 or VP9 or AV1/,
    fix: /\.mkv/,
  },
  {
    title: 'an encoder that the container does not support',
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ...QUICK, 'c:a': 'wmav2', ac: '2' } },
    code: 'UNSUPPORTED',
    message: /wmav2/,
    fix: /\.mkv/,
  },
  {
    title: 'a frame size that the encoder rejects',
    request: { input: 'movie.mp4', parameters: { ...QUICK, vf: 'scale=321:181' } },
    code: 'FFMPEG_FAILED',
    message: /width not divisible by 2 \(321x181\)/,
    fix: /^In "scale", -2 keeps the aspect ratio and rounds to an even number\./,
  },
  {
    title: 'a start time after the end of the input',
    request: { input: 'movie.mp4', parameters: { ...QUICK, ss: '100' } },
    code: 'FFMPEG_FAILED',
    message: /Nothing was written/,
    fix: /^Send an "ss" before [\d.]+ s/,
  },
];
