import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { priorityOf } from '@telecine/contract/domain/queue-order.ts';
import { checkStored, type StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { RequestProbes } from '../../recipes/request-probes.ts';
import { dailyQuotaCheck, quotaReservation } from '../daily-quotas.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { IdempotencyRecord, IdempotencyStore, UsageStore } from '../ports/job-records.ts';
import type { JobStore } from '../ports/job-store.ts';
import { type CheckDeps, type CheckedRequest, checkRequest } from './check-request.ts';
import { type ForesightDeps, rejectAll, rejectCertainFailure } from './dry-run.ts';
import type { IdempotencyKey, JobInsertion, JobToInsert } from './insert-jobs.ts';
import type { FindWorkerNeeds } from './long-jobs.ts';
import { newJobId } from './new-job-id.ts';
import { requireParents } from './parents.ts';
import { pathWarnings } from './request-warnings.ts';

/** The reply to a submission. The job is already on disk. */
export interface Accepted {
  readonly jobId: string;
  readonly status: 'PENDING';
  /** Absent if the job waits for no other job. */
  readonly waitingFor?: readonly string[];
  readonly warnings?: readonly Warning[];
  /** Absent if the inputs were not examined before the job was queued. */
  readonly estimate?: ConversionEstimate;
}

export interface SubmitDeps extends JobInsertion, CheckDeps<SubmittedPlan> {
  readonly idempotency: Pick<IdempotencyStore, 'find'>;
  readonly jobs: Pick<JobStore, 'get' | 'getMany'>;
  readonly usage: Pick<UsageStore, 'ofDay'>;
  readonly stored: Pick<StoredFiles, 'used' | 'records'>;
  readonly now: () => Date;
  readonly changes: JobChangeSink;
  /** Absent if the database is not shared. */
  readonly findWorkerNeeds?: FindWorkerNeeds;
}

export interface SubmitOptions {
  /**
   * true: a job that would certainly fail is rejected with INVALID_REQUEST, also one whose input is missing beside a
   * file with nearly its name. Default: false, so that it is accepted with warnings.
   */
  readonly rejectsFailing?: boolean;
  /**
   * Adds details to the warnings of the reply, for example the names of similar files. Runs while the job is being
   * stored.
   */
  readonly completeWarnings?: ((warnings: readonly Warning[]) => Promise<readonly Warning[]>) | undefined;
  /** Aborted when the caller disconnects. The abort ends the probes of `rejectsFailing`. */
  readonly hangUp?: AbortSignal | undefined;
}

/**
 * The longest time for which a new job is not announced to the worker of this process, so that the reply is completed
 * first.
 */
const REPLY_FIRST_MS = 20;

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_HOURS = 24;

/** Returns the time of the oldest uses of idempotency keys that still count, in ISO 8601. */
export const keysSince = ({ now }: Pick<SubmitDeps, 'now'>): string =>
  new Date(now().getTime() - IDEMPOTENCY_HOURS * HOUR_MS).toISOString();

/** Checks a request and stores it as a queued job. Throws INVALID_REQUEST, IDEMPOTENCY_CONFLICT, QUOTA_EXCEEDED. */
export async function submitJob(
  deps: SubmitDeps,
  caller: Caller,
  request: ConversionRequest,
  {
    idempotency,
    retryOf,
    submittedBy,
    hangUp,
    foresight,
    completeWarnings,
  }: Omit<SubmitOptions, 'rejectsFailing'> & {
    readonly idempotency?: IdempotencyKey | undefined;
    readonly retryOf?: string;
    /** The client that has submitted it for `caller`. Absent: `caller` itself. */
    readonly submittedBy?: string | undefined;
    /**
     * Present: the files of the request are examined before it is queued, and the request is rejected if its job would
     * certainly fail.
     */
    readonly foresight?: (ForesightDeps & Pick<CheckDeps<Plan & SubmittedPlan>, 'planner'>) | undefined;
  } = {},
): Promise<Accepted> {
  const { clientId } = caller;
  const key = idempotency && { ...idempotency, notBefore: keysSince(deps) };
  if (key !== undefined) {
    // Look up the key before checking the request: a repeated request gets the same answer even if its files have
    // changed.
    const earlier = await deps.idempotency.find(clientId, key.key, key.notBefore);
    if (earlier !== undefined) return replay(deps, earlier, key);
  }
  const findExpected = request.after && (await requireParents(deps.jobs, caller, request.after));
  // Before a recipe probes the input, reject a client that has already used up a quota.
  await checkStored(deps.stored, caller);
  const checkQuota = await dailyQuotaCheck(deps, caller);
  checkQuota?.(0);
  // Do not examine the files of a job that waits for other jobs, because these may change the files.
  const examines = request.after === undefined ? foresight : undefined;
  const how = { findExpected, probes: examines && new RequestProbes(hangUp) };
  const examined = examines && (await checkRequest({ ...deps, planner: examines.planner }, caller, request, how));
  const checked = examined ?? (await checkRequest(deps, caller, request, how));
  const ofPaths = pathWarnings(checked);
  if (examined !== undefined) rejectAll(((await completeWarnings?.(ofPaths.filter(isMissing))) ?? []).filter(isTypo));
  const foreseen = examines && examined && (await rejectCertainFailure(examines, caller, examined, hangUp));
  const needs = deps.findWorkerNeeds?.(checked);
  const job = jobOf(caller, checked, { jobId: newJobId(), retryOf, submittedBy, idempotency: key }, needs);
  checkQuota?.(job.reservedMediaSeconds ?? 0);
  const { warnings: ofFiles = [], estimate } = foreseen ?? {};
  const shown = [...checked.plan.warnings, ...ofPaths, ...ofFiles];
  // Complete the warnings while the job is being stored, because both wait for the disk. If this fails, the job is
  // stored nevertheless.
  const completed = shown.length === 0 ? undefined : completeWarnings?.(shown).catch(() => shown);
  const { earlier, waitingFor } = await deps.insertJob(job, request.after);
  if (key !== undefined && earlier !== undefined) return replay(deps, earlier, key);
  // Announce the job after the reply is complete: the worker of this process then starts to claim, which would delay
  // the reply.
  if (completed !== undefined) await Promise.race([completed, sleep(REPLY_FIRST_MS)]);
  deps.changes.publish({ kind: 'created', jobId: job.jobId, clientId });
  const warnings = completed === undefined ? shown : await completed;
  return { ...accepted(job.jobId, { warnings, waitingFor }), ...(estimate && { estimate }) };
}

const isMissing = ({ code }: Warning): boolean => code === 'INPUT_NOT_FOUND';

/** Whether there is a file with nearly the name of a missing input. */
const isTypo = ({ near = [] }: Warning): boolean => near.length > 0;

export function jobOf(
  caller: Caller,
  { stored, plan, areFactsAssumed }: CheckedRequest<SubmittedPlan>,
  own: Pick<JobToInsert, 'jobId' | 'retryOf' | 'submittedBy' | 'batch' | 'idempotency'>,
  moreNeeds: readonly string[] = [],
): JobToInsert {
  const { lane, weight, needs } = plan.requirements;
  return {
    ...own,
    // A length that follows from assumed facts is no estimate.
    ...quotaReservation(caller, areFactsAssumed ? undefined : plan.seconds),
    clientId: caller.clientId,
    request: JSON.stringify(withKey(stored)),
    lane,
    weight,
    needs: [...needs, ...moreNeeds].toSorted(),
    priority: priorityOf(stored, caller.policy),
    metadata: stored.metadata,
    traceParent: caller.traceParent,
    warnings: plan.warnings.length > 0 ? JSON.stringify(plan.warnings) : undefined,
  };
}

const random16 = (): string => randomBytes(16).toString('hex');

/**
 * Adds a key and an initialization vector to a request that encrypts, so that all attempts use the same ones. Without a
 * vector, ffmpeg would use 0.
 */
export function withKey(request: ConversionRequest): ConversionRequest {
  const { encrypt } = request;
  if (encrypt === undefined) return request;
  const { keyUri, key = random16(), iv = random16() } = encrypt;
  return { ...request, encrypt: { keyUri, key: key.toLowerCase(), iv: iv.toLowerCase() } };
}

export const accepted = (
  jobId: string,
  {
    warnings = [],
    waitingFor = [],
  }: { readonly warnings?: readonly Warning[] | undefined; readonly waitingFor?: readonly string[] | undefined } = {},
): Accepted => ({
  jobId,
  status: 'PENDING',
  ...(waitingFor.length > 0 && { waitingFor }),
  ...(warnings.length > 0 && { warnings }),
});

/**
 * Throws IDEMPOTENCY_CONFLICT if the key was used for another request. `what`: names the job or the batch of that
 * request in the message.
 */
export function checkSameRequest(earlier: IdempotencyRecord, { bodyHash }: IdempotencyKey, what = ''): void {
  if (earlier.bodyHash !== bodyHash)
    throw new Problem(
      'IDEMPOTENCY_CONFLICT',
      `The Idempotency-Key was used for another request${what} within the last ${IDEMPOTENCY_HOURS} hours. Send a new key.`,
    );
}

/** Answers a repeated request with the earlier job. Leaves out warnings about files, which may have changed. */
async function replay(
  { jobs }: Pick<SubmitDeps, 'jobs'>,
  earlier: IdempotencyRecord,
  key: IdempotencyKey,
): Promise<Accepted> {
  const { jobId } = earlier;
  checkSameRequest(earlier, key, ` (job ${jobId})`);
  return accepted(jobId, await jobs.get(jobId));
}
