import { allOutputs } from '@telecine/contract/domain/all-outputs.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { baseName, extension, folderOf, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { folderBelow } from './file-request.ts';
import type { FoundFile, WatchLedger, WatchSource } from './ports.ts';

/** How many sources are moved or deleted before other work of the watch goes on. */
const GROUP = 20;

/** How many names are tried if the target of a move is taken. */
const MOST_NAMES = 100;

export interface SettleSourcesDeps {
  readonly ledger: Pick<WatchLedger, 'sourcesToSettle' | 'setSource'>;
  readonly source: Pick<WatchSource, 'find'>;
  readonly jobs: Pick<JobStore, 'get' | 'outputs'>;
  readonly files: Pick<FileOperations, 'move' | 'removeAll'>;
  /** Whether deleted files go to a bin. */
  readonly hasBin: boolean;
  readonly now: () => Date;
  /** Called after a source was moved or deleted, and before that is stored. */
  readonly onDone?: ((change: SourceChange) => void) | undefined;
}

/** What was done with a source, for the audit log. */
export interface SourceChange {
  readonly file: WatchedFile;
  readonly action: 'file.move' | 'file.delete';
  readonly to?: string;
}

/**
 * Moves or deletes the sources of converted files, once it is proven that their outputs exist. Each step can be repeated: after a crash, the
 * source is at its path or certainly gone. Resolves to false if no source is left to settle now.
 */
export async function settleSources(
  deps: SettleSourcesDeps,
  watch: Watch,
  caller: Caller,
  signal: AbortSignal,
): Promise<boolean> {
  if (watch.source === 'keep') return false;
  const files = await deps.ledger.sourcesToSettle(watch, GROUP);
  let settled = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const result = await settleSource(deps, watch, caller, file);
    if (result === undefined) continue;
    await deps.ledger.setSource(file, result, deps.now().toISOString());
    settled += 1;
  }
  return files.length === GROUP && settled > 0;
}

/** undefined: it cannot be done now, for example because another job reads the file. */
async function settleSource(
  deps: SettleSourcesDeps,
  watch: Watch,
  caller: Caller,
  file: WatchedFile,
): Promise<WatchedFile['source']> {
  const { source } = deps;
  const found = await source.find(caller.root, file.path);
  // It was moved or deleted before a crash, or by someone else.
  if (found === undefined) return 'DONE';
  // After a crash, another file can have landed with the name of a file that was moved: that is a new file.
  if (found.version !== file.version) return (await wasMoved(deps, watch, caller, file)) ? 'DONE' : 'KEPT';
  try {
    if (!(await hasOutputs(deps, caller, file))) return 'KEPT';
    return watch.source === 'delete'
      ? await deleteSource(deps, caller, file)
      : await moveSource(deps, watch, caller, file, found);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'FILE_NOT_FOUND') return 'DONE';
    // FILE_IN_USE, STORAGE_FAULT and the like go away. A path that is too long, or a deleted job, does not.
    return error.code === 'INVALID_REQUEST' || error.code === 'JOB_NOT_FOUND' ? 'KEPT' : undefined;
  }
}

/** Whether the job of a file is complete, and each of its outputs exists with the size that it had. */
async function hasOutputs(
  { jobs, source }: SettleSourcesDeps,
  { root }: Caller,
  { jobId }: WatchedFile,
): Promise<boolean> {
  const job: Job | undefined = jobId === undefined ? undefined : await jobs.get(jobId);
  if (job?.status !== 'COMPLETED' || job.outputsExpired === true) return false;
  let count = 0;
  for await (const outputs of allOutputs(jobs.outputs, job)) {
    for (const { path, sizeBytes } of outputs) {
      const found = await source.find(root, path as MediaPath);
      if (found?.bytes !== sizeBytes) return false;
      count += 1;
    }
  }
  return count > 0;
}

async function deleteSource(
  { files, hasBin, onDone }: SettleSourcesDeps,
  caller: Caller,
  file: WatchedFile,
): Promise<WatchedFile['source']> {
  const { failed } = await files.removeAll(caller, { paths: [file.path], keep: hasBin });
  const [failure] = failed;
  if (failure !== undefined) throw failure.problem;
  onDone?.({ file, action: 'file.delete' });
  return 'DONE';
}

async function moveSource(
  { files, source, onDone }: SettleSourcesDeps,
  watch: Watch,
  caller: Caller,
  file: WatchedFile,
  found: FoundFile,
): Promise<WatchedFile['source']> {
  if (typeof watch.source === 'string') return undefined;
  for (const to of namesFor(targetOf(watch.source.moveTo, watch, file))) {
    const taken = await source.find(caller.root, to);
    // In an object store, a crash can leave the file at both paths. Then the copy is the same object.
    const isCopy = taken !== undefined && found.fileKey === undefined && taken.version === found.version;
    if (taken !== undefined && !isCopy) continue;
    try {
      await files.move(caller, { from: file.path, to, replace: isCopy });
    } catch (error) {
      if (error instanceof Problem && error.code === 'FILE_EXISTS') continue;
      throw error;
    }
    onDone?.({ file, action: 'file.move', to });
    return 'DONE';
  }
  return 'KEPT';
}

/** Whether a file with the content that was converted is where the file of a row is moved to. */
async function wasMoved(
  { source }: Pick<SettleSourcesDeps, 'source'>,
  watch: Watch,
  { root }: Caller,
  file: WatchedFile,
): Promise<boolean> {
  if (typeof watch.source === 'string') return false;
  for (const path of namesFor(targetOf(watch.source.moveTo, watch, file))) {
    const taken = await source.find(root, path);
    if (taken === undefined) return false;
    if (taken.version === file.version && taken.fileKey === file.fileKey) return true;
  }
  return false;
}

const targetOf = (moveTo: string, { folder }: Pick<Watch, 'folder'>, { path }: Pick<WatchedFile, 'path'>): MediaPath =>
  `${moveTo}${folderBelow(folder, path)}${baseName(path)}` as MediaPath;

/** `done/a.mov`, then `done/a (2).mov`, and so on. */
function* namesFor(path: MediaPath): Generator<MediaPath> {
  yield path;
  const end = extension(path) === '' ? '' : path.slice(path.lastIndexOf('.'));
  const name = baseName(path);
  const stem = name.slice(0, name.length - end.length);
  for (let number = 2; number <= MOST_NAMES; number += 1)
    yield `${folderOf(path)}${stem} (${number})${end}` as MediaPath;
}
