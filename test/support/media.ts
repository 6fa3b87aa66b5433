import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { inject } from 'vitest';
import { copySample, type Sample, sampleName, samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { tools } from './tools.ts';

/** Puts a real sample into a media root, by default under its own name; returns its path in the root. */
export async function putSample(mediaRoot: string, sample: Sample, path = sampleName(sample)): Promise<string> {
  await copySample(sample, join(mediaRoot, path));
  return path;
}

/**
 * Puts the first `seconds` of a real sample into a media root, streams copied as they are, so a video's length
 * is only near to that; returns its path in the root.
 */
export async function putClip(mediaRoot: string, sample: Sample, seconds: number, path?: string): Promise<string> {
  const name = path ?? `${sample}-${seconds}s${extname(samplePath(sample))}`;
  const target = join(mediaRoot, name);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(await clip(sample, seconds), target, constants.COPYFILE_FICLONE);
  return name;
}

/** The absolute path of a clip, cut once in a test run; not to be changed. */
export function clip(sample: Sample, seconds: number): Promise<string> {
  return madeOnce(`${sample}-${seconds}s${extname(samplePath(sample))}`, sample, seconds, ['-c', 'copy']);
}

/**
 * As `putClip`, of the 480p sample, for tests to which its picture does not matter: H.264 of 214×120, a key frame each
 * half second, AAC of one channel. What is made of it takes a tenth of the time.
 */
export async function putSmallMovie(mediaRoot: string, seconds: number, path: string): Promise<string> {
  const video = ['-vf', 'scale=214:120', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-g', '12'];
  const made = await madeOnce(`small-${seconds}s.mp4`, '480p', seconds, [...video, '-c:a', 'aac', '-ac', '1']);
  await copyFile(made, join(mediaRoot, path), constants.COPYFILE_FICLONE);
  return path;
}

/** What ffmpeg makes of the first `seconds` of a sample, kept under `name` for the whole test run. */
async function madeOnce(name: string, sample: Sample, seconds: number, options: readonly string[]): Promise<string> {
  const cache = inject('clips');
  const file = join(cache, name);
  if (await there(file)) return file;
  // Made aside and renamed, for another test process may want the same file at this moment.
  const aside = await mkdtemp(join(cache, 'making-'));
  const made = join(aside, `clip${extname(file)}`);
  const args = ['-v', 'error', '-nostdin', '-i', samplePath(sample), '-t', String(seconds), ...options, made];
  const { ok, text } = await command(tools().ffmpegPath, args);
  if (!ok) throw new Error(`ffmpeg could not make ${file}: ${text}`);
  await rename(made, file);
  await rm(aside, { recursive: true });
  return file;
}

const there = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
