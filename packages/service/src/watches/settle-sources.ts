import { allOutputs } from '@telecine/contract/domain/all-outputs.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { WatchedFailure, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { FileCheck } from '../files/ports.ts';
import { preconditionFailed } from '../files/precondition.ts';
import { type FileChange, readyAgain, timeAfter } from '../store/ledger-row.ts';
import { failureOf, fileProblem } from './after-job.ts';
import { folderBelow } from './file-request.ts';
import type { Round } from './watch-deps.ts';
import type { FoundNow } from './watched-folders.ts';

/** How many sources are looked at before other work of the watch goes on. */
export const GROUP = 20;

/** How many names are tried if the target of a move is taken. */
const MOST_NAMES = 100;

/** A source is looked at again after as long as it has waited already, within these bounds. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [60_000, 3_600_000];

/** How long a file that is missing may be on a disk that is away. */
const AWAY_MS = 24 * 3_600_000;

/** Problems that no other try avoids: the path is too long, the target is on another disk, or the job was deleted. */
const HOPELESS = ['INVALID_REQUEST', 'JOB_NOT_FOUND'];

/** `WatchedFile.sourceTarget` of a file that is deleted. No path is the same. */
const BIN = '/';

/** The source is still what was converted, and stays. */
const UNCHANGED: FileChange = { settleAt: null, failure: null };

/** The source was moved or deleted. */
const DONE: FileChange = { ...UNCHANGED, source: 'DONE' };

const kept = (failure: WatchedFailure): FileChange => ({ source: 'KEPT', settleAt: null, failure });

/** The source has other content than was converted, so it is converted again. */
function changed({ onOther, now }: Round, { path, sourceTarget }: WatchedFile): FileChange {
  onOther(path);
  // After a crash, another file can have landed with the name of a file that was moved or deleted: that is a new file.
  return sourceTarget === undefined ? { ...readyAgain(now().toISOString()), replaces: true } : DONE;
}

/** `end`: what becomes of the file if it has waited for a day. Default: it goes on waiting. */
function later({ now }: Round, { changedAt }: WatchedFile, failure: WatchedFailure, end?: FileChange): FileChange {
  const at = now();
  const waitedMs = at.getTime() - Date.parse(changedAt);
  if (end !== undefined && waitedMs >= AWAY_MS) return end;
  const pauseMs = Math.min(Math.max(waitedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return { settleAt: timeAfter(at.toISOString(), pauseMs), failure };
}

const NO_PROOF: WatchedFailure = {
  code: 'OUTPUT_CHANGED',
  message: 'Nothing proves that the outputs exist: the job was deleted, has no outputs, or they have expired.',
};

/**
 * Looks at the sources of converted files. One that has changed since its job was submitted is converted again: the job may have read half of a
 * file that was being copied. The others are moved or deleted, if the watch says so, once it is proven that their outputs exist. Each step
 * can be repeated after a crash. Resolves to how many it has looked at: after `GROUP`, there may be more.
 */
export async function settleSources(round: Round): Promise<number> {
  const { ledger, watch, signal, now, onError } = round;
  const files = await ledger.sourcesToSettle(watch, now().toISOString(), GROUP);
  for (const file of files) {
    signal.throwIfAborted();
    const outcome = await settleSource(round, file).catch((error: unknown) => {
      const failure = failureOf(fileProblem(error, signal, onError));
      if (failure.code === 'PRECONDITION_FAILED') return changed(round, file);
      return HOPELESS.includes(failure.code) ? kept(failure) : later(round, file, failure);
    });
    // The watch was changed, or its client has lost a right. The next round does what is right then.
    if (outcome === undefined) return 0;
    await ledger.update(file, outcome);
  }
  return files.length;
}

/** undefined: the watch may not go on. */
async function settleSource(round: Round, file: WatchedFile): Promise<FileChange | undefined> {
  const { ledger, folders, watch, caller, files, hasBin, onDone } = round;
  const found = await folders.find(caller.root, file.path);
  if (found !== undefined && found.version !== file.version) return changed(round, file);
  if (watch.source === 'keep') return UNCHANGED;
  if (found === undefined && file.sourceTarget !== undefined) return DONE;
  // It may be on a disk that is away.
  if (found === undefined)
    return later(round, file, { code: 'FILE_NOT_FOUND', message: 'The file is not there.' }, DONE);
  if (await ledger.isWantedByOther(watch.clientId, file))
    return later(round, file, { code: 'FILE_IN_USE', message: 'Another watch has yet to convert this file.' });
  const missing = await missingOutput(round, file);
  if (missing !== undefined) return missing;
  // Reading the outputs can take minutes.
  if (!(await round.mayGoOn())) return undefined;
  const check: FileCheck = (current) => {
    if (current?.fingerprint !== found.fingerprint) throw preconditionFailed(current);
  };
  if (watch.source !== 'delete') return moveSource(round, watch.source.moveTo, file, found, check);
  if (!(await ledger.update(file, { sourceTarget: BIN }))) return undefined;
  const { failed } = await files.removeAll(caller, { paths: [file.path], keep: hasBin, check });
  if (failed[0] !== undefined) throw failed[0].problem;
  onDone?.(watch.clientId, file, 'file.delete');
  return DONE;
}

/** Checks that the job of a file is complete, and that each output is there unchanged. undefined: they are. Otherwise: what becomes of the source. */
async function missingOutput(round: Round, file: WatchedFile): Promise<FileChange | undefined> {
  const { jobs, folders, caller, signal } = round;
  const job = await jobs.get(file.jobId ?? '');
  if (job?.status !== 'COMPLETED' || job.outputsExpired === true) return kept(NO_PROOF);
  // A file that was renamed before its job began may have left its path to another one, which was converted.
  if (job.request.input !== undefined && job.request.input !== file.path) return kept(NO_PROOF);
  let count = 0;
  for await (const outputs of allOutputs(jobs.outputs, job))
    for (const { path, sizeBytes, fingerprint } of outputs) {
      signal.throwIfAborted();
      const found = await folders.find(caller.root, path as MediaPath);
      // Its disk may be away: the folder of the outputs is not the one that is listed.
      if (found === undefined) {
        const failure = { code: 'FILE_NOT_FOUND', message: `The output ${JSON.stringify(path)} is missing.` };
        return later(round, file, failure, kept(failure));
      }
      // Another file can have the same size, for example the conversion of another source with the same name.
      const isOther = fingerprint !== undefined && !found.isOutput(fingerprint);
      if (found.bytes !== sizeBytes || isOther)
        return kept({ code: 'OUTPUT_CHANGED', message: `The output ${JSON.stringify(path)} was replaced or changed.` });
      count += 1;
    }
  return count > 0 ? undefined : kept(NO_PROOF);
}

async function moveSource(
  { ledger, files, folders, watch, caller, onDone }: Round,
  moveTo: string,
  file: WatchedFile,
  found: FoundNow,
  check: FileCheck,
): Promise<FileChange | undefined> {
  const target = `${moveTo}${folderBelow(watch.folder, file.path)}${baseName(file.path)}` as MediaPath;
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const to = (number === 1 ? target : target.replace(/(\.[^./]*)?$/, ` (${number})$1`)) as MediaPath;
    const taken = await folders.find(caller.root, to);
    // In an object store, a crash can leave the file at both paths. The copy of an object that came in parts has another ETag.
    const isCopy = taken?.bytes === found.bytes && folders.isBucket(watch.folder) && file.sourceTarget === to;
    if (taken !== undefined && !isCopy) continue;
    if (!(await ledger.update(file, { sourceTarget: to }))) return undefined;
    try {
      await files.move(caller, { from: file.path, to, replace: isCopy, check });
    } catch (error) {
      if (error instanceof Problem && error.code === 'FILE_EXISTS') continue;
      throw error;
    }
    onDone?.(watch.clientId, file, 'file.move', to);
    return DONE;
  }
  return kept({ code: 'FILE_EXISTS', message: `${JSON.stringify(target)} and ${MOST_NAMES} names like it are taken.` });
}
