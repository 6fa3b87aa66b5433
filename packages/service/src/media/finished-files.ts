import { type Dirent, lstatSync } from 'node:fs';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { type FinishedFile, notOwnFile, plannedFiles } from '@telecine/contract/domain/planned-files.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import type { FinishedOutput } from '../jobs/ports/media-store.ts';
import { type DirectoryHandle, openNested } from './scratch/directory-handle.ts';

/** The most files that one turn of the event loop reads. Reading them takes about 2 ms on a local disk. */
const FILES_PER_TURN = 256;

/**
 * Writes the files that the service adds to the outputs. Then lists all files in `out/` in the order of publishing.
 * Throws the failures of `plannedFiles`. Throws FFMPEG_FAILED also for a symlink or a device, because the input may
 * have exploited a vulnerability of ffmpeg.
 */
export async function collectOutputs(
  out: DirectoryHandle,
  finished: readonly FinishedOutput[],
): Promise<readonly FinishedFile[]> {
  await writeTexts(out, finished);
  const planned = plannedFiles(finished.map(({ files }) => files));
  let seen = 0;
  for await (const name of namesBelow(out, '')) {
    seen += 1;
    if (seen % FILES_PER_TURN === 0) await nextTurn();
    if (!DELETED_ON_NFS.test(name)) planned.add(name);
  }
  if (seen > FILES_PER_TURN) await nextTurn();
  return planned.inOrder();
}

/**
 * Yields the paths of all files in an open folder and its subfolders, relative to the folder. Throws FFMPEG_FAILED for
 * anything other than a file or a folder.
 */
async function* namesBelow(folder: DirectoryHandle, prefix: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder.pathOf('.'), { withFileTypes: true })) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      await using inner = await openNested(folder, [entry.name]);
      yield* namesBelow(inner, `${name}/`);
    } else {
      await checkIsOwnFile(folder, entry, name);
      yield name;
    }
  }
}

/**
 * Rejects symlinks, devices, pipes, sockets and hard links. A hard link may be another name of a file that ffmpeg did
 * not write.
 */
async function checkIsOwnFile(folder: DirectoryHandle, entry: Dirent, name: string): Promise<void> {
  // `<= 1`: some network and FUSE file systems report 0 links for every file.
  const path = folder.pathOf(entry.name);
  if (entry.isFile() && (folder.isLocal ? lstatSync(path) : await lstat(path)).nlink <= 1) return;
  throw notOwnFile(name);
}

/** NFS gives this name to a deleted file that a process still has open. */
const DELETED_ON_NFS = /(?:^|\/)\.nfs[0-9a-f]{16,}$/;

/** Writes the files that the service adds to the outputs of a job into `out/`. */
export async function writeTexts(out: DirectoryHandle, finished: readonly FinishedOutput[]): Promise<void> {
  for (const { files, texts = [] } of finished) {
    if (texts.length === 0) continue;
    await using folder = await openNested(out, files.subfolder.split('/').filter(Boolean));
    for (const { name, text } of texts) {
      const path = folder.pathOf(name);
      // First remove what has this name: a file of an earlier attempt to publish, or a symlink that a hostile input
      // made ffmpeg create.
      await rm(path, { force: true });
      await writeFile(path, text, { flag: 'wx' });
    }
  }
}
