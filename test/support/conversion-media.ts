import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { clip, putClip, putSample } from './media.ts';
import { tools } from './tools.ts';

const SUBTITLES = `1
00:00:00,500 --> 00:00:01,500
Guten Tag

2
00:00:01,800 --> 00:00:02,600
Größe & Maß
`;

/** Writes the inputs of conversion tests: a movie, audio, a still picture, numbered pictures and subtitles. */
export async function conversionMedia(root: string): Promise<void> {
  await Promise.all([
    putClip(root, '480p', 3, 'movie.mp4'),
    putSample(root, 'flac', 'lena.flac'),
    putSample(root, 'wav', 'lena.wav'),
    writeFile(join(root, 'words.srt'), SUBTITLES),
    mkdir(join(root, 'frames')),
  ]);
  await Promise.all([writePictures(join(root, 'title.png'), 1), writePictures(join(root, 'frames/img%03d.png'), 10)]);
}

/** Writes `count` frames of the 480p sample at 320×180, numbered from 1. */
export async function writePictures(to: string, count: number): Promise<void> {
  const input = await clip('480p', 3);
  const args = ['-v', 'error', '-nostdin', '-i', input, '-vf', 'scale=320:180', '-frames:v', `${count}`];
  const { ok, text } = await command(tools().ffmpegPath, [...args, ...(count === 1 ? ['-update', '1'] : []), to]);
  if (!ok) throw new Error(`ffmpeg could not make ${to}: ${text}`);
}
