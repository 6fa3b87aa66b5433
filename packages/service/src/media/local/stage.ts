import { type BigIntStats, realpathSync } from 'node:fs';
import { copyFile, constants as fs, link, lstat, mkdir, open, opendir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, NO_LINK } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { FIRST_NUMBERS, MAX_FRAMES, parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import type { DraftedOutput, Mount, PlannedInput } from '@telecine/contract/domain/plan.ts';
import { matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import type { FileVersion, SequenceGap } from '../../jobs/ports/media-store.ts';
import { rethrow } from '../errno-codes.ts';
import { findExistingFrames } from '../file-names.ts';
import {
  emptyInput,
  failed,
  folderAsInput,
  inputFailure,
  inputNotFound,
  inputReplaced,
  noFrames,
  noMatches,
  outputExists,
  outputFailure,
  outputIsInput,
  storageFailure,
  tooManyFrames,
} from '../job-failures.ts';
import { openEntry, pathOfOpen, READ_FLAGS } from '../scratch/directory-handle.ts';
import { fileIdOf, fileVersionOf, isSameFile } from './paths/file-facts.ts';
import { NAMES_AT_A_TIME, readNames } from './paths/read-names.ts';
import { resolveIn } from './paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from './paths/root-boundary.ts';
import { statNewTarget, type TargetStat } from './publish/target.ts';

/** Where images of a sequence are linked or copied. */
export interface StagingFolder {
  readonly dir: string;
  /** Resolves if the disk of the folder replies. Throws UNAVAILABLE if it does not. */
  replies(): Promise<unknown>;
}

/** Finds all inputs, and rejects outputs that could not be published. Throws the reason of an abort. */
export async function stage(
  boundary: RootBoundary,
  scratch: StagingFolder,
  inputs: readonly PlannedInput[],
  outputs: readonly DraftedOutput[],
  signal: AbortSignal,
): Promise<readonly LocalInput[]> {
  try {
    const targets = await Promise.all(
      outputs.map(async (output) => ({ output, ...(await statOutput(boundary, output.path)) })),
    );
    const staged: LocalInput[] = [];
    for (const input of inputs) {
      const found =
        input.sequence === undefined
          ? await stageFile(boundary, input)
          : await stageSequence(boundary, scratch, input, signal);
      for (const { output, stats } of targets)
        if (stats !== undefined && found.identities.includes(fileIdOf(stats)))
          throw outputIsInput(output.path, input.path);
      staged.push(found);
    }
    // Check the outputs after the inputs: an output that would overwrite an input is the more serious error.
    for (const { output, taken } of targets) {
      if (output.replace) continue;
      if (taken) throw outputExists(output.path);
      const manifest = `${output.folder}${output.manifest}`;
      if (output.manifest !== undefined && (await statOutput(boundary, manifest)).taken) throw outputExists(manifest);
    }
    return staged;
  } catch (error) {
    throw storageFailure('staging the inputs', error);
  }
}

/** Finds one input. Throws INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT. */
export async function stageFile(
  boundary: RootBoundary,
  { path, logical }: Pick<PlannedInput, 'path' | 'logical'>,
): Promise<LocalInput> {
  const { real, stats } = await openInput(boundary, path);
  const file = fileVersionOf(stats);
  return { logical, hostPath: real, identities: [file.fileId], sizeBytes: Number(stats.size), file };
}

const statOutput = (boundary: RootBoundary, path: string): Promise<TargetStat> =>
  statNewTarget(boundary, path).catch(rethrow((error) => outputFailure(path, error)));

export interface LocalInput extends Required<Mount> {
  readonly sizeBytes: number;
  /** Absent for an image sequence. */
  readonly file?: FileVersion;
  readonly gap?: SequenceGap;
}

/** An input that exists, is readable and is inside the media root. */
interface FoundInput {
  /** The absolute path, with symlinks resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

/**
 * Finds the input at a path of a client. Also opens the file, to notice if a part of the path became a symlink after
 * the path was resolved. Code that opens the file again must compare its file id. Throws INPUT_NOT_FOUND,
 * INPUT_INVALID, STORAGE_FAULT.
 */
async function openInput(boundary: RootBoundary, path: string): Promise<FoundInput> {
  try {
    const resolved = await resolveIn(boundary, path.split('/'));
    if (resolved.kind === 'loop')
      throw failed('INPUT_INVALID', `Input "${path}" is a symlink that leads to itself.`, 'Send the path of a file.');
    if (resolved.kind === 'missing')
      throw isInside(boundary, resolved.real, resolved.rest) ? inputNotFound(path) : inputOutside(path);
    const { real, stats } = resolved;
    if (!isInside(boundary, real)) throw inputOutside(path);
    // Check the kind of file before opening it: opening a device can have side effects.
    if (stats.isDirectory()) throw folderAsInput(path);
    if (!stats.isFile())
      throw failed('INPUT_INVALID', `Input "${path}" is a device, pipe or socket.`, 'Send the path of a file.');
    const { opened, now } = await openAgain(boundary, real);
    if (fileIdOf(opened) !== fileIdOf(stats) || !isInside(boundary, now)) throw inputReplaced(path);
    if (opened.size === 0n) throw emptyInput(path);
    return { real, stats: opened };
  } catch (error) {
    throw inputFailure(path, error);
  }
}

/** Opens the file at `real`. `now`: its path without symlinks after it was opened. */
function openAgain({ disks }: RootBoundary, real: string): Promise<{ opened: BigIntStats; now: string }> {
  const isLocal = disks.isLocal(real);
  return disks.call(real, async () => {
    await using handle = await openEntry(real, READ_FLAGS, isLocal);
    const opened = await handle.stats();
    return { opened, now: isLocal ? realpathSync.native(real) : await realpath(real) };
  });
}

const inputOutside = (path: string) =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" resolves outside your media root or to a reserved file.`,
    'Send a path inside your media root.',
  );

/** How many bytes of an image a disk must copy in a millisecond to count as one that replies: 1 MB/s. */
const COPIED_PER_MS = 1000;

/**
 * Links the images of a sequence into the scratch folder as `in/0/000000.png`, `in/0/000001.png` and so on. The
 * returned input mounts the folder with these links. Finds the images like ffmpeg's image2 demuxer: the first number is
 * `startNumber` (default 0) or one of the next four, and a missing number ends the sequence. A wildcard selects all
 * files that match. Throws the reason of an abort.
 */
async function stageSequence(
  boundary: RootBoundary,
  scratch: StagingFolder,
  input: PlannedInput,
  signal: AbortSignal,
): Promise<LocalInput> {
  const { path } = input;
  const linkName = parseNumberedName(basename(input.logical));
  if (linkName === undefined) throw new Error(`${input.logical} has no counter.`);
  const hostPath = join(scratch.dir, dirname(input.logical));
  await scratch.replies();
  await rm(hostPath, { recursive: true, force: true });
  await mkdir(hostPath, { recursive: true, mode: 0o700 });
  const identities: string[] = [];
  let sizeBytes = 0;
  for await (const frame of findFrames(boundary, input, signal)) {
    signal.throwIfAborted();
    if (identities.length === MAX_FRAMES) throw tooManyFrames(path);
    const to = join(hostPath, linkName.format(identities.length));
    // The call below is one to the disk of the image: it must not be said to hang because the other one does.
    await scratch.replies();
    await boundary.disks
      .call(frame.real, () => linkOrCopy(frame, to), { extraMs: Number(frame.stats.size) / COPIED_PER_MS })
      .catch(rethrow((error) => inputFailure(frame.path, error)));
    identities.push(fileIdOf(frame.stats));
    sizeBytes += Number(frame.stats.size);
  }
  const gap = await findGap(boundary, input, identities.length);
  return { logical: dirname(input.logical), hostPath, identities, sizeBytes, ...(gap && { gap }) };
}

/**
 * Returns the gap at which a sequence ended after `frames` images. Returns undefined if no images with later numbers
 * exist.
 */
async function findGap(
  boundary: RootBoundary,
  { path, sequence }: PlannedInput,
  frames: number,
): Promise<SequenceGap | undefined> {
  const name = parseNumberedName(basename(path));
  if (name === undefined || sequence?.glob === true || (await findFrame(boundary, path)) !== undefined)
    return undefined;
  const names = await namesBeside(boundary, path).catch(rethrow((error) => inputFailure(path, error)));
  const numbers = names.flatMap((one) => name.read(one) ?? []);
  const start = sequence?.startNumber ?? 0;
  // Do not use `Math.min(...numbers)`: a folder can have more files than a call can have arguments.
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

/** Finds the files that match a wildcard. Like a shell, sorts them by name and omits hidden files. */
async function* findMatches(boundary: RootBoundary, path: string, signal: AbortSignal): AsyncGenerator<Frame> {
  const isMatch = matchesInShell(basename(path), signal);
  const names = await namesBeside(boundary, path).catch(rethrow((error) => inputFailure(path, error)));
  const matches: string[] = [];
  for (const name of names) if (await isMatch(name)) matches.push(name);
  for (const name of matches.sort((a, b) => (a < b ? -1 : 1))) {
    const frame = await findFrame(boundary, join(dirname(path), name));
    if (frame !== undefined) yield frame;
  }
  if (matches.length === 0) throw noMatches(path);
}

/** Lists the names of all files in the folder of a path. Returns none if the folder is not in the media root. */
async function namesBeside(boundary: RootBoundary, path: string): Promise<readonly string[]> {
  const folder = await resolveIn(boundary, path.split('/').slice(0, -1));
  const isFolder = folder.kind === 'found' && folder.stats.isDirectory() && isInside(boundary, folder.real);
  return isFolder ? namesIn(boundary, folder.real) : [];
}

/** Reads the names in batches, so that only a disk that does not reply to one of them counts as one that hangs. */
async function namesIn({ disks }: RootBoundary, folder: string): Promise<readonly string[]> {
  const opened = await disks.call(folder, () => opendir(folder, { bufferSize: NAMES_AT_A_TIME }), {
    discard: (late) => late.close(),
  });
  const names: string[] = [];
  try {
    for (let isEnd = false; !isEnd; ) {
      const batch = await disks.call(folder, () => readNames(opened));
      for (const { name } of batch) names.push(name);
      isEnd = batch.length < NAMES_AT_A_TIME;
    }
    return names;
  } finally {
    // Do not wait: a read that hangs keeps the folder open.
    opened.close().catch(() => undefined);
  }
}

/** Returns undefined if the frame is missing. Throws if the frame is unreadable or outside the media root. */
async function findFrame(boundary: RootBoundary, path: string): Promise<Frame | undefined> {
  try {
    return { path, ...(await openInput(boundary, path)) };
  } catch (error) {
    if (error instanceof JobFailed && error.failure.code === 'INPUT_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Creates a hard link to an image. Copies the image if the file system has no hard links, or if the kernel allows no
 * link because the image belongs to another user.
 */
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
  await using handle = await open(real, READ_FLAGS);
  if (!isSameFile(await handle.stat({ bigint: true }), stats)) throw frameReplaced();
  await copyFile(pathOfOpen(handle, real), to, fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
}

const frameReplaced = () =>
  failed('INPUT_INVALID', 'A frame of the sequence was replaced while it was read.', hint`${RETRY_JOB}.`);
