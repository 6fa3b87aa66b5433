import type { Caller } from '@telecine/contract/domain/client.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch, WatchedFile, WatchWait } from '@telecine/contract/domain/watch.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { runAdmitted } from '../jobs/submit/pending-quota.ts';
import type { WatchedJob } from '../jobs/submit/submit-watched.ts';
import type { WatchLedger } from '../store/watches.ts';
import { afterFailure } from './after-job.ts';
import { originsOf } from './decide.ts';
import { fileFailure } from './file-failure.ts';
import { type FileFacts, needsFrame, requestForWatchedFile } from './file-request.ts';
import type { WatchedFolders } from './watched-folders.ts';

/** How many files are submitted in one transaction. */
const GROUP = 20;

/** How many files are checked at a time. A check can run ffprobe, which has slots of its own. */
const CHECKS_AT_ONCE = 4;

/** How far a file that has changed goes back in the order of the ready files: many that grow must not keep others waiting. */
const CHANGED_MS = 30_000;

/** Problems that go away by themselves, and say nothing about the file: the watch waits. */
const LIMITS: ReadonlySet<string> = new Set(['QUOTA_EXCEEDED', 'TOO_MANY_PENDING', 'RATE_LIMITED']);

/** Failures that another try some minutes later can avoid. A probe can also lack space for one large object, or fail to read one file. */
const PASSING: ReadonlySet<string> = new Set([
  ...['TIMEOUT', 'STORAGE_FAULT', 'INPUT_UNAVAILABLE', 'INPUT_NOT_FOUND', 'UNAVAILABLE', 'NO_SPACE', 'INTERNAL'],
]);

const isLimit = (error: unknown): boolean =>
  error instanceof Problem &&
  LIMITS.has(error.code) &&
  // A file that alone needs more media than the whole quota of a day never fits.
  !(error.quota?.name === 'media' && error.retryAfterSeconds === undefined);

export interface SubmitFilesDeps {
  readonly ledger: Pick<WatchLedger, 'due' | 'unfinished' | 'submit' | 'update' | 'madeFiles'>;
  readonly folders: Pick<WatchedFolders, 'find'>;
  readonly jobs: Pick<JobOperations, 'admit' | 'checkWatched' | 'insertWatched'>;
  /** The size of the video in a file as it is shown. undefined: it has none. Throws the errors of a probe. */
  readonly frameOf: (caller: Caller, path: MediaPath, signal: AbortSignal) => Promise<FileFacts['frame']>;
  readonly now: () => Date;
  /** Called in the transaction that submits files, after their rows are written. For tests of crashes. */
  readonly onMarked?: () => void;
  readonly onError: (error: unknown) => void;
}

interface Round {
  readonly watch: Watch;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Called with the path of a file that has changed since a poll has seen it. */
  readonly onOther: (path: MediaPath) => void;
}

export interface Submission {
  /** How many jobs were submitted. */
  readonly submitted: number;
  /** How many files were looked at. */
  readonly files: number;
  /** Why files that are ready were not submitted. Absent: no file was left out, or others follow at once. */
  readonly waitingFor?: WatchWait;
  /** Whether more files may be ready. */
  readonly hasMore: boolean;
}

interface ReadyJob {
  readonly file: WatchedFile;
  readonly watched: WatchedJob;
}

/**
 * Submits the jobs of files that are due, as many as the watch may have. A file that cannot be read or checked keeps no others waiting. Throws
 * outages of the database.
 */
export async function submitFiles(deps: SubmitFilesDeps, round: Round): Promise<Submission> {
  const { ledger } = deps;
  const { watch, signal } = round;
  const at = deps.now().toISOString();
  const due = await ledger.due(watch.watchId, at, GROUP);
  if (due.length === 0) return { submitted: 0, files: 0, hasMore: false };
  const room = watch.maxUnfinished - (await ledger.unfinished(watch.watchId));
  if (room <= 0) return { submitted: 0, files: 0, waitingFor: 'slots', hasMore: false };
  const files = await withOrigins(deps, round, due.slice(0, room));
  const ready: ReadyJob[] = [];
  let isLimited = false;
  for (let first = 0; first < files.length && !isLimited; first += CHECKS_AT_ONCE) {
    const some = files.slice(first, first + CHECKS_AT_ONCE);
    const checked = await Promise.all(some.map((file) => prepare(deps, round, file)));
    signal.throwIfAborted();
    ready.push(...checked.filter((one) => typeof one === 'object'));
    // If all fail, it is probably not the fault of the files: do not use up their attempts.
    const haveFailed = checked.length === CHECKS_AT_ONCE && checked.every((one) => one === 'failed');
    isLimited = haveFailed || checked.includes('limit');
  }
  const stored = await insert(deps, round, ready);
  const waits = isLimited || stored.isLimited;
  return {
    ...{ submitted: stored.submitted, files: due.length },
    ...(waits && { waitingFor: 'quota' as const }),
    // A file that keeps changing is not due yet, and was only taken because no other was ready.
    hasMore: !waits && due.slice(0, room).some(({ dueAt = '' }) => dueAt <= at),
  };
}

/**
 * Returns files with the watches through which they came to be. Skips own outputs: a scan can find the segment of a job before the transaction
 * that ends the job has stored its outputs.
 */
async function withOrigins(
  { ledger, now }: SubmitFilesDeps,
  { watch }: Round,
  files: readonly WatchedFile[],
): Promise<readonly WatchedFile[]> {
  const made = await ledger.madeFiles(watch.clientId, files);
  if (made.length === 0) return files;
  const others: WatchedFile[] = [];
  for (const file of files) {
    const origins = [...new Set([...(file.origins ?? []), ...originsOf(file, made)])];
    if (!origins.includes(watch.watchId)) others.push({ ...file, origins });
    else await ledger.update(file, { ...skipped('OWN_OUTPUT'), changedAt: now().toISOString() });
  }
  return others;
}

const skipped = (skipReason: 'OWN_OUTPUT' | 'GONE') =>
  ({ state: 'SKIPPED', skipReason, dueAt: null, failure: null }) as const;

/** Checks a file and its request. Stores what becomes of a file that cannot be submitted. undefined: it is not due any more. */
async function prepare(
  deps: SubmitFilesDeps,
  round: Round,
  file: WatchedFile,
): Promise<ReadyJob | 'failed' | 'limit' | undefined> {
  try {
    return await check(deps, round, file);
  } catch (error) {
    return isLimit(error) ? 'limit' : storeFailure(deps, round, file, error);
  }
}

async function check(
  { ledger, folders, jobs, frameOf, now }: SubmitFilesDeps,
  { watch, caller, signal, onOther }: Round,
  file: WatchedFile,
): Promise<ReadyJob | undefined> {
  const { path } = file;
  const at = now();
  const found = await folders.find(caller.root, path).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'UNAVAILABLE') return 'away' as const;
    throw error;
  });
  if (found === 'away' || found?.version !== file.version) {
    // A storage that does not answer is no failure of the file. If a file that is gone comes back with its disk, it is ready again.
    const dueAt = new Date(at.getTime() + CHANGED_MS).toISOString();
    const change = found === undefined ? skipped('GONE') : ({ state: 'READY', dueAt, failure: null } as const);
    await ledger.update(file, { ...change, changedAt: at.toISOString() });
    if (found !== 'away') onOther(path);
    return undefined;
  }
  if (parseNumberedName(baseName(path)) !== undefined) throw isPattern(path);
  const frame = needsFrame(watch.request) ? await frameOf(caller, path, signal) : undefined;
  if (needsFrame(watch.request) && frame === undefined) throw noFrame(path);
  const facts = { at, replaces: file.replaces === true, ...(frame && { frame }) };
  const request = requestForWatchedFile(watch, path, facts);
  return { file, watched: await jobs.checkWatched(caller, watch.watchId, request, signal) };
}

/** Stores why a file cannot be submitted: it is tried again later, or waits for a person. Throws errors that are about all files. */
async function storeFailure(
  { ledger, folders, now, onError }: SubmitFilesDeps,
  { caller, signal }: Round,
  file: WatchedFile,
  error: unknown,
): Promise<'failed' | undefined> {
  const failure = fileFailure(error, signal, onError);
  const at = now().toISOString();
  const attempts = file.attempts + 1;
  // A recipe rejects a request whose file was removed meanwhile.
  const isGone = failure.code === 'INVALID_REQUEST' && (await folders.find(caller.root, file.path)) === undefined;
  const mayPass = isGone || PASSING.has(failure.code);
  const change = mayPass ? afterFailure(attempts, failure, at) : ({ state: 'NEEDS_ATTENTION', failure } as const);
  const hasFailed = change.state === 'FAILED';
  await ledger.update(file, { dueAt: null, ...change, ...(hasFailed && { attempts }), changedAt: at });
  return hasFailed ? 'failed' : undefined;
}

/** ffmpeg would read other files, those that the counter stands for, and this one would be moved or deleted as converted. */
const isPattern = (path: MediaPath): Problem =>
  new Problem(
    'INVALID_REQUEST',
    `The name ${JSON.stringify(baseName(path))} stands for a sequence of numbered images.`,
    { fix: 'Rename the file, without "%".' },
  );

const noFrame = (path: MediaPath): Problem =>
  new Problem('INPUT_INVALID', `${JSON.stringify(path)} has no video, and the output has "{width}" or "{height}".`, {
    fix: 'Leave them out of "output", or choose patterns that only match videos.',
  });

/** Stores jobs. If they cannot be stored together, stores one after the other, until a limit of the client rejects one. */
async function insert(
  deps: SubmitFilesDeps,
  round: Round,
  ready: readonly ReadyJob[],
): Promise<{ readonly submitted: number; readonly isLimited: boolean }> {
  const [first] = ready;
  if (first === undefined) return { submitted: 0, isLimited: false };
  const { jobs, ledger, now, onMarked } = deps;
  const { watch, caller, signal } = round;
  const files = ready.map(({ file, watched }) => ({
    ...{ path: file.path, version: file.version, jobId: watched.job.jobId, outputs: watched.outputs },
    origins: [...new Set([...(file.origins ?? []), watch.watchId])],
  }));
  const mark: Parameters<typeof jobs.insertWatched>[1] = async (tx) => {
    const marked = await ledger.submit(tx, watch, files, now().toISOString());
    onMarked?.();
    return new Set(files.flatMap(({ path, jobId }) => (marked.has(path) ? [jobId] : [])));
  };
  try {
    const admission = await jobs.admit(caller, ready.length, 1);
    const checked = ready.map(({ watched }) => watched);
    const inserted = await runAdmitted(admission, () => jobs.insertWatched(checked, mark));
    return { submitted: inserted.length, isLimited: false };
  } catch (error) {
    signal.throwIfAborted();
    if (isStoreOutage(error)) throw error;
    if (ready.length === 1) {
      const isLimited = isLimit(error);
      if (!isLimited) await storeFailure(deps, round, first.file, error);
      return { submitted: 0, isLimited };
    }
  }
  let submitted = 0;
  for (const one of ready) {
    const alone = await insert(deps, round, [one]);
    submitted += alone.submitted;
    if (alone.isLimited) return { submitted, isLimited: true };
  }
  return { submitted, isLimited: false };
}
