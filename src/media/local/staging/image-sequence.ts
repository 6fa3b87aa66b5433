import { copyFile, constants as fs, link, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { JobFailed } from '../../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../../domain/hint.ts';
import { FIRST_NUMBERS, MAX_FRAMES, parseNumberedName } from '../../../domain/numbered-name.ts';
import type { PlannedInput } from '../../../domain/plan.ts';
import { matchesInShell } from '../../../domain/wildcard.ts';
import type { SequenceGap } from '../../../jobs/ports/input-staging.ts';
import { errnoOf, NO_LINK } from '../../file-errors.ts';
import { failed, inputFailure, inputNotFound, noFrames, noMatches, tooManyFrames } from '../../job-failures.ts';
import { findExistingFrames } from '../../names/existing-frames.ts';
import { pathOfOpen, READ_FLAGS } from '../../scratch/directory-handle.ts';
import { fileIdOf, isSameFile } from '../paths/file-facts.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { type FoundInput, type LocalInput, openInput } from './open-input.ts';

/**
 * Links the frames of a sequence as `in/0/000000.png`, `in/0/000001.png` and so on, whatever their own numbers are.
 * Finds the frames as ffmpeg's image2 does: the first has the number `startNumber` (default 0) or one of the next four,
 * and the last is the one before a missing number. A wildcard selects all files that match. A linked frame stays
 * readable if the client deletes it. The mount is the folder of the links: `in/0` for an input `in/0/%06d.png`.
 * Throws the reason of an abort of `signal`.
 */
export async function stageSequence(
  boundary: RootBoundary,
  scratchDir: string,
  input: PlannedInput,
  signal: AbortSignal,
): Promise<LocalInput> {
  const { path } = input;
  const linkName = parseNumberedName(basename(input.logical));
  if (linkName === undefined) throw new Error(`${input.logical} has no counter.`);
  const hostPath = join(scratchDir, dirname(input.logical));
  await rm(hostPath, { recursive: true, force: true });
  await mkdir(hostPath, { recursive: true, mode: 0o700 });
  const identities: string[] = [];
  let sizeBytes = 0;
  for await (const frame of findFrames(boundary, input, signal)) {
    signal.throwIfAborted();
    if (identities.length === MAX_FRAMES) throw tooManyFrames(path);
    await linkOrCopy(frame, join(hostPath, linkName.format(identities.length))).catch((error) => {
      throw inputFailure(frame.path, error);
    });
    identities.push(fileIdOf(frame.stats));
    sizeBytes += Number(frame.stats.size);
  }
  const gap = await findGap(boundary, input, identities.length);
  return { logical: dirname(input.logical), hostPath, identities, sizeBytes, ...(gap && { gap }) };
}

/** Where a sequence of `frames` frames ended, if files with later numbers exist. */
async function findGap(
  boundary: RootBoundary,
  { path, sequence }: PlannedInput,
  frames: number,
): Promise<SequenceGap | undefined> {
  const name = parseNumberedName(basename(path));
  if (name === undefined || sequence?.glob === true || (await findFrame(boundary, path)) !== undefined)
    return undefined;
  const names = await namesBeside(boundary, path).catch((error) => {
    throw inputFailure(path, error);
  });
  const numbers = names.flatMap((one) => name.read(one) ?? []);
  const start = sequence?.startNumber ?? 0;
  // A folder can have more numbers than a function call has arguments.
  const first = numbers.reduce((least, one) => (one >= start && one < least ? one : least), Number.POSITIVE_INFINITY);
  const unread = numbers.filter((number) => number > first + frames).length;
  return unread === 0 ? undefined : { frames, missing: name.format(first + frames), unread };
}

type Frame = FoundInput & { readonly path: string };

async function* findFrames(
  boundary: RootBoundary,
  { path, sequence }: PlannedInput,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const exact = await findFrame(boundary, path);
  if (exact !== undefined) {
    yield exact;
    return;
  }
  if (sequence?.glob === true) {
    yield* findMatches(boundary, path, signal);
    return;
  }
  const name = parseNumberedName(basename(path));
  if (name === undefined) throw inputNotFound(path);
  const start = sequence?.startNumber ?? 0;
  const findNumber = (n: number) => findFrame(boundary, join(dirname(path), name.format(n)));
  let n = start;
  let frame = await findNumber(n);
  while (frame === undefined && ++n < start + FIRST_NUMBERS) frame = await findNumber(n);
  if (frame === undefined) {
    const names = await namesBeside(boundary, path).catch(() => []);
    throw noFrames(path, name, start, findExistingFrames(basename(path), names));
  }
  for (; frame !== undefined; frame = await findNumber(++n)) yield frame;
}

/** Finds all files that match a wildcard, sorted by name as in a shell, without hidden files. */
async function* findMatches(boundary: RootBoundary, path: string, signal: AbortSignal): AsyncGenerator<Frame> {
  const isMatch = matchesInShell(basename(path), signal);
  const names = await namesBeside(boundary, path).catch((error) => {
    throw inputFailure(path, error);
  });
  const matches: string[] = [];
  for (const name of names) if (await isMatch(name)) matches.push(name);
  for (const name of matches.sort((a, b) => (a < b ? -1 : 1))) {
    const frame = await findFrame(boundary, join(dirname(path), name));
    if (frame !== undefined) yield frame;
  }
  if (matches.length === 0) throw noMatches(path);
}

/** Lists the names in the folder of a path. Returns none if the folder is missing or outside the media root. */
async function namesBeside(boundary: RootBoundary, path: string): Promise<readonly string[]> {
  const folder = await resolveSymlinks(boundary.root, path.split('/').slice(0, -1));
  const isFolder = folder.kind === 'found' && folder.stats.isDirectory() && isInside(boundary, folder.real);
  return isFolder ? readdir(folder.real) : [];
}

/** Returns undefined if the frame is missing. Throws if it cannot be read or is outside the media root. */
async function findFrame(boundary: RootBoundary, path: string): Promise<Frame | undefined> {
  try {
    return { path, ...(await openInput(boundary, path)) };
  } catch (error) {
    if (error instanceof JobFailed && error.failure.code === 'INPUT_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Copies the file if the file system, or the kernel for a file of another user, does not allow a hard link. */
async function linkOrCopy(frame: FoundInput, to: string): Promise<void> {
  try {
    await link(frame.real, to);
  } catch (error) {
    if (!NO_LINK.has(errnoOf(error))) throw error;
    await copy(frame, to);
    return;
  }
  if (!isSameFile(await lstat(to, { bigint: true }), frame.stats)) throw frameReplaced();
}

async function copy({ real, stats }: FoundInput, to: string): Promise<void> {
  const handle = await open(real, READ_FLAGS);
  try {
    if (!isSameFile(await handle.stat({ bigint: true }), stats)) throw frameReplaced();
    await copyFile(pathOfOpen(handle, real), to, fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
  } finally {
    await handle.close();
  }
}

const frameReplaced = () =>
  failed('INPUT_INVALID', 'A frame of the sequence was replaced while it was read.', hint`${RETRY_JOB}.`);
