import { copyFile, constants as fs, link, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { JobFailed } from '../../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../../domain/hint.ts';
import type { PlannedInput } from '../../../domain/plan.ts';
import { codeOf, failed, inputFault, inputNotFound, NO_LINK } from '../errors.ts';
import { descriptorPath } from '../paths/directory-handle.ts';
import { fileIdOf } from '../paths/file-id.ts';
import { type NumberedName, parseNumberedName } from '../paths/numbered-name.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { matchesWildcard } from '../paths/wildcard.ts';
import type { LocalInput } from './local-input.ts';
import { type FoundInput, INPUT_FLAGS, openInput } from './open-input.ts';

/** Frames of one sequence: almost seven minutes at 25 a second. More belongs into a video. */
const MAX_FRAMES = 10_000;

/** How many numbers image2 tries for the first frame (its `start_number_range`). */
const FIRST_TRIES = 5;

/**
 * Makes the frames of a sequence available as `in/0/000000.png` and on, numbered from 0 whatever their own
 * numbers are. Which they are is as in ffmpeg's image2: the first at `startNumber` (0) or up to four later, then
 * each next number until one is missing; or all that a pattern matches. They are linked, so a frame deleted meanwhile stays. The mount is their
 * folder: `in/0` for an input `in/0/%06d.png`.
 */
export async function stageSequence(
  ground: RootBoundary,
  scratchDir: string,
  input: PlannedInput,
): Promise<LocalInput> {
  const { path } = input;
  const frames = parseNumberedName(basename(input.logical));
  if (frames === undefined) throw new Error(`${input.logical} holds no counter.`);
  const hostPath = join(scratchDir, dirname(input.logical));
  await rm(hostPath, { recursive: true, force: true });
  await mkdir(hostPath, { recursive: true, mode: 0o700 });
  const identities: string[] = [];
  let sizeBytes = 0;
  for await (const { path: frame, real, stats } of framesOf(ground, input)) {
    if (identities.length === MAX_FRAMES)
      throw failed(
        'INPUT_INVALID',
        `The sequence "${path}" has more than ${MAX_FRAMES} frames.`,
        'Send it in parts, or as a video.',
      );
    const fileId = fileIdOf(stats);
    await linkOrCopy(real, join(hostPath, frames.format(identities.length)), fileId).catch((error) => {
      throw inputFault(frame, error);
    });
    identities.push(fileId);
    sizeBytes += Number(stats.size);
  }
  return { logical: dirname(input.logical), hostPath, identities, sizeBytes };
}

type Frame = FoundInput & { readonly path: string };

async function* framesOf(ground: RootBoundary, { path, sequence }: PlannedInput): AsyncGenerator<Frame> {
  const exact = await frameAt(ground, path);
  if (exact !== undefined) {
    yield exact;
    return;
  }
  if (sequence?.glob === true) {
    yield* matching(ground, path);
    return;
  }
  const counter = parseNumberedName(basename(path));
  if (counter === undefined) throw inputNotFound(path);
  const start = sequence?.startNumber ?? 0;
  const nth = (n: number) => frameAt(ground, join(dirname(path), counter.format(n)));
  let n = start;
  let frame = await nth(n);
  while (frame === undefined && ++n < start + FIRST_TRIES) frame = await nth(n);
  if (frame === undefined) throw noFrames(path, counter, start);
  for (; frame !== undefined; frame = await nth(++n)) yield frame;
}

/** In the order of their names, as a shell gives them; hidden ones are not meant by a wildcard. */
async function* matching(ground: RootBoundary, path: string): AsyncGenerator<Frame> {
  const pattern = basename(path);
  const walked = await resolveSymlinks(ground.root, path.split('/').slice(0, -1));
  const isFolder = walked.kind === 'there' && walked.stats.isDirectory() && isInside(ground, walked.real);
  const names = isFolder ? await readdir(walked.real) : [];
  const meant = names.filter(
    (name) => matchesWildcard(name, pattern) && (pattern.startsWith('.') || !name.startsWith('.')),
  );
  for (const name of meant.sort((a, b) => (a < b ? -1 : 1))) {
    const frame = await frameAt(ground, join(dirname(path), name));
    if (frame !== undefined) yield frame;
  }
  if (meant.length === 0)
    throw failed(
      'INPUT_NOT_FOUND',
      `No file in your media root matches "${path}".`,
      'Check the path; "*", "?" and "[…]" count in its last name only.',
    );
}

/** undefined: there is none. One that cannot be read, or leads out, is refused rather than passed over. */
async function frameAt(ground: RootBoundary, path: string): Promise<Frame | undefined> {
  try {
    return { path, ...(await openInput(ground, path)) };
  } catch (error) {
    if (error instanceof JobFailed && error.failure.code === 'INPUT_NOT_FOUND') return undefined;
    throw error;
  }
}

const noFrames = (path: string, counter: NumberedName, start: number) =>
  failed(
    'INPUT_NOT_FOUND',
    `There is no frame of the sequence "${path}" in your media root: looked for "${counter.format(start)}" to "${counter.format(start + FIRST_TRIES - 1)}".`,
    'Check the path; for frames that begin at another number, send it as "start_number" in that input\'s parameters.',
  );

/** A copy where the disk, or the kernel for a file of another owner, has no link for us. */
async function linkOrCopy(from: string, to: string, fileId: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error;
    await copy(from, to, fileId);
    return;
  }
  if (fileIdOf(await lstat(to, { bigint: true })) !== fileId) throw replaced();
}

async function copy(from: string, to: string, fileId: string): Promise<void> {
  const handle = await open(from, INPUT_FLAGS);
  try {
    if (fileIdOf(await handle.stat({ bigint: true })) !== fileId) throw replaced();
    await copyFile(descriptorPath(handle, from), to, fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
  } finally {
    await handle.close();
  }
}

const replaced = () =>
  failed('INPUT_INVALID', 'A frame was replaced while the sequence was being read.', hint`${RETRY_JOB}.`);
