import { batchTooLarge } from '../../domain/batch.ts';
import type { Caller } from '../../domain/client.ts';
import type { Job } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';
import { priorityOf } from '../../domain/priority.ts';
import { Problem } from '../../domain/problem.ts';
import { HOUR_MS } from '../../domain/quantity.ts';
import { checkStorage } from '../../domain/stored-files.ts';
import type { AcceptedBatch, BatchDryRun, BatchSubmission, IdempotencyKey } from '../operations.ts';
import type { BatchStore } from '../ports/batch-store.ts';
import type { IdempotencyRecord, IdempotencyStore } from '../ports/idempotency-store.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { Transactions } from '../ports/transactions.ts';
import { type ReadStep, readInSteps } from '../read-steps.ts';
import { requestField } from './batch-order.ts';
import { checkBatch } from './check-batch.ts';
import { type DryRunDeps, dryRunOf } from './dry-run.ts';
import { type DependentJob, type InsertDependentsDeps, insertDependents } from './insert-dependents.ts';
import type { JobInsertion } from './insert-job.ts';
import { newJobId } from './new-job-id.ts';
import { IDEMPOTENCY_HOURS, quotaReservation, type SubmitDeps } from './submit.ts';
import { withKey } from './with-key.ts';

export interface SubmitBatchDeps
  extends Omit<SubmitDeps, keyof JobInsertion | 'jobs' | 'idempotency' | 'usage'>,
    InsertDependentsDeps {
  readonly transactions: Transactions;
  readonly jobs: InsertDependentsDeps['jobs'] & Pick<JobStore, 'getMany'>;
  readonly idempotency: IdempotencyStore;
  readonly batches: Pick<BatchStore, 'insert' | 'membersOf' | 'statesOf'>;
  readonly step: ReadStep;
}

/**
 * Checks requests and stores them as the jobs of one batch, all or none. Throws INVALID_REQUEST with fields that begin with
 * `/requests`, IDEMPOTENCY_CONFLICT, QUOTA_EXCEEDED.
 */
export async function submitBatch(
  deps: SubmitBatchDeps,
  caller: Caller,
  { requests, callbackUrl }: BatchSubmission,
  idempotency: IdempotencyKey | undefined,
  hangUp?: AbortSignal,
): Promise<AcceptedBatch> {
  const { clientId, traceParent } = caller;
  const notBefore = keysSince(deps);
  const fieldOf = (at: number): string => requestField(requests, at);
  const repeated = idempotency && (await repeatBatch(deps, caller, idempotency, fieldOf));
  if (repeated !== undefined) return repeated;
  const { jobs: dailyJobs } = caller.policy;
  if (dailyJobs !== undefined && requests.length > dailyJobs)
    throw batchTooLarge(requests.length, dailyJobs, 'jobs a day');
  await checkStorage(deps.stored, clientId, caller.policy.storage);
  const { checked, parents, pathWarnings } = await checkBatch(deps, caller, requests, callbackUrl, hangUp);
  const batchId = newJobId();
  const jobIds = requests.map(() => newJobId());
  const jobs = requests.map(({ name, request }, index): DependentJob => {
    const { plan, request: expanded } = checked[index] ?? {};
    if (plan === undefined || expanded === undefined) throw new Error('A request was not checked.');
    const after = (parents[index] ?? []).map((parent) => ({
      jobId: 'index' in parent ? (jobIds[parent.index] ?? '') : parent.jobId,
      field: parent.field,
    }));
    const stored = after.length > 0 ? { ...expanded, after: after.map(({ jobId }) => jobId) } : expanded;
    return {
      jobId: jobIds[index] ?? '',
      clientId,
      request: JSON.stringify(withKey(stored)),
      ...plan.requirements,
      ...quotaReservation(caller, plan.seconds),
      priority: priorityOf(request, caller.policy),
      metadata: request.metadata,
      traceParent,
      warnings: plan.warnings.length > 0 ? JSON.stringify(plan.warnings) : undefined,
      batch: { batchId, ...(name !== undefined && { name }) },
      after,
    };
  });
  const createdAt = deps.now().toISOString();
  const stored = await deps.transactions.run(async (tx) => {
    const earlier =
      idempotency &&
      (await deps.idempotency.insert(tx, { ...idempotency, clientId, jobId: batchId, at: createdAt }, notBefore));
    if (earlier !== undefined) return { earlier };
    const { waitingFor } = await insertDependents(deps, tx, jobs);
    const batch = {
      batchId,
      clientId,
      createdAt,
      size: jobs.length,
      ...(callbackUrl !== undefined && { callbackUrl }),
    };
    const members = requests.map(({ name }, index) => ({
      jobId: jobIds[index] ?? '',
      ...(name !== undefined && { name }),
    }));
    await deps.batches.insert(tx, batch, members);
    return { waitingFor };
  });
  if (idempotency && stored.earlier !== undefined) return replay(deps, caller, stored.earlier, idempotency, fieldOf);
  for (const jobId of jobIds) deps.changes.publish({ kind: 'created', jobId, clientId });
  return {
    batchId,
    jobs: requests.map(({ name }, index) => {
      const jobId = jobIds[index] ?? '';
      const waitingFor = stored.waitingFor?.get(jobId);
      const warnings = [...(checked[index]?.plan.warnings ?? []), ...(pathWarnings[index] ?? [])];
      return {
        jobId,
        status: 'PENDING',
        ...(name !== undefined && { name }),
        ...(waitingFor && { waitingFor }),
        ...(warnings.length > 0 && { warnings: inBatch(warnings, fieldOf(index)) }),
      };
    }),
  };
}

/**
 * Returns the batch that was submitted with the same key, if there is one. Throws IDEMPOTENCY_CONFLICT.
 *
 * @param fieldOf The field of the request of a job in the body. Without it, warnings have no fields.
 */
export async function repeatBatch(
  deps: Pick<SubmitBatchDeps, 'batches' | 'jobs' | 'step' | 'now'> & {
    readonly idempotency: Pick<IdempotencyStore, 'find'>;
  },
  caller: Caller,
  idempotency: IdempotencyKey,
  fieldOf?: (index: number) => string,
): Promise<AcceptedBatch | undefined> {
  const used = await deps.idempotency.find(caller.clientId, idempotency.key, keysSince(deps));
  return used && replay(deps, caller, used, idempotency, fieldOf);
}

/** From when on keys count. */
const keysSince = ({ now }: Pick<SubmitBatchDeps, 'now'>): string =>
  new Date(now().getTime() - IDEMPOTENCY_HOURS * HOUR_MS).toISOString();

/** Plans the requests of a batch without queuing them. Throws INVALID_REQUEST. */
export async function dryRunBatch(
  deps: DryRunDeps,
  caller: Caller,
  { requests, callbackUrl }: BatchSubmission,
  hangUp?: AbortSignal,
): Promise<BatchDryRun> {
  const { checked, pathWarnings } = await checkBatch(deps, caller, requests, callbackUrl, hangUp);
  return {
    jobs: checked.map((one, index) => {
      const { name } = requests[index] ?? {};
      const warnings = [...one.plan.warnings, ...(pathWarnings[index] ?? [])];
      return {
        ...dryRunOf(one),
        ...(name !== undefined && { name }),
        warnings: inBatch(warnings, requestField(requests, index)),
      };
    }),
  };
}

/** Warnings with fields of the body of the batch. */
const inBatch = (warnings: readonly Warning[], request: string | undefined): readonly Warning[] =>
  warnings.map(({ field, ...warning }) =>
    field === undefined || request === undefined ? warning : { field: `${request}${field}`, ...warning },
  );

/**
 * Answers a repeated request with the earlier batch, deleted jobs included. Warnings about files are not repeated, as for a
 * single job.
 */
async function replay(
  deps: Pick<SubmitBatchDeps, 'batches' | 'jobs' | 'step'>,
  { clientId }: Caller,
  earlier: IdempotencyRecord,
  idempotency: IdempotencyKey,
  fieldOf?: (index: number) => string,
): Promise<AcceptedBatch> {
  if (earlier.bodyHash !== idempotency.bodyHash)
    throw new Problem(
      'IDEMPOTENCY_CONFLICT',
      `The Idempotency-Key was used for another request within the last ${IDEMPOTENCY_HOURS} hours. Send a new key.`,
    );
  const batchId = earlier.jobId;
  const [members, states] = await Promise.all([deps.batches.membersOf(batchId), deps.batches.statesOf(batchId)]);
  const byId = new Map<string, Pick<Job, 'waitingFor' | 'warnings'>>();
  for await (const jobs of readInSteps(deps, clientId, states))
    for (const { jobId, waitingFor, warnings } of jobs)
      byId.set(jobId, { ...(waitingFor && { waitingFor }), ...(warnings && { warnings }) });
  return {
    batchId,
    jobs: members.map((member, index) => {
      const { waitingFor, warnings } = byId.get(member.jobId) ?? {};
      return {
        ...member,
        status: 'PENDING',
        ...(waitingFor && { waitingFor }),
        ...(warnings && { warnings: inBatch(warnings, fieldOf?.(index)) }),
      };
    }),
  };
}
