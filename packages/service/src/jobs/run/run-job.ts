import { outputLifetime } from '@telecine/contract/domain/client-limits.ts';
import { type Failure, StorageDown } from '@telecine/contract/domain/failure.ts';
import type { Job, PhaseStart } from '@telecine/contract/domain/job.ts';
import { isMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import { commitIf, type EndJobDeps, endJob } from '../end-job.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { MeasuredConversion } from '../ports/ffmpeg.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Claim, JobClaims, JobOutcome, JobStore } from '../ports/job-store.ts';
import type { PathStat, PathStats, Scratch } from '../ports/media-store.ts';
import type { Receipts } from '../ports/receipts.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { runAttempt } from './attempt.ts';
import type { AttemptDeps, AttemptResult } from './attempt-state.ts';
import type { ClaimedJob } from './claim-jobs.ts';
import { decideOutcome, type OutcomeFacts, type Requeue } from './decide-outcome.ts';
import type { DraftJobDeps } from './draft-job.ts';
import { type AttemptTimings, type HeartbeatDeps, startHeartbeat } from './heartbeat.ts';
import { retryWhileUnavailable } from './outage-retries.ts';
import type { JobSlot } from './worker-room.ts';

export interface RunJobDeps extends AttemptDeps, Omit<HeartbeatDeps, 'isRevoked'> {
  readonly transactions: Transactions;
  readonly jobs: JobClaims & EndJobDeps['jobs'] & Pick<JobStore, 'get' | 'ticketOf' | 'liveScratch'>;
  readonly media: AttemptDeps['media'] & PathStats;
  readonly queue: JobQueue;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  readonly draining: () => boolean;
  readonly receipts: Pick<Receipts, 'keep' | 'find'>;
  /** How long a job waits for a storage that is down, in seconds. */
  readonly storageWaitSeconds: number;
  /** Aborted when a drain can no longer wait for the database. */
  readonly drainLimit: AbortSignal;
  /** Runs work after the job that needs no slot. `work` must not reject. */
  readonly inBackground: (work: () => Promise<void>) => void;
  /** Called with the seconds after which a job that failed here can be taken again. */
  readonly onRetry: (jobId: string, delaySeconds: number) => void;
  /** `takenFrom`: see `Claim`. */
  readonly onAttemptStarted: (job: Job, takenFrom: string | undefined) => void;
  /** Called after the outcome of an attempt is stored, to log it for the operator. */
  readonly onAttemptEnded: (report: AttemptReport) => void;
}

/** An attempt that has ended, for the log of the operator. */
export interface AttemptReport extends AttemptTimings {
  readonly job: Job;
  /** The new status of the job. PENDING: the job is back in the queue. */
  readonly status: JobStatus;
  /** How long the attempt took, from the claim to the stored outcome. */
  readonly seconds: number;
  /** The warnings of the run. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** Present if the attempt shows how fast this worker is. */
  readonly measured?: MeasuredConversion;
  readonly failure?: Failure;
  /** The cause of the failure. It is not shown to any caller. */
  readonly cause?: unknown;
}

/** Runs one attempt of a claimed job and stores its outcome. Frees the slot when publishing starts. Never rejects. */
export async function runJob(
  jobDeps: RunJobDeps,
  claimedJob: ClaimedJob,
  stop: AbortController,
  slot: JobSlot,
): Promise<void> {
  const deps = { ...jobDeps, clientContextOf: recentContext(jobDeps.clientContextOf) };
  const { claim, delivery } = claimedJob;
  const startMs = performance.now();
  const isRevoked = async (clientId: string) => (await deps.clientContextOf(clientId)).isRevoked === true;
  const heartbeat = startHeartbeat({ ...deps, isRevoked }, claim, delivery, stop);
  try {
    deps.onAttemptStarted(claim.job, claim.takenFrom);
    deps.failpoint('after-claim');
    await discardEarlierScratch(deps, claim);
    const result = await withReceipt(deps, claim.job, await runAttempt(deps, claim, stop.signal, heartbeat, slot));
    await heartbeat.stop();
    if (result.kind === 'stopped' && result.cause === 'lost') return await leaveLostJob(deps, claim, result.scratch);
    // Remove the files before a failure is stored: a client that reads the failure must find no files, and on a full
    // disk the write needs room. After a success, keep the folder until the outcome is stored, because crash recovery
    // needs it.
    if (result.kind !== 'completed') await discardAttemptFiles(deps, claim.job.jobId, result.scratch);
    const status = await storeOutcome(deps, claimedJob, result, heartbeat.phases());
    if (status === undefined) return await leaveLostJob(deps, claim, result.scratch);
    deps.failpoint('after-commit');
    const failure = 'failure' in result ? { failure: result.failure, cause: result.cause } : {};
    slot.release();
    const seconds = (performance.now() - startMs) / 1000;
    const found = 'warnings' in result ? { warnings: result.warnings } : {};
    const measured = result.measured === undefined ? {} : { measured: result.measured };
    deps.onAttemptEnded({ job: claim.job, status, seconds, ...heartbeat.timings(), ...found, ...measured, ...failure });
    if (result.kind === 'completed') {
      keepReceipt(deps, claim.job, result);
      await discardAttemptFiles(deps, claim.job.jobId, result.scratch);
    }
    if (areUseless(status, result)) discardChunks(deps, claim.job, 'ended');
  } catch (error) {
    // The row of the job stays PROCESSING. After its lease has expired, a worker claims the job again.
    if (error instanceof StorageDown) await uncountAttempt(deps, claim, error);
    deps.onInternalError(claim.job.jobId, error);
  } finally {
    await heartbeat.stop();
    // Release the scratch folder even if it still exists: another worker may need it, or its removal may have failed.
    await deps.media.release({ name: `${claim.job.jobId}.${claim.fence}` });
    slot.release();
  }
}

/**
 * Stores that an attempt does not count, because its published files cannot be removed while the storage is down. Does
 * nothing if the job has already waited for the storage as long as it may.
 */
async function uncountAttempt(deps: RunJobDeps, claim: Claim, { failure }: StorageDown): Promise<void> {
  const decision = decideOutcome(claim, { kind: 'outage', failure, counts: false, log: '' }, outcomeFacts(deps));
  if ('status' in decision || decision.keepAttempt || decision.storageDownSince === undefined) return;
  const { storageDownSince } = decision;
  await retryWhileUnavailable(() => deps.jobs.uncountAttempt(claim, storageDownSince), deps.drainLimit).catch(
    (error: unknown) => deps.onInternalError(claim.job.jobId, error),
  );
}

/**
 * Completes a job that fails although it was complete before: the database was restored from a backup of an earlier time,
 * so that the outputs exist, and the inputs may be gone.
 */
async function withReceipt(
  { receipts, media, clientContextOf, onInternalError }: RunJobDeps,
  { jobId, clientId }: Job,
  result: AttemptResult,
): Promise<AttemptResult> {
  if (result.kind !== 'failed' || result.failure.code === 'CANCELLED') return result;
  try {
    const receipt = await receipts.find(jobId);
    if (receipt === undefined) return result;
    const paths = receipt.outputs.map(({ path }) => path);
    const files = await media.statPaths((await clientContextOf(clientId)).root, paths.filter(isMediaPath));
    // The outputs may have been deleted or replaced since.
    const isOutput = (file: PathStat, index: number): boolean =>
      file.kind === 'file' && file.sizeBytes === receipt.outputs[index]?.sizeBytes;
    if (files.length < paths.length || !files.every(isOutput)) return result;
    const { log, scratch } = result;
    return { kind: 'completed', ...receipt, log, ...(scratch && { scratch }) };
  } catch (error) {
    onInternalError(jobId, error);
    return result;
  }
}

/** Keeps how a job has ended, without waiting for it. An analysis has no outputs that would be in the way of another run. */
function keepReceipt(
  { receipts, inBackground, onInternalError }: RunJobDeps,
  { jobId }: Job,
  { outputs, warnings }: Extract<AttemptResult, { kind: 'completed' }>,
): void {
  if (outputs.length === 0) return;
  const receipt = { outputs, ...(warnings && { warnings }) };
  inBackground(() => receipts.keep(jobId, receipt).catch((error: unknown) => onInternalError(jobId, error)));
}

const outcomeFacts = ({ draining, now, storageWaitSeconds }: RunJobDeps): OutcomeFacts => ({
  draining: draining(),
  now: now(),
  storageWaitSeconds,
});

/** Removes the scratch folders of earlier attempts, except the folder whose files a stored intent publishes. */
async function discardEarlierScratch(deps: RunJobDeps, { job, fence, intent }: Claim): Promise<void> {
  if (fence === 1) return;
  await deps.media
    .discardEarlier(job.jobId, fence, intent?.scratch)
    .catch((error) => deps.onInternalError(job.jobId, error));
}

/** Removes what no other worker needs of a job whose claim was lost. */
async function leaveLostJob(deps: RunJobDeps, { job }: Claim, scratch: Scratch | undefined): Promise<void> {
  discardChunks(deps, job, 'lost');
  await discardLostScratch(deps, job, scratch);
}

/** Removes the scratch folder after the claim was lost, unless the new worker needs it to publish a stored intent. */
async function discardLostScratch(deps: RunJobDeps, { jobId }: Job, scratch: Scratch | undefined): Promise<void> {
  if (scratch === undefined) return;
  const needed = await retryWhileUnavailable(() => deps.jobs.liveScratch(true), deps.drainLimit);
  if (!needed.includes(scratch.name)) await discardAttemptFiles(deps, jobId, scratch);
}

/**
 * Stores the outcome. Tries again while the database is unavailable. Resolves to the new status of the job, or to
 * undefined if the claim is lost.
 */
async function storeOutcome(
  deps: RunJobDeps,
  claimedJob: ClaimedJob,
  result: AttemptResult,
  phases: readonly PhaseStart[],
): Promise<JobStatus | undefined> {
  const { claim } = claimedJob;
  const { jobId, clientId } = claim.job;
  const hasStaged = phases.some(({ phase }) => phase !== 'STAGING');
  const decision = decideOutcome(claim, result, { ...outcomeFacts(deps), hasStaged });
  const store = async (): Promise<JobStatus | undefined> => {
    if ('status' in decision) {
      const { status } = decision;
      const { request } = result;
      const outcome = { ...(await withLifetime(deps, claim.job, decision)), phases, ...(request && { request }) };
      if (await endJob(deps, { ...claimedJob, outcome, log: result.log })) return status;
      if ((await deps.jobs.statusOf(claim)) !== status) return undefined;
      // An earlier run of `store` stored this outcome, but the reply to its commit was lost. Announce the end now.
      const code = 'error' in decision ? { code: decision.error.code } : {};
      deps.changes.publish({ kind: 'ended', jobId, clientId, status, ...code });
      return status;
    }
    if (decision.reason !== undefined) deps.onRetry(jobId, decision.delaySeconds);
    if (await requeueJob(deps, claimedJob, decision)) return 'PENDING';
    if ((await deps.jobs.statusOf(claim)) !== 'PENDING') return undefined;
    deps.changes.publish({ kind: 'requeued', jobId, clientId });
    return 'PENDING';
  };
  return retryWhileUnavailable(store, deps.drainLimit);
}

/** Adds to a completed outcome how long its outputs are kept, by the request and the client's current limits. */
async function withLifetime(
  { clientContextOf }: RunJobDeps,
  { request, clientId }: Job,
  outcome: JobOutcome,
): Promise<JobOutcome> {
  if (outcome.status !== 'COMPLETED' || outcome.measurements !== undefined) return outcome;
  const lifetimeSeconds = outputLifetime(request, (await clientContextOf(clientId)).policy);
  return lifetimeSeconds === undefined ? outcome : { ...outcome, lifetimeSeconds };
}

/**
 * Puts a running job back into the queue. With `needs`, only workers that meet these needs can run it. Resolves to
 * false if another worker has the job.
 */
async function requeueJob(
  { transactions, jobs, queue, changes }: RunJobDeps,
  { claim, delivery }: ClaimedJob,
  { delaySeconds, needs, ...options }: Requeue,
): Promise<boolean> {
  const { jobId, clientId } = claim.job;
  const old = needs && (await jobs.ticketOf(jobId));
  const ticket = needs && old && { ...old, needs };
  /**
   * Requeues the ticket. If the job has new needs, its ticket belongs in another queue: removes the ticket, and adds
   * one with the same position to that queue.
   */
  const requeueTicket = async (tx: Tx): Promise<boolean> => {
    if (ticket === undefined) return queue.requeue(tx, delivery, delaySeconds);
    if (!(await queue.remove(tx, delivery))) return false;
    await queue.enqueue(tx, [ticket]);
    return jobs.setNeeds(tx, claim, ticket.needs);
  };
  const requeued = await commitIf(
    transactions,
    async (tx) => (await requeueTicket(tx)) && (await jobs.requeue(tx, claim, options)),
  );
  if (requeued) changes.publish({ kind: 'requeued', jobId, clientId });
  return requeued;
}

/**
 * Removes the files of an attempt. Reports errors instead of throwing them, so that the job can end. The next start of
 * the service removes files that remain.
 */
async function discardAttemptFiles(
  { media, onInternalError }: RunJobDeps,
  jobId: string,
  scratch: Scratch | undefined,
): Promise<void> {
  if (scratch === undefined) return;
  await media.discard(scratch).catch((error) => onInternalError(jobId, error));
}

const mayHaveChunks = ({ request: { chunks = 'off' } }: Job): boolean => chunks !== 'off';

/** The failures after which the chunks of a job only take space. */
const OF_SPACE: ReadonlySet<string> = new Set(['NO_SPACE', 'LIMIT_EXCEEDED']);

/** Returns whether no retry can use the chunks of a job with this new status. */
const areUseless = (status: JobStatus, result: AttemptResult): boolean =>
  status === 'COMPLETED' ||
  status === 'CANCELLED' ||
  (status === 'FAILED' && 'failure' in result && OF_SPACE.has(result.failure.code));

/**
 * Removes the chunks of a job in the background, so that the next job need not wait for it. `state`: the job has ended,
 * or its claim was lost, so that another worker may need the chunks. Reports errors, such as that the database is away,
 * instead of throwing them: an hourly task removes what remains.
 */
function discardChunks(
  { chunked, jobs, inBackground, onInternalError }: RunJobDeps,
  job: Job,
  state: 'ended' | 'lost',
): void {
  if (chunked === undefined || !mayHaveChunks(job)) return;
  const { chunks, chunkFiles } = chunked;
  inBackground(async () => {
    try {
      const { dropChunks, dropOfLost } = await import('./chunks/remove-chunks.ts');
      await (state === 'ended'
        ? dropChunks({ chunks, chunkFiles }, job.jobId)
        : dropOfLost({ chunks, chunkFiles, jobs }, job.jobId));
    } catch (error) {
      onInternalError(job.jobId, error);
    }
  });
}

type ContextOf = DraftJobDeps['clientContextOf'];

/**
 * How long the context of a client is cached, in ms. It is half of the interval between two heartbeats, so that each
 * heartbeat reads the context again.
 */
const FRESH_MS = 500;

/**
 * Reads the context of a client at most every `FRESH_MS`. During a short job, the start, the heartbeat and the end
 * share one read.
 */
function recentContext(clientContextOf: ContextOf): ContextOf {
  let last: { readonly clientId: string; readonly atMs: number; readonly context: ReturnType<ContextOf> } | undefined;
  return async (clientId) => {
    const atMs = performance.now();
    if (last?.clientId === clientId && atMs - last.atMs < FRESH_MS) return last.context;
    const context = clientContextOf(clientId);
    last = { clientId, atMs, context };
    context.catch(() => {
      if (last?.context === context) last = undefined;
    });
    return context;
  };
}
