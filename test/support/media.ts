import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { inject } from 'vitest';
import { type Sample, sampleName, samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { tools } from './tools.ts';

/** Copies a sample into a media root, by default under its own name. Returns its path in the root. */
export async function putSample(mediaRoot: string, sample: Sample, path = sampleName(sample)): Promise<string> {
  await putFile(samplePath(sample), join(mediaRoot, path));
  return path;
}

/**
 * Copies the first `seconds` of a sample into a media root. Streams are copied, so the length of a video is only
 * approximate. Returns the path in the root.
 */
export async function putClip(mediaRoot: string, sample: Sample, seconds: number, path?: string): Promise<string> {
  const name = path ?? `${sample}-${seconds}s${extname(samplePath(sample))}`;
  await putFile(await clip(sample, seconds), join(mediaRoot, name));
  return name;
}

/** The absolute path of a clip. Cut once per run and shared: do not change the file. */
export function clip(sample: Sample, seconds: number): Promise<string> {
  return convertOnce(`${sample}-${seconds}s${extname(samplePath(sample))}`, sample, seconds, ['-c', 'copy']);
}

/** The absolute path of a clip of the 480p sample with a key frame every second, at which chunks can begin. */
export const clipWithKeyFrames = (seconds: number): Promise<string> =>
  convertOnce(`keys-${seconds}s.mp4`, '480p', seconds, [
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-g', '24', '-c:a', 'copy'],
  ]);

/**
 * Like `putClip` for the 480p sample, but 214×120 with a key frame every half second and mono AAC. Converting it takes a
 * tenth of the time. For tests that do not look at the picture.
 */
export async function putSmallMovie(mediaRoot: string, seconds: number, path: string): Promise<string> {
  const video = ['-vf', 'scale=214:120', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-g', '12'];
  const converted = await convertOnce(`small-${seconds}s.mp4`, '480p', seconds, [...video, '-c:a', 'aac', '-ac', '1']);
  await putFile(converted, join(mediaRoot, path));
  return path;
}

/**
 * Copies a file as a whole, and only if it is not there: tests of one file that run at the same time put the same
 * inputs into a media root that they share, and a job of one of them may be reading.
 */
async function putFile(source: string, target: string): Promise<void> {
  const sizeOf = (file: string): Promise<number | undefined> =>
    stat(file).then(
      ({ size }) => size,
      () => undefined,
    );
  if ((await sizeOf(target)) === (await sizeOf(source))) return;
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const whole = join(folder, `.telecine-test-${randomUUID()}`);
  await copyFile(source, whole, constants.COPYFILE_FICLONE);
  await chmod(whole, 0o644);
  await rename(whole, target);
}

/**
 * Writes a film of 30 seconds into a media root, 25 frames a second with one key frame in ten seconds: a moving test picture, from 11.4 s to
 * 14.24 s a red one, and then bars.
 */
export async function putFilmOfScenes(mediaRoot: string, path: string): Promise<string> {
  const scene = (what: string, seconds: number) => ['-f', 'lavfi', '-i', `${what}=s=320x180:r=25:d=${seconds}`];
  const made = await encodeOnce('scenes.mp4', [
    ...scene('testsrc2', 11.4),
    ...['-f', 'lavfi', '-i', 'color=red:s=320x180:r=25:d=2.84'],
    ...scene('smptebars', 15.76),
    ...['-filter_complex', 'concat=n=3', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '250'],
  ]);
  await putFile(made, join(mediaRoot, path));
  return path;
}

/** Converts the first `seconds` of a sample once per run and keeps the file as `name`. */
const convertOnce = (name: string, sample: Sample, seconds: number, options: readonly string[]): Promise<string> =>
  encodeOnce(name, ['-i', samplePath(sample), '-t', String(seconds), ...options]);

/** Runs ffmpeg once per run and keeps the file that it makes as `name`. */
async function encodeOnce(name: string, options: readonly string[]): Promise<string> {
  const cache = inject('clips');
  const file = join(cache, name);
  if (await exists(file)) return file;
  // Write to a temporary folder and rename: another test process may need the same file now.
  const temporary = await mkdtemp(join(cache, 'making-'));
  const target = join(temporary, `clip${extname(file)}`);
  const args = ['-v', 'error', '-nostdin', ...options, target];
  const { ok, text } = await command(tools().ffmpegPath, args);
  if (!ok) throw new Error(`ffmpeg could not write ${file}: ${text}`);
  await rename(target, file);
  await rm(temporary, { recursive: true });
  return file;
}

/**
 * Makes a folder of files once per run. Returns its path; all tests share it, so do not change the files. `name`: a name for the folder
 * that no other caller uses.
 */
export async function makeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const cache = inject('clips');
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  const temporary = await mkdtemp(join(cache, 'making-'));
  await make(temporary);
  // If another test process was faster, the rename fails, and its folder has the same files.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true }));
  return folder;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
