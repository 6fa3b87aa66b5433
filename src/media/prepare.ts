import { type BigIntStats, constants as fs } from 'node:fs';
import { copyFile, link, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JobOutput } from '../domain/job.ts';
import type { Mount, PlannedOutput } from '../domain/plan.ts';
import type { IntendedFile, PublishIntent, Scratch } from '../jobs/ports.ts';
import { hiddenName, noteHidden } from './beside.ts';
import { codeOf, failed, NO_LINK, outputFault, outputOutside } from './errors.ts';
import { type Folder, FolderMoved, holdFolder, makeFolder } from './folder.ts';
import { type Ground, isInside, type OffLimits } from './ground.ts';
import { fingerprintOf, identityOf } from './identity.ts';
import { findOutputs, type LeftFile } from './outputs.ts';
import type { At } from './points.ts';
import { refuseSiblings } from './siblings.ts';
import { findTarget, groundOf } from './target.ts';

export interface PrepareDeps {
  readonly offLimits: OffLimits;
  /** Mode of published files: ffmpeg's own is not relied on. */
  readonly fileMode: number;
  readonly at: At;
}

/** Files that are put on disk at once: more gain nothing on one disk. */
const AT_ONCE = 8;

/**
 * Makes what ffmpeg left durable, and the folders that it goes to; where those lie on another disk, copies it
 * to hidden names there, so that publishing itself is links in one folder. Throws FFMPEG_FAILED, INPUT_INVALID,
 * NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepare(
  deps: PrepareDeps,
  root: string,
  scratch: Scratch,
  output: PlannedOutput,
  main: Omit<JobOutput, 'path' | 'sizeBytes'>,
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const outDir = join(scratch.dir, 'out');
  try {
    const left = await findOutputs(outDir, output);
    const files = await intend(deps, await groundOf(root, deps.offLimits), scratch, output, left.files);
    if (output.replace) await refuseSiblings(files, left.main.path, inputs);
    await syncFolders(new Set([outDir, ...left.files.map(({ temporary }) => dirname(temporary))]));
    const shown = files.map(
      ({ path, sizeBytes, fingerprint }): JobOutput =>
        path === left.main.path ? { path, sizeBytes, fingerprint, ...main } : { path, sizeBytes, fingerprint },
    );
    const first = shown.find(({ path }) => path === left.main.path);
    if (first === undefined || first.sizeBytes === 0)
      throw failed('FFMPEG_FAILED', `ffmpeg made an empty file for "${output.path}".`, 'Read the log of the job.');
    return {
      scratch: scratch.dir,
      replace: output.replace,
      files,
      outputs: [first, ...shown.filter((file) => file !== first)],
    };
  } catch (error) {
    throw error instanceof FolderMoved ? outputOutside(output.path) : outputFault(output.path, error);
  }
}

async function intend(
  deps: PrepareDeps,
  ground: Ground,
  scratch: Scratch,
  output: PlannedOutput,
  left: readonly LeftFile[],
): Promise<readonly IntendedFile[]> {
  const done = new Map<LeftFile, IntendedFile>();
  const numbered = left.map((file, index) => ({ file, index }));
  for (const group of Map.groupBy(numbered, ({ file }) => dirname(file.path)).values()) {
    const [probe] = group;
    if (probe === undefined) continue;
    const target = await findTarget(ground, probe.file.path);
    const folder = await makeFolder(target.real, target.rest);
    try {
      const prepared = { ground, scratch, folder, replace: output.replace };
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
  readonly ground: Ground;
  readonly scratch: Scratch;
  readonly folder: Folder;
  readonly replace: boolean;
}

/**
 * Whether files cannot be linked from scratch into the folder. Only a try tells: mounts, subvolumes and quota
 * projects part one disk too.
 */
async function needsCopy({ at }: PrepareDeps, into: Into, file: LeftFile, index: number): Promise<boolean> {
  const name = hiddenName(into.scratch.name, index, 'copy');
  await noteHidden(into.scratch, into.folder.real, name);
  at('noted');
  try {
    await link(file.temporary, into.folder.at(name));
    at('probed');
    await rm(into.folder.at(name));
    at('removed');
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
  { fileMode, at }: PrepareDeps,
  { ground, scratch, folder, replace }: Into,
  file: LeftFile,
  index: number,
  copy: boolean,
): Promise<IntendedFile> {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (!isInside(ground, folder.real, [name])) throw outputOutside(file.path);
  if (replace) await noteHidden(scratch, folder.real, hiddenName(scratch.name, index, 'swap'));
  let { temporary } = file;
  let stats: BigIntStats;
  if (copy) {
    const hidden = hiddenName(scratch.name, index, 'copy');
    await noteHidden(scratch, folder.real, hidden);
    at('noted');
    await copyFile(file.temporary, folder.at(hidden), fs.COPYFILE_EXCL | fs.COPYFILE_FICLONE);
    at('copied');
    stats = await settle(folder.at(hidden), fileMode);
    temporary = join(folder.real, hidden);
  } else stats = await settle(temporary, fileMode);
  return {
    temporary,
    target: join(folder.real, name),
    path: file.path,
    identity: identityOf(stats),
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

async function syncFolders(paths: ReadonlySet<string>): Promise<void> {
  for (const path of paths) {
    const folder = await holdFolder(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
