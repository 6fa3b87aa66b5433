import { baseName } from '@telecine/contract/domain/media-path.ts';
import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchedFailure, WatchedFile, WatchWait } from '@telecine/contract/domain/watch.ts';
import { runAdmitted } from '../jobs/submit/pending-quota.ts';
import type { MarkFile } from '../jobs/submit/submit-watched.ts';
import { afterFailure, failureOf, fileProblem } from './after-job.ts';
import { originsOf, skipped } from './decide.ts';
import { needsFrame, requestForWatchedFile } from './file-request.ts';
import type { Round, WatchDeps } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

/** How many files are submitted before other work of the watch goes on. */
const GROUP = 20;

/** How many files are checked at a time. A check can run ffprobe, which has slots of its own. */
const CHECKS_AT_ONCE = 4;

/** How far a file goes back in the order of the ready files if it has changed or cannot be reached: many of them must not keep others waiting. */
const BACK_MS = 30_000;

/** Failures that may be those of the storage or the service, and not of the file. */
const OUTAGES: ReadonlySet<string> = new Set(['TIMEOUT', 'STORAGE_FAULT', 'NO_SPACE', 'INTERNAL']);

/** How long files that all fail together are tried again each minute, until that counts as an attempt: a person must learn of it some time. */
const OUTAGE_MS = 3_600_000;

/** Problems that go away by themselves, and say nothing about the file: the watch waits. */
const LIMITS: ReadonlySet<string> = new Set(['QUOTA_EXCEEDED', 'TOO_MANY_PENDING', 'RATE_LIMITED']);

/** `files`: how many were looked at. `waitingFor`: why ready files were not submitted. `hasMore`: more may be ready. */
type Submission = { readonly files: number; readonly waitingFor?: WatchWait; readonly hasMore: boolean };

/** Submits the jobs of files that are due, as many as the watch may have. Throws outages of the database. */
export async function submitFiles(deps: WatchDeps, round: Round): Promise<Submission> {
  const { ledger } = deps;
  const { watch, signal } = round;
  const at = deps.now().toISOString();
  const due = await ledger.due(watch.watchId, at, GROUP);
  if (due.length === 0) return { files: 0, hasMore: false };
  const made = await ledger.madeFiles(watch.clientId, due);
  const others: { readonly file: WatchedFile; readonly origins: readonly string[] }[] = [];
  for (const file of due) {
    const origins = originsOf(file, made);
    // What jobs have made is looked up here too: a poll can find a segment before its job has ended, and so before it is known.
    if (!origins.includes(watch.watchId)) others.push({ file, origins: [...origins, watch.watchId] });
    else await ledger.update(file, { ...notConverted('OWN_OUTPUT'), changedAt: at });
  }
  const room = others.length === 0 ? 0 : watch.maxUnfinished - (await ledger.count(watch.watchId, 'SUBMITTED'));
  if (room <= 0) return { files: due.length, ...(others.length > 0 ? SLOTS : { hasMore: true }) };
  const tried = others.slice(0, room);
  for await (const some of inSteps(tried, CHECKS_AT_ONCE, signal)) {
    const ends = await Promise.all(some.map(({ file, origins }) => submitFile(deps, round, file, origins)));
    const failed = ends.filter((end) => typeof end === 'object');
    const isOutage =
      failed.length > 1 && failed.length === some.length && failed.every(({ code }) => OUTAGES.has(code));
    for (const [at, failure] of ends.entries())
      if (typeof failure === 'object') await storeFailure(deps, some[at]?.file as WatchedFile, failure, isOutage);
    if (ends.includes('limit')) return { files: due.length, waitingFor: 'quota', hasMore: false };
    if (isOutage) return { files: due.length, hasMore: false };
  }
  // A file that keeps changing is not due yet, and was only taken because no other was ready.
  return { files: due.length, hasMore: tried.some(({ file }) => (file.dueAt ?? '') <= at) };
}

/** Stores that a file could not be submitted. `isOutage`: neither could those that were tried with it. */
async function storeFailure(
  { ledger, now }: WatchDeps,
  file: WatchedFile,
  failure: WatchedFailure,
  isOutage: boolean,
): Promise<void> {
  const at = now().toISOString();
  const hasFailed = file.state === 'FAILED';
  const isNoAttempt = isOutage && !(hasFailed && Date.parse(at) - Date.parse(file.changedAt) >= OUTAGE_MS);
  const attempts = isNoAttempt ? 1 : file.attempts + 1;
  const change = afterFailure(attempts, failure, at);
  const kept = isNoAttempt ? hasFailed && { changedAt: file.changedAt } : change.state === 'FAILED' && { attempts };
  await ledger.update(file, { ...change, ...kept });
}

/** A file that is not converted is not due either. */
const notConverted = (reason: Parameters<typeof skipped>[0]) => ({ ...skipped(reason), dueAt: null, failure: null });

const SLOTS = { waitingFor: 'slots', hasMore: false } as const;

const later = (at: string) =>
  ({ state: 'READY', dueAt: new Date(Date.parse(at) + BACK_MS).toISOString(), failure: null }) as const;

/** Checks a file and its request, and submits its job, or returns its failure. `limit`: the watch waits. */
async function submitFile(
  deps: WatchDeps,
  round: Round,
  file: WatchedFile,
  origins: readonly string[],
): Promise<'limit' | WatchedFailure | undefined> {
  const { ledger, folders, now } = deps;
  const { caller, signal, onOther } = round;
  const at = now().toISOString();
  // If a file that is gone comes back with its disk, it is ready again.
  const putBack = async (found: FoundFile | undefined): Promise<undefined> => {
    await ledger.update(file, { ...(found ? later(at) : notConverted('GONE')), changedAt: at });
    onOther(file.path);
  };
  try {
    const found = await folders.find(caller.root, file.path);
    if (found?.version === file.version) return void (await submitJob(deps, round, file, origins));
    return await putBack(found);
  } catch (error) {
    const problem = fileProblem(error, signal, deps.onError);
    const { code, quota, retryAfterSeconds } = problem;
    // A file that alone needs more media than the whole quota of a day never fits.
    if (LIMITS.has(code) && (quota?.name !== 'media' || retryAfterSeconds !== undefined)) return 'limit';
    // A storage or a probe that is not available is no failure of the file.
    if (code === 'UNAVAILABLE') return void (await ledger.update(file, { ...later(at), changedAt: at }));
    // A recipe rejects a request whose file was removed meanwhile.
    const isGone = code === 'INVALID_REQUEST' && !(await folders.find(caller.root, file.path).catch(() => file));
    if (isGone) return await putBack(undefined);
    return failureOf(problem);
  }
}

/** Checks the request for a file, and stores its job together with its row. Each job has a transaction of its own, so none fails with another. */
async function submitJob(
  { ledger, jobs, frameOf, now, onStep }: WatchDeps,
  { watch, caller, signal }: Round,
  file: WatchedFile,
  origins: readonly string[],
): Promise<void> {
  const { path, version } = file;
  const { watchId, request } = watch;
  // ffmpeg would read other files, those that the counter stands for, and this one would be moved or deleted as converted.
  if (parseNumberedName(baseName(path)) !== undefined)
    throw new Problem('INVALID_REQUEST', `The name ${JSON.stringify(baseName(path))} stands for numbered images.`, {
      fix: 'Rename the file, without "%".',
    });
  const frame = needsFrame(request) ? await frameOf(caller, path, signal) : undefined;
  if (needsFrame(request) && frame === undefined)
    throw new Problem('INPUT_INVALID', `${JSON.stringify(path)} has no video for "{width}" or "{height}".`, {
      fix: 'Leave them out of "output", or choose patterns that only match videos.',
    });
  const filled = requestForWatchedFile(watch, path, { at: now(), frame, replaces: file.replaces === true });
  const admission = await jobs.admit(caller, 1, 1);
  const mark: MarkFile = async (tx, jobId, outputs) => {
    const submission = { watchId, path, version, jobId, outputs, origins };
    const isMarked = await ledger.submit(tx, watch.clientId, submission, now().toISOString());
    onStep?.('after-watch-mark');
    return isMarked;
  };
  await runAdmitted(admission, () => jobs.submitWatched(caller, watchId, filled, mark, signal));
}
