import { REQUEST_LIMITS } from '../../domain/conversion.ts';
import { type FieldError, invalidRequest } from '../../domain/problem.ts';
import { parentErrors, tooManyDependents } from '../dependencies/parents.ts';
import type { Dependency, DependencyStore, IdempotencyRecord } from '../ports/job-records.ts';
import type { Tx } from '../ports/transactions.ts';
import { type InsertJobsDeps, insertJobs, type JobToInsert } from './insert-jobs.ts';

/** A job to insert, with the jobs of its `after`. */
export interface DependentJob extends JobToInsert {
  readonly after: readonly { readonly jobId: string; readonly field: string }[];
}

export interface InsertDependentsDeps extends InsertJobsDeps {
  readonly dependencies: Pick<DependencyStore, 'lockParents' | 'countDependents' | 'add'>;
}

export interface InsertedDependents {
  /** For each job: the earlier use of its idempotency key, or undefined. */
  readonly earlier: readonly (IdempotencyRecord | undefined)[];
  /** What each job waits for. */
  readonly waitingFor: ReadonlyMap<string, readonly string[]>;
}

/**
 * Stores jobs that may wait for others. A parent that is complete counts as done. Parents cannot end between this check and
 * the commit, so none is missed. Throws INVALID_REQUEST if a parent has failed or was deleted since the request was checked.
 */
export async function insertDependents(
  deps: InsertDependentsDeps,
  tx: Tx,
  jobs: readonly DependentJob[],
): Promise<InsertedDependents> {
  const own = new Set(jobs.map(({ jobId }) => jobId));
  const stored = [...new Set(jobs.flatMap(({ after }) => after.map(({ jobId }) => jobId)))].filter(
    (jobId) => !own.has(jobId),
  );
  // Before the ranks, which lock the client: the end of a parent has its row locked when it needs a rank.
  const parents = stored.length === 0 ? [] : await deps.dependencies.lockParents(tx, stored);
  const parentOf = new Map(parents.map((parent) => [parent.jobId, parent]));
  const errors: FieldError[] = [];
  const waitingFor = new Map<string, readonly string[]>();
  for (const { jobId, clientId, after } of jobs) {
    const unfinished = new Set<string>();
    for (const { jobId: parentId, field } of after) {
      const parent = parentOf.get(parentId);
      if (!own.has(parentId))
        errors.push(...parentErrors(parentId, parent?.clientId === clientId ? parent.status : undefined, field));
      if (parent?.status !== 'COMPLETED') unfinished.add(parentId);
    }
    if (unfinished.size > 0) waitingFor.set(jobId, [...unfinished]);
  }
  const dependencies = [...waitingFor].flatMap(([jobId, parentIds]) =>
    parentIds.map((parentId) => ({ jobId, parentId })),
  );
  errors.push(...(await limitErrors(deps, tx, dependencies, jobs)));
  if (errors.length > 0) throw invalidRequest(errors);
  const rows = jobs.map(({ after: _, ...job }) => {
    const waits = waitingFor.get(job.jobId);
    return waits === undefined ? job : { ...job, waitingFor: waits };
  });
  const earlier = await insertJobs(deps, tx, rows);
  const added = new Set(jobs.flatMap(({ jobId }, index) => (earlier[index] === undefined ? [jobId] : [])));
  await deps.dependencies.add(
    tx,
    dependencies.filter(({ jobId }) => added.has(jobId)),
  );
  return { earlier, waitingFor };
}

/** The errors for parents that too many jobs would wait for, those of this transaction included. */
async function limitErrors(
  deps: InsertDependentsDeps,
  tx: Tx,
  dependencies: readonly Dependency[],
  jobs: readonly DependentJob[],
): Promise<readonly FieldError[]> {
  const added = Map.groupBy(dependencies, ({ parentId }) => parentId);
  if (added.size === 0) return [];
  const stored = await deps.dependencies.countDependents(tx, [...added.keys()]);
  return [...added].flatMap(([parentId, { length }]) => {
    if ((stored.get(parentId) ?? 0) + length <= REQUEST_LIMITS.dependents) return [];
    const first = jobs.flatMap(({ after }) => after).find(({ jobId }) => jobId === parentId);
    return [tooManyDependents(parentId, first?.field ?? '')];
  });
}
