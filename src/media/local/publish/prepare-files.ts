import { type BigIntStats, constants as fs } from 'node:fs';
import { copyFile, link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, NO_LINK, TargetError } from '../errors.ts';
import { type DirectoryHandle, makeDirectories } from '../paths/directory-handle.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-facts.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import type { FinishedFile } from './collect-outputs.ts';
import type { IntendedFile } from './intent.ts';
import type { PublishFailpoint } from './publish-state.ts';
import { recordStagedName, stagedName } from './staged-names.ts';
import { findPublishTarget } from './target.ts';

export interface PrepareDeps {
  /** The mode of published files, whatever mode ffmpeg gave them. */
  readonly fileMode: number;
  readonly failpoint: PublishFailpoint;
}

/** The number of files that are flushed concurrently. A higher number is no faster on one disk. */
const CONCURRENCY = 8;

/**
 * Sets the mode of finished files, flushes them to disk and creates the folders of their targets. If a target is on
 * another disk, copies the file to a staged file there. `replace`: whether the files may replace existing ones. Throws
 * TargetError, DirectoryMoved and file system errors.
 */
export async function prepareFiles(
  deps: PrepareDeps,
  boundary: RootBoundary,
  scratchDir: string,
  replace: boolean,
  files: readonly FinishedFile[],
): Promise<readonly IntendedFile[]> {
  const prepared = new Map<FinishedFile, IntendedFile>();
  const numbered = files.map((file, index) => ({ file, index }));
  for (const group of Map.groupBy(numbered, ({ file }) => dirname(file.path)).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const target = await findPublishTarget(boundary, first.file.path);
    const folder = await makeDirectories(target.real, target.missing);
    try {
      const destination = { boundary, scratchDir, folder, replace };
      const copy = await needsCopy(deps, destination, first.file, first.index);
      for (let i = 0; i < group.length; i += CONCURRENCY)
        await Promise.all(
          group.slice(i, i + CONCURRENCY).map(async ({ file, index }) => {
            prepared.set(file, await prepareFile(deps, destination, file, index, copy));
          }),
        );
      if (copy) await folder.sync();
    } finally {
      await folder.close();
    }
  }
  return files.flatMap((file) => prepared.get(file) ?? []);
}

interface Destination {
  readonly boundary: RootBoundary;
  readonly scratchDir: string;
  readonly folder: DirectoryHandle;
  readonly replace: boolean;
}

/**
 * Whether files must be copied because they cannot be linked from the scratch folder into the folder. Tries a link,
 * because mounts, subvolumes and quota projects can prevent one even within a disk.
 */
async function needsCopy(
  { failpoint }: PrepareDeps,
  { scratchDir, folder }: Destination,
  file: FinishedFile,
  index: number,
): Promise<boolean> {
  const name = stagedName(basename(scratchDir), index, 'copy');
  await recordStagedName(scratchDir, folder.real, name);
  failpoint('recorded');
  try {
    await link(file.temporary, folder.pathOf(name));
    failpoint('probed');
    await rm(folder.pathOf(name));
    failpoint('removed');
    return false;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EXDEV') return true;
    // The disk does not support hard links: publishing renames the file from the scratch folder.
    if (NO_LINK.has(errno)) return false;
    throw error;
  }
}

async function prepareFile(
  { fileMode, failpoint }: PrepareDeps,
  { boundary, scratchDir, folder, replace }: Destination,
  file: FinishedFile,
  index: number,
  copy: boolean,
): Promise<IntendedFile> {
  const name = basename(file.path);
  if (!isInside(boundary, folder.real, [name])) throw new TargetError('outside', file.path);
  const scratchName = basename(scratchDir);
  if (replace) await recordStagedName(scratchDir, folder.real, stagedName(scratchName, index, 'swap'));
  let { temporary } = file;
  let stats: BigIntStats;
  if (copy) {
    const staged = stagedName(scratchName, index, 'copy');
    await recordStagedName(scratchDir, folder.real, staged);
    failpoint('recorded');
    await copyFile(file.temporary, folder.pathOf(staged), fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
    failpoint('copied');
    stats = await makeDurable(folder.pathOf(staged), fileMode);
    temporary = join(folder.real, staged);
  } else stats = await makeDurable(temporary, fileMode);
  return {
    temporary,
    target: join(folder.real, name),
    path: file.path,
    fileId: fileIdOf(stats),
    fingerprint: fingerprintOf(stats),
    sizeBytes: Number(stats.size),
  };
}

/** Sets the mode of a file and flushes the file to disk. */
async function makeDurable(path: string, mode: number): Promise<BigIntStats> {
  const handle = await open(path, fs.O_RDONLY | fs.O_NOFOLLOW);
  try {
    await handle.chmod(mode);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}
