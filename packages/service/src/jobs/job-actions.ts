import { allOutputs } from '@telecine/contract/domain/all-outputs.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type Hint, hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import type { Job, JobOutput } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { priorityOf } from '@telecine/contract/domain/queue-order.ts';
import { hasKeys } from '@telecine/contract/domain/secret-options.ts';
import { isApplied, requestAsSent } from '@telecine/contract/domain/sent-request.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { WatchedFile } from '@telecine/contract/domain/watch.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import { CANCELLED_ON_REQUEST, type EndJobDeps, endQueued } from './end-job.ts';
import { authorizeFinishedJob, authorizeJob } from './job-reads.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import type { JobStore } from './ports/job-store.ts';
import type { Publishing } from './ports/media-store.ts';
import type { Transactions } from './ports/transactions.ts';
import { type DryRun, type DryRunDeps, dryRunRequest } from './submit/dry-run.ts';
import type { IdempotencyKey } from './submit/insert-jobs.ts';
import { type Accepted, type SubmitDeps, type SubmitOptions, submitJob } from './submit/submit.ts';

export interface CancelDeps extends EndJobDeps {
  readonly jobs: EndJobDeps['jobs'] & Pick<JobStore, 'get' | 'requestCancel'>;
}

/**
 * Cancels a job. A queued job ends at once. A running job is marked, and its worker then stops ffmpeg. Throws
 * JOB_NOT_FOUND, JOB_FINISHED.
 */
export async function cancelJob(deps: CancelDeps, caller: Caller, jobId: string): Promise<Job> {
  let job = await authorizeJob(deps.jobs, caller, jobId);
  // Between the read and the write, a worker may claim or requeue the job. Then read the job again and cancel it in its
  // new status.
  while (!(await tryCancel(deps, job))) job = await authorizeJob(deps.jobs, caller, jobId);
  return authorizeJob(deps.jobs, caller, jobId);
}

/** Resolves to false if the status of the job has changed since it was read. */
async function tryCancel(deps: CancelDeps, job: Job): Promise<boolean> {
  const { jobId, status } = job;
  if (isFinished(status))
    throw new Problem('JOB_FINISHED', `Job ${jobId} is ${status} and can no longer be cancelled.`);
  return (await cancelJobs(deps, [job])).length > 0;
}

/** How many jobs are cancelled in one transaction, which reads their requests. */
const CANCELLED_AT_ONCE = 100;

/** Cancels unfinished jobs: ends those that are queued, and marks those that run. Returns the jobs that it has ended or marked. */
export async function cancelJobs(
  deps: CancelDeps,
  jobs: readonly Pick<Job, 'jobId'>[],
): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]> {
  const done: Pick<Job, 'jobId' | 'clientId'>[] = [];
  for await (const part of inSteps(jobs, CANCELLED_AT_ONCE)) {
    const first = await cancelOnce(deps, part);
    const over = new Set(first.map(({ jobId }) => jobId));
    // Between the two transactions, a worker may requeue a job.
    const others = part.filter(({ jobId }) => !over.has(jobId));
    done.push(...first, ...(await cancelOnce(deps, others)));
  }
  return done;
}

/** Cancels jobs in two transactions: one ends all that are queued, the other marks all that run. */
async function cancelOnce(
  deps: CancelDeps,
  jobs: readonly Pick<Job, 'jobId'>[],
): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]> {
  const ended = await endQueued(deps, jobs, CANCELLED_ON_REQUEST);
  const over = new Set(ended.map(({ jobId }) => jobId));
  const others = jobs.flatMap(({ jobId }) => (over.has(jobId) ? [] : [jobId]));
  if (others.length === 0) return ended;
  const at = deps.now().toISOString();
  const marked = await deps.transactions.run((tx) => deps.jobs.requestCancel(tx, others, at));
  for (const { jobId, clientId } of marked) deps.changes.publish({ kind: 'cancelRequested', jobId, clientId });
  return [...ended, ...marked];
}

/** Finds what a watch knows about the file of a job of it. undefined: nothing, perhaps because the watch was deleted. */
export type WatchedFileOf = (
  watchId: string,
  jobId: string,
  path: string | undefined,
) => Promise<(WatchedFile & { readonly isPaused: boolean }) | undefined>;

/** A finished job that runs again. */
export interface RetriedJob {
  readonly job: Job;
  /** The client of the job, for which it runs again. The caller itself if that is its client. */
  readonly owner: Caller;
  /** The client that runs it again, if that is not its client. */
  readonly submittedBy?: string;
}

/**
 * What the job of a client may do, as far as the client may. The scopes of the caller do not count, because an administrator has more of them.
 * `files:read`: names of files are in the fixes of missing inputs.
 */
const OWNER_SCOPES: Caller['scopes'] = ['jobs:write', 'files:read'];

/**
 * Finds a job that runs again, and its client. Everything about the new job is decided for that client: its files, recipes, limits and quotas.
 * Throws JOB_NOT_FOUND, JOB_NOT_FINISHED, JOB_OF_WATCH, CLIENT_REVOKED, CLIENT_LACKS_SCOPE.
 */
export async function openRetry(
  deps: {
    readonly jobs: Pick<JobStore, 'get'>;
    readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
    /** Absent: no job has a watch. */
    readonly watchedFileOf?: WatchedFileOf | undefined;
  },
  caller: Caller,
  jobId: string,
): Promise<RetriedJob> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  await requireUnwatched(job, deps.watchedFileOf);
  const { clientId } = job;
  if (clientId === caller.clientId) return { job, owner: caller };
  const { traceParent } = caller;
  const owner = ownerOf(job, await deps.clientContextOf(clientId));
  return { job, owner: { ...owner, ...(traceParent !== undefined && { traceParent }) }, submittedBy: caller.clientId };
}

function ownerOf({ jobId, clientId }: Job, { root, policy, isRevoked, scopes: ofClient = [] }: ClientContext): Caller {
  const subject = `The client ${JSON.stringify(clientId)} of job ${jobId}`;
  if (isRevoked === true)
    throw new Problem('CLIENT_REVOKED', `${subject} was revoked, so the job cannot run again.`, {
      fix: 'Submit its request for another client.',
    });
  const scopes = OWNER_SCOPES.filter((scope) => allows({ scopes: ofClient }, scope));
  if (!scopes.includes('jobs:write'))
    // Not INSUFFICIENT_SCOPE, which is about the token of the caller.
    throw new Problem(
      'CLIENT_LACKS_SCOPE',
      `${subject} does not have the scope jobs:write, so the job cannot run again.`,
      { fix: 'Give the client the scope first, or submit the request for another client.' },
    );
  return { clientId, root, policy, scopes };
}

/**
 * Submits a finished job again: the same request, or `request` as a whole. Throws INVALID_REQUEST and other errors of `submitJob`.
 *
 * @param options.idempotency A key of the client of the job.
 */
export async function retryJob(
  deps: SubmitDeps,
  retried: RetriedJob,
  sent?: ConversionRequest,
  options: Pick<SubmitOptions, 'completeWarnings'> & {
    readonly idempotency?: IdempotencyKey | undefined;
  } = {},
): Promise<Accepted> {
  const { job, owner, submittedBy } = retried;
  const { request, warnings } = await requestOfRetry(deps, retried, sent);
  const accepted = await submitJob(deps, owner, request, { ...options, retryOf: job.jobId, submittedBy });
  return warnings.length > 0 ? { ...accepted, warnings: [...(accepted.warnings ?? []), ...warnings] } : accepted;
}

/** Checks what `retryJob` would submit. Throws INVALID_REQUEST. */
export async function dryRunRetry(
  deps: DryRunDeps & Pick<SubmitDeps, 'jobs'>,
  retried: RetriedJob,
  sent?: ConversionRequest,
  hangUp?: AbortSignal,
): Promise<DryRun> {
  const { request, warnings } = await requestOfRetry(deps, retried, sent);
  const run = await dryRunRequest(deps, retried.owner, request, hangUp);
  return { ...run, warnings: [...run.warnings, ...warnings] };
}

/**
 * Returns the request of a retry: `sent`, or else the request of the job. Its `after` leaves out jobs of the stored `after` that have ended or
 * are deleted. `warnings`: about left out jobs that have failed.
 */
async function requestOfRetry(
  { jobs }: { readonly jobs: Pick<JobStore, 'getMany'> },
  retried: RetriedJob,
  sent: ConversionRequest | undefined,
): Promise<{
  readonly request: ConversionRequest;
  readonly warnings: readonly Warning[];
}> {
  const { request: stored } = retried.job;
  const whole = sent === undefined ? repeatedRequest(retried) : await changedRequest(retried, sent);
  const { after = [], ...request } = whole;
  const known = after.filter((jobId) => stored.after?.includes(jobId) === true);
  const parents = await jobs.getMany(known);
  const unfinished = new Set(parents.flatMap(({ jobId, status }) => (isFinished(status) ? [] : [jobId])));
  const waitsFor = after.filter((jobId) => !known.includes(jobId) || unfinished.has(jobId));
  return {
    request: { ...request, ...(waitsFor.length > 0 && { after: waitsFor }) },
    warnings: parents.filter(({ status }) => status === 'FAILED' || status === 'CANCELLED').map(notWaitedFor),
  };
}

/**
 * The request of a job for another run, with the recipe that it had. Computes the priority again: the client may now have a lower limit than at
 * the first submission, and a retry without a body cannot change it.
 */
function repeatedRequest({ job, owner }: RetriedJob): ConversionRequest {
  const { usesFallback: _, ...request } = isApplied(job.request) ? job.request : requestAsSent(job.request);
  return { ...request, ...(request.priority !== undefined && { priority: priorityOf(request, owner.policy) }) };
}

/**
 * The request that replaces that of a job. Throws INVALID_REQUEST, also for an analysis, which has another kind of request. Throws JOB_HAS_KEYS if
 * another client than that of the job sends it: without `encrypt`, or to a plain output, it would decrypt what only the client may read.
 */
async function changedRequest({ job, submittedBy }: RetriedJob, sent: ConversionRequest): Promise<ConversionRequest> {
  const { jobId, clientId, request: stored } = job;
  if (stored.analysis !== undefined)
    throw invalidRequest([
      {
        field: '',
        code: 'NOT_A_CONVERSION',
        message: `Job ${jobId} is an analysis, so no conversion can run in its place.`,
      },
    ]);
  if (submittedBy !== undefined && hasKeys(stored))
    throw new Problem(
      'JOB_HAS_KEYS',
      `Job ${jobId} has keys ("encrypt", or an option such as "decryption_key"), so only its client ${JSON.stringify(clientId)} may change its request.`,
      { fix: 'Leave out the body to run it again as it is, or let its client send the changed request.' },
    );
  return (await import('@telecine/contract/wire/hidden-parts.ts')).keepHiddenParts(sent, stored);
}

/**
 * Throws JOB_OF_WATCH if a watch knows the file of the job: it would not know of a job that it has not submitted, and would convert the file once
 * more, or reject the outputs.
 */
async function requireUnwatched(job: Job, watchedFileOf: WatchedFileOf | undefined): Promise<void> {
  const { watchId, jobId, request } = job;
  if (watchId === undefined || watchedFileOf === undefined) return;
  const file = await watchedFileOf(watchId, jobId, request.input);
  if (file === undefined) return;
  throw new Problem(
    'JOB_OF_WATCH',
    `Job ${jobId} belongs to the watch ${watchId}, which submits the jobs of ${JSON.stringify(file.path)} itself.`,
    { fix: fixOfWatched(file) },
  );
}

function fixOfWatched({ watchId, path, state, jobId, isPaused }: WatchedFile & { readonly isPaused: boolean }): Hint {
  if (state === 'SUBMITTED' && jobId !== undefined)
    return hint`The file is being converted again: ${{ do: 'wait-for-job', jobId }}.`;
  const resume = `PATCH ${pathOf('changeWatch', { watchId })} with {"state": "ACTIVE"}`;
  if (state === 'READY')
    return isPaused
      ? `Resume the watch, which submits a new job for the file then: ${resume}.`
      : 'Wait: the watch submits a new job for the file by itself.';
  const again = hint`${{ do: 'retry-watched-file', watchId, path }}.`;
  return isPaused ? withAdvice(again, `The watch is paused, so also resume it: ${resume}.`) : again;
}

/**
 * Warns about a parent that failed or was cancelled. The retry of a job waits only for parents that can still complete.
 * It does not wait for retries of failed parents, because it does not know their ids.
 */
const notWaitedFor = ({ jobId, status }: Job): Warning => ({
  code: 'DEPENDENCY_FAILED',
  message: `The request has the job "${jobId}" in "after", but that job is ${status}. The retry waits neither for it nor for a retry of it.`,
  fix: 'If this job needs the output of that job, cancel it. Then run that job again, and send this request again with the id of the new job in "after".',
});

type OutputFile = Pick<JobOutput, 'path' | 'fingerprint'>;

/** The number of files that are deleted between two updates of the storage usage. */
const FILES_AT_ONCE = 1000;

/** Deletes a finished job, and its outputs if `outputs` is true. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED. */
export async function removeJob(
  deps: {
    readonly transactions: Transactions;
    readonly jobs: Pick<JobStore, 'get' | 'outputs' | 'remove'>;
    readonly media: Pick<Publishing, 'removeOutputs'>;
    readonly stored: Pick<StoredFiles, 'add'>;
    readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  },
  caller: Caller,
  jobId: string,
  outputs: boolean,
): Promise<void> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  // Delete the files first. If that fails, the job still exists, so the client can repeat the call.
  if (outputs && job.outputs !== undefined) {
    const { root } = await deps.clientContextOf(job.clientId);
    for await (const files of inSteps(await outputFiles(deps.jobs, job), FILES_AT_ONCE)) {
      await deps.stored.add(job.clientId, { files: -(await deps.media.removeOutputs(root, files)) });
    }
  }
  await deps.transactions.run((tx) => deps.jobs.remove(tx, jobId));
}

/**
 * Returns the files of all outputs. Call this before the first file is deleted: if another call deletes the job
 * meanwhile, its outputs can no longer be read.
 */
export async function outputFiles(jobs: Pick<JobStore, 'outputs'>, job: Job): Promise<readonly OutputFile[]> {
  const files: OutputFile[] = [];
  for await (const part of allOutputs(jobs.outputs, job))
    for (const { path, fingerprint } of part) files.push({ path, ...(fingerprint !== undefined && { fingerprint }) });
  return files;
}

/**
 * Returns the HLS key of a job, in hex. Throws NOT_FOUND if the job has no key, or if it belongs to another client:
 * even an administrator does not get the key, because it decrypts the video. Throws JOB_NOT_FOUND.
 */
export async function jobKey(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<string> {
  const { request, clientId } = await authorizeJob(jobs, caller, jobId);
  if (clientId !== caller.clientId)
    throw new Problem('NOT_FOUND', `Job ${jobId} belongs to another client, and only that client gets its key.`);
  if (request.encrypt?.key === undefined)
    throw new Problem('NOT_FOUND', `Job ${jobId} has no key: its request has no "encrypt".`);
  return request.encrypt.key;
}
