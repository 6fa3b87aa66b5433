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
export async function clip(sample: Sample, seconds: number): Promise<string> {
  const cache = inject('clips');
  const file = join(cache, `${sample}-${seconds}s${extname(samplePath(sample))}`);
  if (await there(file)) return file;
  // Cut aside and renamed, for another test process may want the same clip at this moment.
  const aside = await mkdtemp(join(cache, 'cutting-'));
  const cut = join(aside, `clip${extname(file)}`);
  const args = ['-v', 'error', '-nostdin', '-i', samplePath(sample), '-t', String(seconds), '-c', 'copy', cut];
  const { ok, text } = await command(tools().ffmpegPath, args);
  if (!ok) throw new Error(`ffmpeg could not cut ${file}: ${text}`);
  await rename(cut, file);
  await rm(aside, { recursive: true });
  return file;
}

const there = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
