import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { checkStored } from '@telecine/contract/domain/stored-files.ts';
import { RequestProbes } from '../../recipes/request-probes.ts';
import { checkBatchSize } from '../daily-quotas.ts';
import { type ReadStep, readInSteps } from '../job-reads.ts';
import type { BatchStore, IdempotencyRecord, IdempotencyStore } from '../ports/job-records.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { Transactions } from '../ports/transactions.ts';
import { type BatchRequest, checkBatch, requestField } from './check-batch.ts';
import { type DryRun, type DryRunDeps, dryRunOf } from './dry-run.ts';
import { type IdempotencyKey, type InsertDependentsDeps, insertDependents, type JobInsertion } from './insert-jobs.ts';
import { newJobId } from './new-job-id.ts';
import { type Accepted, accepted, checkSameRequest, jobOf, keysSince, type SubmitDeps } from './submit.ts';

export interface BatchSubmission {
  readonly requests: readonly BatchRequest[];
  /** The URL that is called when the batch ends. */
  readonly callbackUrl?: string;
}

/**
 * The reply to a batch. Its jobs are in the order of the requests. The fields of its warnings begin with
 * `/requests/INDEX`.
 */
export interface AcceptedBatch {
  readonly batchId: string;
  readonly jobs: readonly (Accepted & { readonly name?: string })[];
}

export interface BatchDryRun {
  readonly jobs: readonly (DryRun & { readonly name?: string })[];
}

interface SubmitBatchDeps
  extends Omit<SubmitDeps, keyof JobInsertion | 'jobs' | 'idempotency' | 'usage'>,
    InsertDependentsDeps {
  readonly transactions: Transactions;
  readonly jobs: InsertDependentsDeps['jobs'] & Pick<JobStore, 'getMany'>;
  readonly idempotency: IdempotencyStore;
  readonly batches: Pick<BatchStore, 'insert' | 'membersOf' | 'statesOf'>;
  readonly step: ReadStep;
}

/**
 * Checks requests and stores them as one batch. Stores all jobs or none. Throws INVALID_REQUEST, IDEMPOTENCY_CONFLICT,
 * QUOTA_EXCEEDED.
 */
export async function submitBatch(
  deps: SubmitBatchDeps,
  caller: Caller,
  { requests, callbackUrl }: BatchSubmission,
  idempotency?: IdempotencyKey,
): Promise<AcceptedBatch> {
  const { clientId } = caller;
  const fieldOf = (at: number): string => requestField(requests, at);
  const repeated = idempotency && (await repeatBatch(deps, caller, idempotency, fieldOf));
  if (repeated !== undefined) return repeated;
  checkBatchSize(caller, requests.length);
  await checkStored(deps.stored, caller);
  const { checked, parents, pathWarnings } = await checkBatch(deps, caller, requests, callbackUrl);
  const batchId = newJobId();
  const members = requests.map(({ name }) => ({ jobId: newJobId(), ...(name !== undefined && { name }) }));
  const jobs = checked.map((one, index) => {
    const { jobId = '', name } = members[index] ?? {};
    const after = (parents[index] ?? []).map((parent) => ({
      jobId: 'index' in parent ? (members[parent.index]?.jobId ?? '') : parent.jobId,
      field: parent.field,
    }));
    const stored = after.length > 0 ? { ...one.stored, after: after.map((parent) => parent.jobId) } : one.stored;
    const batch = { batchId, ...(name !== undefined && { name }) };
    return { ...jobOf(caller, { ...one, stored }, { jobId, batch }, deps.findWorkerNeeds?.(one)), after };
  });
  const createdAt = deps.now().toISOString();
  const stored = await deps.transactions.run(async (tx) => {
    const use = idempotency && { ...idempotency, clientId, jobId: batchId, at: createdAt };
    const earlier = use && (await deps.idempotency.insert(tx, use, keysSince(deps)));
    if (earlier !== undefined) return { earlier };
    const { waitingFor } = await insertDependents(deps, tx, jobs);
    const batch = {
      batchId,
      clientId,
      createdAt,
      size: jobs.length,
      ...(callbackUrl !== undefined && { callbackUrl }),
    };
    await deps.batches.insert(tx, batch, members);
    return { waitingFor };
  });
  if (idempotency && stored.earlier !== undefined) return replay(deps, caller, stored.earlier, idempotency, fieldOf);
  for (const { jobId } of members) deps.changes.publish({ kind: 'created', jobId, clientId });
  return {
    batchId,
    jobs: members.map((member, index) => {
      const warnings = [...(checked[index]?.plan.warnings ?? []), ...(pathWarnings[index] ?? [])];
      const waitingFor = stored.waitingFor?.get(member.jobId);
      return { ...member, ...accepted(member.jobId, { waitingFor, warnings: inBatch(warnings, fieldOf(index)) }) };
    }),
  };
}

/**
 * Returns the batch that was submitted with the same idempotency key, if there is one. `fieldOf`: returns the field of
 * the request with an index. Throws IDEMPOTENCY_CONFLICT.
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

/** Plans the requests of a batch without queuing them. Throws INVALID_REQUEST. */
export async function dryRunBatch(
  deps: DryRunDeps,
  caller: Caller,
  { requests, callbackUrl }: BatchSubmission,
  hangUp?: AbortSignal,
): Promise<BatchDryRun> {
  const probes = new RequestProbes(hangUp);
  const { checked, pathWarnings } = await checkBatch(deps, caller, requests, callbackUrl, probes);
  let size = 0;
  return {
    jobs: checked.map((one, index) => {
      const { name } = requests[index] ?? {};
      const field = requestField(requests, index);
      const warnings = inBatch([...one.plan.warnings, ...(pathWarnings[index] ?? [])], field);
      const run = { ...dryRunOf(one), ...(name !== undefined && { name }), warnings };
      size += JSON.stringify(run).length;
      if (size > MAX_DRY_RUN) throw invalidRequest([dryRunTooLarge(field, index)]);
      return run;
    }),
  };
}

/** The maximum size of the dry run of a batch, in characters: a recipe can turn a request of 60 bytes into 360 KB. */
const MAX_DRY_RUN = 4_000_000;

const dryRunTooLarge = (field: string, before: number): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `The plans of the first ${before + 1} requests together have more than ${MAX_DRY_RUN / 1e6} MB.`,
});

const inBatch = (warnings: readonly Warning[], request: string | undefined): readonly Warning[] =>
  warnings.map(({ field, ...warning }) =>
    field === undefined || request === undefined ? warning : { field: `${request}${field}`, ...warning },
  );

/**
 * Answers a repeated request with the earlier batch. Includes deleted jobs. Leaves out warnings about files, which may
 * have changed.
 */
async function replay(
  deps: Pick<SubmitBatchDeps, 'batches' | 'jobs' | 'step'>,
  { clientId }: Caller,
  earlier: IdempotencyRecord,
  idempotency: IdempotencyKey,
  fieldOf?: (index: number) => string,
): Promise<AcceptedBatch> {
  checkSameRequest(earlier, idempotency);
  const batchId = earlier.jobId;
  const [members, states] = await Promise.all([deps.batches.membersOf(batchId), deps.batches.statesOf(batchId)]);
  const byId = new Map<string, Pick<Job, 'waitingFor' | 'warnings'>>();
  for await (const jobs of readInSteps(deps, clientId, states))
    for (const { jobId, waitingFor, warnings } of jobs)
      byId.set(jobId, { ...(waitingFor && { waitingFor }), ...(warnings && { warnings }) });
  return {
    batchId,
    jobs: members.map((member, index) => {
      const { waitingFor, warnings = [] } = byId.get(member.jobId) ?? {};
      return { ...member, ...accepted(member.jobId, { waitingFor, warnings: inBatch(warnings, fieldOf?.(index)) }) };
    }),
  };
}
