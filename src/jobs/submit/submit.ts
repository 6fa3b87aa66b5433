import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../domain/client.ts';
import { dayOf, UNKNOWN_MEDIA_SECONDS } from '../../domain/client-limits.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Job } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';
import { priorityOf } from '../../domain/priority.ts';
import { Problem } from '../../domain/problem.ts';
import { HOUR_MS } from '../../domain/quantity.ts';
import { checkStorage, type StoredFiles } from '../../domain/stored-files.ts';
import { type ApplyPreset, RequestProbes } from '../../recipes/apply-preset.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { Accepted, IdempotencyKey, SubmitOptions } from '../operations.ts';
import type { IdempotencyRecord, IdempotencyStore } from '../ports/idempotency-store.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { PathStats } from '../ports/path-stats.ts';
import type { SubmissionPlanner } from '../ports/planner.ts';
import type { UsageStore } from '../ports/usage-store.ts';
import { type ForesightDeps, rejectCertainFailure } from './certain-failures.ts';
import { type CheckCallback, checkRequest } from './check-request.ts';
import { requireParents } from './expected-paths.ts';
import type { InputTimes } from './input-times.ts';
import type { InsertedJob, JobInsertion } from './insert-job.ts';
import type { JobToInsert } from './insert-jobs.ts';
import { newJobId } from './new-job-id.ts';
import { pathWarnings } from './path-warnings.ts';
import type { ProbeForClient } from './probe-clips.ts';
import { checkQuotas, type DailyQuotas } from './reserve-quotas.ts';
import type { IsMet } from './select-fallback.ts';
import { withKey } from './with-key.ts';

export interface SubmitDeps extends JobInsertion {
  readonly idempotency: Pick<IdempotencyStore, 'find'>;
  readonly jobs: Pick<JobStore, 'get' | 'getMany'>;
  readonly planner: SubmissionPlanner;
  readonly media: PathStats;
  readonly checkCallback?: CheckCallback;
  readonly applyPreset?: ApplyPreset;
  readonly inputTimes?: InputTimes;
  /** See `checkRequest`. */
  readonly isMet?: IsMet;
  /** See `checkRequest`. */
  readonly probe?: ProbeForClient;
  readonly usage: Pick<UsageStore, 'ofDay'>;
  readonly stored: Pick<StoredFiles, 'used'>;
  readonly now: () => Date;
  readonly changes: JobChangeSink;
}

/** The longest time for which the worker of this process hears nothing of a job, because warnings of its reply are completed. */
const REPLY_FIRST_MS = 20;

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * Checks a request and stores it as a queued job. `retryOf`: the id of the job that this one retries. Throws
 * INVALID_REQUEST, IDEMPOTENCY_CONFLICT, QUOTA_EXCEEDED.
 */
export async function submitJob(
  deps: SubmitDeps,
  caller: Caller,
  request: ConversionRequest,
  options: {
    readonly idempotency?: IdempotencyKey | undefined;
    readonly retryOf?: string;
    /** See `RequestProbes`. */
    readonly hangUp?: AbortSignal | undefined;
    /** Present if the request is rejected when its job would certainly fail. */
    readonly foresight?: ForesightDeps | undefined;
    readonly completeWarnings?: SubmitOptions['completeWarnings'] | undefined;
  } = {},
): Promise<Accepted> {
  const { clientId, traceParent } = caller;
  const { idempotency, retryOf, hangUp, foresight, completeWarnings } = options;
  const notBefore = idempotency && new Date(deps.now().getTime() - IDEMPOTENCY_HOURS * HOUR_MS).toISOString();
  if (idempotency && notBefore) {
    // Look the key up before the check: a repeated request gets the same answer even if its files have changed since.
    const earlier = await deps.idempotency.find(clientId, idempotency.key, notBefore);
    if (earlier !== undefined) return replay(deps, earlier, idempotency);
  }
  const findExpected = request.after && (await requireParents(deps.jobs, caller, request.after));
  // A client at a quota is rejected before its input is probed for a recipe.
  const { storage } = caller.policy;
  if (storage !== undefined) await checkStorage(deps.stored, clientId, storage);
  const checkDailyQuotas = hasDailyQuota(caller.policy) ? await dailyQuotaCheck(deps, caller) : undefined;
  checkDailyQuotas?.(0);
  const checked = await checkRequest(deps, caller, request, {
    findExpected,
    // The recipe of a retry is applied already: it runs what the job ran.
    isApplied: retryOf !== undefined,
    probes: request.preset && new RequestProbes(hangUp),
  });
  // Jobs before this one may change the files.
  const foreseen =
    foresight === undefined || request.after !== undefined
      ? undefined
      : await rejectCertainFailure(foresight, caller, checked, hangUp);
  const { warnings, requirements, seconds } = checked.plan;
  const { quotas, reservedMediaSeconds } = quotaReservation(caller, seconds);
  checkDailyQuotas?.(reservedMediaSeconds);
  const { warnings: ofFiles = [], estimate } = foreseen ?? {};
  const shown = [...warnings, ...pathWarnings(checked), ...ofFiles];
  // Before the job is stored, because both wait for the disk. The job counts, even if this fails.
  const completed = shown.length === 0 ? undefined : completeWarnings?.(shown).catch(() => shown);
  const jobId = newJobId();
  const { lane, weight, needs } = requirements;
  const job: JobToInsert = {
    jobId,
    clientId,
    request: JSON.stringify(withKey(checked.request)),
    lane,
    weight,
    needs,
    quotas,
    reservedMediaSeconds,
    priority: priorityOf(request, caller.policy),
    retryOf,
    metadata: request.metadata,
    traceParent,
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : undefined,
    idempotency: idempotency && notBefore ? { ...idempotency, notBefore } : undefined,
  };
  const { earlier, waitingFor }: InsertedJob =
    request.after === undefined
      ? { earlier: await deps.insertJob(job) }
      : await deps.insertDependentJob(
          job,
          request.after.map((id, index) => ({ jobId: id, field: `/after/${index}` })),
        );
  if (idempotency && earlier !== undefined) return replay(deps, earlier, idempotency);
  // A worker of this process begins to claim when it hears of the job, which would delay the reply.
  if (completed !== undefined) await Promise.race([completed, sleep(REPLY_FIRST_MS)]);
  deps.changes.publish({ kind: 'created', jobId, clientId });
  const reply = accepted(jobId, completed === undefined ? shown : await completed, waitingFor);
  return estimate === undefined ? reply : { ...reply, estimate };
}

/**
 * Returns what throws QUOTA_EXCEEDED if one more job with that much media exceeds the quotas of the client. The transaction
 * checks again; but there, a client at a quota would fail the submissions of others.
 */
async function dailyQuotaCheck(
  { now, usage }: Pick<SubmitDeps, 'now' | 'usage'>,
  { clientId, policy }: Caller,
): Promise<(mediaSeconds: number) => void> {
  const quotas = dailyQuotasOf(policy);
  const at = now().toISOString();
  const used = await usage.ofDay(clientId, dayOf(at));
  return (mediaSeconds) => checkQuotas([{ clientId, quotas, mediaSeconds }], used, at);
}

const hasDailyQuota = ({ jobs, media }: Caller['policy']): boolean => jobs !== undefined || media !== undefined;

const dailyQuotasOf = ({ jobs, media }: Caller['policy']): DailyQuotas => ({
  ...(jobs !== undefined && { jobs }),
  ...(media !== undefined && { media }),
});

/** The daily quotas of a client, and what a job of it reserves. `seconds`: the longest media that it can publish, if known. */
export const quotaReservation = (
  { policy }: Caller,
  seconds: number | undefined,
): { readonly quotas: DailyQuotas | undefined; readonly reservedMediaSeconds: number } => ({
  quotas: hasDailyQuota(policy) ? dailyQuotasOf(policy) : undefined,
  reservedMediaSeconds: policy.media === undefined ? 0 : (seconds ?? UNKNOWN_MEDIA_SECONDS),
});

const accepted = (jobId: string, warnings: readonly Warning[] = [], waitingFor: readonly string[] = []): Accepted => ({
  jobId,
  status: 'PENDING',
  ...(waitingFor.length > 0 && { waitingFor }),
  ...(warnings.length > 0 && { warnings }),
});

const acceptedAs = (jobId: string, job: Job | undefined): Accepted => accepted(jobId, job?.warnings, job?.waitingFor);

/** Answers a repeated request with the earlier job. Warnings about files are not repeated: the job may have ended. */
async function replay(
  { jobs }: Pick<SubmitDeps, 'jobs'>,
  earlier: IdempotencyRecord,
  idempotency: IdempotencyKey,
): Promise<Accepted> {
  if (earlier.bodyHash === idempotency.bodyHash) return acceptedAs(earlier.jobId, await jobs.get(earlier.jobId));
  throw new Problem(
    'IDEMPOTENCY_CONFLICT',
    `The Idempotency-Key was used for another request (job ${earlier.jobId}) within the last ${IDEMPOTENCY_HOURS} hours. Send a new key.`,
  );
}
