import type { Caller } from '@telecine/contract/domain/client.ts';
import { firstIdAt } from '@telecine/contract/domain/id-order.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  type ChangedJob,
  JOB_ACTIONS,
  type JobAction,
  type JobSelection,
} from '@telecine/contract/domain/job-selection.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { commitIf, endQueued } from './end-job.ts';
import { type CancelDeps, cancelJobs, outputFiles } from './job-actions.ts';
import { ownerOfList, type ReadStep, selectHeads } from './job-reads.ts';
import type { OutputExpiries } from './ports/job-records.ts';
import type { JobHead, JobQuery, JobStore } from './ports/job-store.ts';

interface SelectDeps {
  readonly jobs: Pick<JobStore, 'heads'>;
  readonly step: ReadStep;
}

export interface SelectedJobs {
  readonly jobs: readonly JobHead[];
  readonly nextCursor?: string;
}

/**
 * Selects a page of jobs with which an action can be done, newest first, so a job comes before those that it waits for.
 * Throws INVALID_REQUEST, INSUFFICIENT_SCOPE.
 */
export async function selectJobs(
  { jobs, step }: SelectDeps,
  caller: Caller,
  action: JobAction,
  { status, clientId, error, from, to, cursor, limit }: JobSelection,
): Promise<SelectedJobs> {
  const owner = ownerOfList(caller, clientId);
  // A cancelled job is retried only if the selection says so.
  const statuses = status === undefined && action === 'retry' ? (['FAILED'] as const) : statusesOf(action, status);
  const before = cursor ?? (to === undefined ? undefined : firstIdAt(to));
  const query = { limit: limit + 1, ...(owner !== undefined && { clientId: owner }), ...(before && { before }) };
  const first = from === undefined ? '' : firstIdAt(from);
  const isMeant = (head: JobHead): boolean =>
    head.jobId >= first &&
    (error === undefined || head.code === error) &&
    !(action === 'retry' && head.isRetried) &&
    !(action === 'expire' && head.isExpired);
  const pages = await step(caller.clientId, NEVER, () =>
    Promise.all(statuses.map((one) => selectHeads(jobs, { ...query, status: one }, isMeant))),
  );
  // If only a part of a list was searched, the rest may contain more.
  const ends = pages.flatMap(({ searchedTo = '' }) => (searchedTo > first ? [searchedTo] : []));
  const end = ends.toSorted().at(-1);
  const all = pages.flatMap(({ found }) => found).toSorted((a, b) => (a.jobId > b.jobId ? -1 : 1));
  const visible = end === undefined ? all : all.filter(({ jobId }) => jobId >= end);
  const page = visible.slice(0, limit);
  const nextCursor = visible.length > limit ? page.at(-1)?.jobId : end;
  return { jobs: page, ...(nextCursor !== undefined && { nextCursor }) };
}

function statusesOf(action: JobAction, status: JobStatus | undefined): readonly JobStatus[] {
  const allowed: readonly JobStatus[] = JOB_ACTIONS[action];
  if (status === undefined || allowed.includes(status)) return status === undefined ? allowed : [status];
  throw invalidRequest([
    {
      field: '/status',
      code: 'INVALID_VALUE',
      message: `"${action}" does nothing with jobs that are ${status}, only with those that are ${allowed.join(' or ')}.`,
    },
  ]);
}

export interface ChangeDeps extends CancelDeps {
  readonly jobs: CancelDeps['jobs'] & Pick<JobStore, 'getMany' | 'outputs'>;
  readonly step: ReadStep;
  readonly expiries: Pick<OutputExpiries, 'expire'>;
  /**
   * Submits a job of the caller or, for an administrator, of another client again. `lastRetry`: the retry that it must
   * not repeat. Returns the id of the new job.
   */
  readonly retry: (caller: Caller, job: Pick<JobHead, 'jobId' | 'lastRetry'>) => Promise<string>;
}

/**
 * Does an action with selected jobs. Jobs that have changed meanwhile, so that it is not possible, are left out, and
 * those to which `hangUp` comes first.
 */
export async function changeJobs(
  deps: ChangeDeps,
  caller: Caller,
  action: JobAction,
  jobs: readonly Pick<JobHead, 'jobId' | 'clientId' | 'lastRetry'>[],
  hangUp: AbortSignal = NEVER,
): Promise<readonly ChangedJob[]> {
  if (action === 'cancel') return cancelJobs(deps, jobs);
  const changed: ChangedJob[] = [];
  for (const job of jobs) {
    if (hangUp.aborted) break;
    const { jobId, clientId } = job;
    if (action === 'expire') {
      if (await expireJob(deps, caller, job)) changed.push({ jobId, clientId });
      continue;
    }
    try {
      changed.push({ jobId, clientId, retriedAs: await deps.retry(caller, job) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      changed.push({ jobId, clientId, error: { code: error.code, message: error.message } });
    }
  }
  return changed;
}

async function expireJob(
  { jobs, expiries, transactions, step, now }: ChangeDeps,
  { clientId: callerId }: Caller,
  { jobId, clientId }: Pick<Job, 'jobId' | 'clientId'>,
): Promise<boolean> {
  const expire = (files?: Awaited<ReturnType<typeof outputFiles>>): Promise<boolean> =>
    commitIf(transactions, (tx) => expiries.expire(tx, { jobId, clientId }, now().toISOString(), files));
  if (await expire()) return true;
  const files = await step(callerId, NEVER, async () => {
    const [job] = await jobs.getMany([jobId]);
    return job?.outputs && outputFiles(jobs, job);
  });
  return files !== undefined && expire(files);
}

/** Ends all queued jobs of a revoked client, in pages. */
export async function endQueuedOf(
  deps: CancelDeps & SelectDeps,
  clientId: string,
  error: Parameters<typeof endQueued>[2],
): Promise<void> {
  // Go on before the last page: a database may still pass by the entries of ended jobs when it looks for queued ones.
  for (let query: JobQuery = { clientId, status: 'PENDING', limit: PAGE }; ; ) {
    const jobs = await deps.step(clientId, NEVER, () => deps.jobs.heads(query));
    const last = jobs.at(-1);
    if (last === undefined) return;
    await endQueued(deps, jobs, error);
    query = { ...query, before: last.jobId };
  }
}

const PAGE = 500;
