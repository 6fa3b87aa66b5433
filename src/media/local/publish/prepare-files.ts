import { type BigIntStats, constants as fs } from 'node:fs';
import { copyFile, link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, NO_LINK, outputOutside } from '../errors.ts';
import type { Failpoint } from '../failpoints.ts';
import { type DirectoryHandle, makeDirectories } from '../paths/directory-handle.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-id.ts';
import { isInside, type ReservedPaths, type RootBoundary } from '../paths/root-boundary.ts';
import type { OutputFile } from './collect-outputs.ts';
import type { IntendedFile } from './intent.ts';
import { recordStagedName, stagedName } from './staged-names.ts';
import { findTarget } from './target.ts';

export interface PrepareDeps {
  readonly reserved: ReservedPaths;
  /** Mode of published files: ffmpeg's own is not relied on. */
  readonly fileMode: number;
  readonly failpoint: Failpoint;
}

/** Files that are put on disk at once: more gain nothing on one disk. */
const AT_ONCE = 8;

/**
 * Puts finished files on disk, with their mode, and makes the folders that they go to; where those lie on another disk,
 * copies them to hidden names there, which scratch has written down. `replace`: they may take the place of others.
 */
export async function prepareFiles(
  deps: PrepareDeps,
  ground: RootBoundary,
  scratchDir: string,
  replace: boolean,
  left: readonly OutputFile[],
): Promise<readonly IntendedFile[]> {
  const done = new Map<OutputFile, IntendedFile>();
  const numbered = left.map((file, index) => ({ file, index }));
  for (const group of Map.groupBy(numbered, ({ file }) => dirname(file.path)).values()) {
    const [probe] = group;
    if (probe === undefined) continue;
    const target = await findTarget(ground, probe.file.path);
    const folder = await makeDirectories(target.real, target.rest);
    try {
      const prepared = { ground, scratchDir, folder, replace };
      const copy = await needsCopy(deps, prepared, probe.file, probe.index);
      for (let i = 0; i < group.length; i += AT_ONCE)
        await Promise.all(
          group.slice(i, i + AT_ONCE).map(async ({ file, index }) => {
            done.set(file, await intendOne(deps, prepared, file, index, copy));
          }),
        );
      if (copy) await folder.sync();
    } finally {
      await folder.close();
    }
  }
  return left.flatMap((file) => done.get(file) ?? []);
}

interface Into {
  readonly ground: RootBoundary;
  readonly scratchDir: string;
  readonly folder: DirectoryHandle;
  readonly replace: boolean;
}

/**
 * Whether files cannot be linked from scratch into the folder. Only a try tells: mounts, subvolumes and quota
 * projects part one disk too.
 */
async function needsCopy({ failpoint }: PrepareDeps, into: Into, file: OutputFile, index: number): Promise<boolean> {
  const name = stagedName(basename(into.scratchDir), index, 'copy');
  await recordStagedName(into.scratchDir, into.folder.real, name);
  failpoint('noted');
  try {
    await link(file.temporary, into.folder.at(name));
    failpoint('probed');
    await rm(into.folder.at(name));
    failpoint('removed');
    return false;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EXDEV') return true;
    // No links at all: publishing has another way, from scratch itself.
    if (NO_LINK.has(code)) return false;
    throw error;
  }
}

async function intendOne(
  { fileMode, failpoint }: PrepareDeps,
  { ground, scratchDir, folder, replace }: Into,
  file: OutputFile,
  index: number,
  copy: boolean,
): Promise<IntendedFile> {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (!isInside(ground, folder.real, [name])) throw outputOutside(file.path);
  if (replace) await recordStagedName(scratchDir, folder.real, stagedName(basename(scratchDir), index, 'swap'));
  let { temporary } = file;
  let stats: BigIntStats;
  if (copy) {
    const hidden = stagedName(basename(scratchDir), index, 'copy');
    await recordStagedName(scratchDir, folder.real, hidden);
    failpoint('noted');
    await copyFile(file.temporary, folder.at(hidden), fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
    failpoint('copied');
    stats = await settle(folder.at(hidden), fileMode);
    temporary = join(folder.real, hidden);
  } else stats = await settle(temporary, fileMode);
  return {
    temporary,
    target: join(folder.real, name),
    path: file.path,
    fileId: fileIdOf(stats),
    fingerprint: fingerprintOf(stats),
    sizeBytes: Number(stats.size),
  };
}

/** Gives a file its mode and puts it on disk. */
async function settle(path: string, mode: number): Promise<BigIntStats> {
  const handle = await open(path, fs.O_RDONLY | fs.O_NOFOLLOW);
  try {
    await handle.chmod(mode);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}
