import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchedFailure, WatchedFile, WatchWait } from '@telecine/contract/domain/watch.ts';
import type { MarkFile } from '../jobs/submit/submit-watched.ts';
import { inState, timeAfter } from '../store/ledger-row.ts';
import { afterFailure, failureOf, fileProblem } from './after-job.ts';
import { originsOf } from './decide.ts';
import { fileRequest } from './file-request.ts';
import type { Round } from './watch-deps.ts';

/** How many files are submitted before other work of the watch goes on. */
const GROUP = 20;

/** How many files are checked at a time. A check can run ffprobe, which has slots of its own. */
const CHECKS_AT_ONCE = 4;

/** How far a file goes back in the order of the ready files if it has changed or cannot be reached: many of them must not keep others waiting. */
const BACK_MS = 30_000;

/** Failures that may be those of the storage or the service, and not of the file. */
const OUTAGES = ['TIMEOUT', 'STORAGE_FAULT', 'NO_SPACE', 'INTERNAL'];

/** How long files that all fail together are tried again each minute, until that counts as an attempt: a person must learn of it some time. */
const OUTAGE_MS = 3_600_000;

/** Problems that go away by themselves, and say nothing about the file: the watch waits. */
const LIMITS = ['QUOTA_EXCEEDED', 'TOO_MANY_PENDING', 'RATE_LIMITED'];

/** `files`: how many were looked at. `waitingFor`: why ready files were not submitted. `hasMore`: more may be ready. */
type Submission = { readonly files: number; readonly waitingFor?: WatchWait; readonly hasMore: boolean };

/** A file to convert. `origins`: the watches whose jobs have made the file. */
type DueFile = { readonly file: WatchedFile; readonly origins: readonly string[] };

/** Submits the jobs of files that are due, as many as the watch may have. Throws outages of the database. */
export async function submitFiles(round: Round): Promise<Submission> {
  const { ledger, watch, signal } = round;
  const at = round.now().toISOString();
  const due = await ledger.due(watch.watchId, at, GROUP);
  const files = due.length;
  if (files === 0) return { files, hasMore: false };
  const made = await ledger.madeFiles(watch.clientId, due);
  const others: DueFile[] = [];
  for (const file of due) {
    const origins = originsOf(file, made);
    // What jobs have made is looked up here too: a poll can find a segment before its job has ended, and so before it is known.
    if (!origins.includes(watch.watchId)) others.push({ file, origins: [...origins, watch.watchId] });
    else await ledger.update(file, inState('SKIPPED', at, { skipReason: 'OWN_OUTPUT' }));
  }
  const room = watch.maxUnfinished - (await ledger.count(watch.watchId, 'SUBMITTED'));
  if (others.length > 0 && room <= 0) return { files, waitingFor: 'slots', hasMore: false };
  for await (const some of inSteps(others.slice(0, room), CHECKS_AT_ONCE, signal)) {
    const ends = await Promise.all(some.map((one) => submitFile(round, one)));
    const failures = ends.filter((end) => typeof end === 'object');
    const isOutage = some.length > 1 && failures.filter(({ code }) => OUTAGES.includes(code)).length === some.length;
    for (const [index, { file }] of some.entries()) {
      const end = ends[index];
      if (typeof end === 'object') await storeFailure(round, file, end, isOutage);
    }
    if (ends.includes('limit')) return { files, waitingFor: 'quota', hasMore: false };
    if (isOutage) return { files, hasMore: false };
  }
  // A file that keeps changing is not due yet, and was only taken because no other was ready.
  return { files, hasMore: due.some(({ dueAt = '' }) => dueAt <= at) };
}

/** Stores that a file could not be submitted. `isOutage`: neither could those that were tried with it. */
async function storeFailure(
  { ledger, now }: Round,
  file: WatchedFile,
  failure: WatchedFailure,
  isOutage: boolean,
): Promise<void> {
  const at = now();
  const since = file.state === 'FAILED' ? file.changedAt : at.toISOString();
  const isAttempt = !isOutage || at.getTime() - Date.parse(since) >= OUTAGE_MS;
  const attempts = isAttempt ? file.attempts + 1 : 1;
  const change = afterFailure(attempts, failure, at.toISOString());
  await ledger.update(file, {
    ...change,
    ...(isAttempt ? change.state === 'FAILED' && { attempts } : { changedAt: since }),
  });
}

/** Checks a file and its request, and submits its job, or returns its failure. `limit`: the watch waits. */
async function submitFile(round: Round, due: DueFile): Promise<'limit' | WatchedFailure | undefined> {
  const { ledger, folders, caller, signal, onOther, onError } = round;
  const { file } = due;
  const at = round.now().toISOString();
  const goBack = () => ledger.update(file, inState('READY', at, { dueAt: timeAfter(at, BACK_MS) }));
  /** Skips a file that is gone until it comes back with its disk. A file with other content becomes ready again. */
  const putBack = async (isGone: boolean): Promise<undefined> => {
    await (isGone ? ledger.update(file, inState('SKIPPED', at, { skipReason: 'GONE' })) : goBack());
    onOther(file.path);
  };
  try {
    const found = await folders.find(caller.root, file.path);
    if (found?.version !== file.version) return await putBack(found === undefined);
    await submitJob(round, due);
  } catch (error) {
    const problem = fileProblem(error, signal, onError);
    const { code, quota, retryAfterSeconds } = problem;
    // A file that alone needs more media than the whole quota of a day never fits.
    if (LIMITS.includes(code) && (quota?.name !== 'media' || retryAfterSeconds !== undefined)) return 'limit';
    // A storage or a probe that is not available is no failure of the file.
    if (code === 'UNAVAILABLE') return void (await goBack());
    // A recipe rejects a request whose file was removed meanwhile.
    const isGone = code === 'INVALID_REQUEST' && !(await folders.find(caller.root, file.path).catch(() => file));
    return isGone ? putBack(true) : failureOf(problem);
  }
}

/** Checks the request for a file, and stores its job together with its row. Each job has a transaction of its own, so none fails with another. */
async function submitJob(round: Round, { file, origins }: DueFile): Promise<void> {
  const { ledger, jobs, now, onStep, watch, caller, signal } = round;
  const request = await fileRequest(round, watch, file.path, file.replaces);
  const mark: MarkFile = async (tx, jobId, outputs) => {
    const isMarked = await ledger.submit(tx, watch.clientId, { ...file, jobId, outputs, origins }, now().toISOString());
    onStep?.('after-watch-mark');
    return isMarked;
  };
  await jobs.submitWatched(caller, watch.watchId, request, mark, signal);
}
