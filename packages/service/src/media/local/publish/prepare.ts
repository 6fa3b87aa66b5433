import { type BigIntStats, constants as fs } from 'node:fs';
import { copyFile, link, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import {
  checkOverwrites,
  jobOutputs,
  type FinishedFile as RankedFile,
} from '@telecine/contract/domain/planned-files.ts';
import type { FinishedOutput, PublishIntent } from '../../../jobs/ports/media-store.ts';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { collectOutputs } from '../../finished-files.ts';
import { outputFailure } from '../../job-failures.ts';
import {
  allEnded,
  type DirectoryHandle,
  makeDirectories,
  type OpenEntry,
  openEntry,
  openNested,
  pathOfOpen,
  READ_FLAGS,
} from '../../scratch/directory-handle.ts';
import { recordStagedName, stagedName } from '../../scratch/scratch.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-facts.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { type IntendedFile, localIntents, type PublishFailpoint } from './publish-state.ts';
import { findPublishTarget } from './target.ts';

/**
 * Flushes the finished files and the folders of their targets to disk, so that publishing only creates links. Throws
 * FFMPEG_FAILED, INPUT_INVALID, NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepareOutputs(
  deps: PrepareDeps,
  boundary: RootBoundary,
  scratch: { readonly folder: DirectoryHandle; readonly out: DirectoryHandle },
  finished: readonly FinishedOutput[],
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const { folder, out } = scratch;
  const { path = '', replace = false } = finished[0]?.files ?? {};
  try {
    const collected = await collectOutputs(out, finished);
    const place = { scratch: folder, source: out };
    const files = await prepareFiles(deps, boundary, place, replace, collected, outputFailure);
    if (replace) {
      const stats = await Promise.all(
        files.map(async ({ path, target }) => [path, await lstatIfExists(target)] as const),
      );
      const existing = new Map(
        stats.flatMap(([path, found]) => (found === undefined ? [] : [[path, fileIdOf(found)]])),
      );
      checkOverwrites(collected, existing, new Set(inputs.flatMap(({ identities }) => identities ?? [])));
    }
    const list = { scratchDir: folder.real, replace, files };
    return localIntents.write(basename(folder.real), list, jobOutputs(finished, collected, files));
  } catch (error) {
    throw outputFailure(path, error);
  }
}

type FinishedFile = Pick<RankedFile, 'name' | 'path'>;

export interface PrepareDeps {
  /** The permission bits of published files. */
  readonly fileMode: number;
  readonly failpoint: PublishFailpoint;
  /** Target folders in which a trial of a hard link worked (see `needsCopy`). A failed publish clears the set. */
  readonly linkable: Set<string>;
}

/** The most folders in `linkable`. */
const MAX_LINKABLE = 1000;

/** The maximum number of files that are flushed at the same time. More are not faster on one disk. */
const CONCURRENCY = 8;

/** The folders of finished files. */
interface FinishedPlace {
  /** The scratch folder of the attempt, in which the names of staged files are recorded. */
  readonly scratch: DirectoryHandle;
  /** The folder below `scratch` with the finished files. */
  readonly source: DirectoryHandle;
}

/**
 * Prepares finished files for publishing: sets their mode, flushes them and creates the folders of their targets. If a
 * target is on another disk, copies the file to a staged file there. Does not flush the scratch folder: if a crash
 * loses the name of a file in it, the job runs again.
 *
 * @param replace true: the files may replace existing files.
 * @param failureOf Converts a TargetError, a DirectoryMoved or a file system error to the error that is thrown.
 */
export async function prepareFiles(
  deps: PrepareDeps,
  boundary: RootBoundary,
  place: FinishedPlace,
  replace: boolean,
  files: readonly FinishedFile[],
  failureOf: (path: string, error: unknown) => unknown = (_path, error) => error,
): Promise<readonly IntendedFile[]> {
  const prepared = new Map<FinishedFile, IntendedFile>();
  const numbered = files.map((file, index) => ({ file, index }));
  for (const group of Map.groupBy(numbered, ({ file }) => dirname(file.name)).values()) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    try {
      for (const [file, intended] of await prepareGroup(deps, boundary, place, replace, [first, ...others]))
        prepared.set(file, intended);
    } catch (error) {
      throw failureOf(first.file.path, error);
    }
  }
  return files.flatMap((file) => prepared.get(file) ?? []);
}

interface NumberedFile {
  readonly file: FinishedFile;
  readonly index: number;
}

/** Prepares the finished files that go into the same target folder. */
async function prepareGroup(
  deps: PrepareDeps,
  boundary: RootBoundary,
  place: FinishedPlace,
  replace: boolean,
  group: readonly [NumberedFile, ...NumberedFile[]],
): Promise<ReadonlyMap<FinishedFile, IntendedFile>> {
  const prepared = new Map<FinishedFile, IntendedFile>();
  const [first] = group;
  const target = await findPublishTarget(boundary, first.file.path);
  await using folder = await makeDirectories(target.real, target.missing, boundary.disks.isLocal(target.real));
  const names = dirname(first.file.name);
  await using nested = names === '.' ? undefined : await openNested(place.source, names.split('/'));
  const source = nested ?? place.source;
  const destination = { boundary, scratch: place.scratch, source, folder, replace };
  const copy = await needsCopy(deps, destination, first.file, first.index);
  for (let i = 0; i < group.length; i += CONCURRENCY)
    await allEnded(
      group.slice(i, i + CONCURRENCY).map(async ({ file, index }) => {
        prepared.set(file, await prepareFile(deps, destination, file, index, copy));
      }),
    );
  return prepared;
}

interface Destination extends FinishedPlace {
  readonly boundary: RootBoundary;
  readonly folder: DirectoryHandle;
  readonly replace: boolean;
}

/**
 * Returns whether files must be copied, because a hard link from the scratch folder into the target folder is not
 * possible. Tries one link to find out: mounts, subvolumes and quota projects can prevent links even on the same disk.
 */
async function needsCopy(
  { failpoint, linkable }: PrepareDeps,
  { scratch, source, folder }: Destination,
  file: FinishedFile,
  index: number,
): Promise<boolean> {
  // Use the path too, not only the file id: a bind mount has the id of its source, but a link into it from outside
  // fails.
  const place = `${fileIdOf(await folder.stats())} ${folder.real}`;
  if (linkable.has(place)) return false;
  const name = stagedName(basename(scratch.real), index, 'copy');
  await recordStagedName(scratch, folder, name);
  failpoint('recorded');
  try {
    await link(source.pathOf(basename(file.name)), folder.pathOf(name));
    failpoint('probed');
    await unlink(folder.pathOf(name));
    failpoint('removed');
    if (linkable.size >= MAX_LINKABLE) linkable.clear();
    linkable.add(place);
    return false;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EXDEV') return true;
    // No file on this disk can have hard links. Do not copy: publishing renames the file in the scratch folder instead.
    if (NO_LINK.has(errno)) return false;
    throw error;
  }
}

async function prepareFile(
  { fileMode, failpoint }: PrepareDeps,
  { boundary, scratch, source, folder, replace }: Destination,
  file: FinishedFile,
  index: number,
  copy: boolean,
): Promise<IntendedFile> {
  const name = basename(file.path);
  if (!isInside(boundary, folder.real, [name])) throw new TargetError('outside', file.path);
  const scratchName = basename(scratch.real);
  if (replace) await recordStagedName(scratch, folder, stagedName(scratchName, index, 'swap'));
  const finished = source.pathOf(basename(file.name));
  let temporary = join(source.real, basename(file.name));
  const stats = await withFile(finished, source.isLocal, async (handle, mode) => {
    if (!copy) return makeDurable(handle, mode, fileMode);
    const staged = stagedName(scratchName, index, 'copy');
    await recordStagedName(scratch, folder, staged);
    failpoint('recorded');
    const from = pathOfOpen(handle, finished);
    await copyFile(from, folder.pathOf(staged), fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
    failpoint('copied');
    temporary = join(folder.real, staged);
    return withFile(folder.pathOf(staged), folder.isLocal, (copied, copiedMode) =>
      makeDurable(copied, copiedMode, fileMode),
    );
  });
  return {
    temporary,
    target: join(folder.real, name),
    path: file.path,
    fileId: fileIdOf(stats),
    fingerprint: fingerprintOf(stats),
    sizeBytes: Number(stats.size),
  };
}

/** Opens a regular file and calls `use` with it and its mode. Throws TargetError for anything other than a file. */
async function withFile<T>(
  path: string,
  isLocal: boolean,
  use: (file: OpenEntry, mode: number) => Promise<T>,
): Promise<T> {
  await using handle = await openEntry(path, READ_FLAGS, isLocal);
  const stats = await handle.stats();
  if (!stats.isFile()) throw new TargetError('special', basename(path));
  return await use(handle, Number(stats.mode) & 0o7777);
}

/** Sets the mode of a file and flushes it. */
async function makeDurable(file: OpenEntry, mode: number, wanted: number): Promise<BigIntStats> {
  if (mode !== wanted) await file.setMode(wanted);
  await file.sync();
  return file.stats();
}
