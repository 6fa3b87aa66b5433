import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { Metadata } from '@telecine/contract/domain/conversion.ts';
import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { searchWords } from '@telecine/contract/domain/job-search.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { NEVER, nextTurn } from '@telecine/contract/domain/steps.ts';
import type { JobHead, JobQuery, JobSearch, JobSize, JobStore } from './ports/job-store.ts';
import type { IndexTexts } from './search-texts.ts';

export interface JobListQuery {
  readonly status?: JobStatus;
  /** Lists only jobs of this client. For another client, a caller without `admin` gets INSUFFICIENT_SCOPE. */
  readonly clientId?: string;
  /** Lists only jobs of this watch. */
  readonly watchId?: string;
  readonly metadata?: Metadata;
  /** The code of the error that the jobs must have. */
  readonly error?: FailureCode;
  /** Words that the jobs must have: see `searchWords`. */
  readonly q?: string;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string;
}

/**
 * Options of a page that is read in groups. `write` receives the jobs of each group, so that not all jobs are in memory
 * at once.
 */
type ListOptions = LongReadOptions & { readonly write: (jobs: readonly Job[]) => void };

export const canSeeAllJobs = (caller: Caller): boolean => allows(caller, 'admin');

export const isVisible = (caller: Caller, job: Job | undefined): job is Job =>
  job !== undefined && (job.clientId === caller.clientId || canSeeAllJobs(caller));

/**
 * Returns the job. Throws JOB_NOT_FOUND even if the job exists but belongs to another client, so that a caller cannot
 * find out which ids exist.
 */
export async function authorizeJob(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<Job> {
  const job = await jobs.get(jobId);
  if (!isVisible(caller, job)) throw jobNotFound(jobId);
  return job;
}

/**
 * Returns a finished job. `instead`: the sentence of the error that tells the caller what to do while the job is
 * unfinished. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED.
 */
export async function authorizeFinishedJob(
  jobs: Pick<JobStore, 'get'>,
  caller: Caller,
  jobId: string,
  instead = 'Cancel it, or wait until it has finished.',
): Promise<Job> {
  const job = await authorizeJob(jobs, caller, jobId);
  if (isFinished(job.status)) return job;
  throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${job.status}. ${instead}`);
}

export const jobNotFound = (jobId: string): Problem =>
  new Problem('JOB_NOT_FOUND', `Job ${jobId} does not exist, or it belongs to another client.`);

/** Returns the time at which an operator paused the queue. undefined: the queue is not paused. */
export type QueuePausedAt = () => Promise<string | undefined>;

/**
 * Sets `queuePaused` on queued jobs if an operator has paused the queue. Reads the state of the queue only if one of
 * the jobs is queued.
 */
export async function markPaused(pausedAt: QueuePausedAt, jobs: readonly Job[]): Promise<readonly Job[]> {
  if (!jobs.some(isQueued) || (await pausedAt()) === undefined) return jobs;
  return jobs.map((job) => (isQueued(job) ? { ...job, queuePaused: true } : job));
}

const isQueued = ({ status }: Job): boolean => status === 'PENDING';

/**
 * The maximum stored size of the jobs of one step, in bytes. Such a step takes about 1 ms. A job that is larger has a
 * step of its own.
 */
const STEP_BYTES = 64 * 1024;

const STEP_JOBS = 50;

/** How many clients can run a step at the same time. On PostgreSQL, each step occupies a connection. */
const CLIENTS_AT_ONCE = 4;

/**
 * Runs one step of a long read. Clients take turns, and other work of the process runs between the steps. If `signal`
 * is aborted, rejects with the reason of the abort.
 */
export type ReadStep = <T>(clientId: string, signal: AbortSignal, step: () => Promise<T>) => Promise<T>;

/** Creates the function that runs steps. Create it once: all long reads of a process must share it. */
export function readSteps(): ReadStep {
  const slots = fairSlots({ slots: CLIENTS_AT_ONCE, perClient: 1 });
  return (clientId, signal, step) =>
    slots(clientId, signal, async () => {
      await nextTurn();
      return step();
    });
}

/**
 * Creates the function that gives long replies their turns. A long reply is built in memory, and each client builds one
 * at a time. Clients do not wait for each other. (`LongReadOptions.requireRoom` limits the memory of all clients together.)
 */
export const replyTurns = (): ReadStep => fairSlots({ slots: Number.POSITIVE_INFINITY, perClient: 1 });

export interface LongReadOptions {
  /** An abort ends the read while it waits for its turn or for its next step. */
  readonly hangUp?: AbortSignal;
  /** Receives the sizes of the jobs before they are read. Throws if there is not enough memory for them. */
  readonly requireRoom?: (sizes: readonly JobSize[]) => void;
}

/** Splits jobs into groups that are each read in one step. Keeps the order. */
export function stepsOf(sizes: readonly JobSize[]): readonly (readonly string[])[] {
  const steps: string[][] = [];
  let [current, bytes]: [string[], number] = [[], 0];
  for (const job of sizes) {
    if (current.length > 0 && (bytes + job.bytes > STEP_BYTES || current.length === STEP_JOBS))
      [current, bytes] = [[], 0];
    if (current.length === 0) steps.push(current);
    current.push(job.jobId);
    bytes += job.bytes;
  }
  return steps;
}

/** Reads jobs for a client, in order. Reads the next group only when the consumer asks for it. Skips deleted jobs. */
export async function* readInSteps(
  { jobs, step }: { readonly jobs: Pick<JobStore, 'getMany'>; readonly step: ReadStep },
  clientId: string,
  sizes: readonly JobSize[],
  signal: AbortSignal = NEVER,
): AsyncGenerator<readonly Job[], void> {
  for (const jobIds of stepsOf(sizes)) yield await step(clientId, signal, () => readInOrder(jobs, jobIds));
}

async function readInOrder(jobs: Pick<JobStore, 'getMany'>, jobIds: readonly string[]): Promise<readonly Job[]> {
  const found = new Map((await jobs.getMany(jobIds)).map((job) => [job.jobId, job]));
  return jobIds.flatMap((jobId) => found.get(jobId) ?? []);
}

/**
 * A page ends early when its jobs reach this stored size, because the JSON of a page is built in one turn of the event
 * loop, which blocks other work.
 */
const PAGE_BYTES = 1024 * 1024;

/** How long a search looks for jobs before it replies with those that it has found, in ms. */
const SEARCH_MS = 250;

/** The cursor of a search that has found nothing yet, because the texts of the newest jobs were not stored in time. */
const BEFORE_ALL = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

export interface ListDeps {
  readonly jobs: Pick<JobStore, 'getMany' | 'search' | 'sizes' | 'heads'>;
  readonly indexTexts: IndexTexts;
  readonly step: ReadStep;
  readonly turn: ReadStep;
  readonly queuePausedAt: QueuePausedAt;
}

/**
 * Lists one page of jobs, newest first. An admin can list the jobs of one client or of all clients. Throws
 * INSUFFICIENT_SCOPE.
 */
export const listJobPage = (
  deps: ListDeps,
  caller: Caller,
  query: JobListQuery,
  options: ListOptions,
): Promise<{ readonly nextCursor?: string }> =>
  deps.turn(caller.clientId, options.hangUp ?? NEVER, () => readPage(deps, caller, query, options));

async function readPage(
  deps: ListDeps,
  caller: Caller,
  { status, clientId, watchId, metadata, error, q, limit, cursor }: JobListQuery,
  { hangUp = NEVER, requireRoom, write }: ListOptions,
): ReturnType<typeof listJobPage> {
  const { jobs, step, queuePausedAt } = deps;
  const owner = ownerOfList(caller, clientId);
  // Read one job more than the page holds, to learn whether there is a next page.
  const query = {
    limit: limit + 1,
    ...(owner !== undefined && { clientId: owner }),
    ...(status && { status }),
    ...(watchId !== undefined && { watchId }),
    ...(cursor && { before: cursor }),
  };
  const words = q === undefined ? [] : searchWords(q);
  const read = async () =>
    error === undefined
      ? { found: await jobs.sizes(query), searchedTo: undefined }
      : selectHeads(jobs, query, (head) => head.code === error);
  const { found, searchedTo } =
    metadata === undefined && words.length === 0
      ? await step(caller.clientId, hangUp, read)
      : await searchJobs(deps, caller, { ...query, ...(metadata && { metadata }), words }, hangUp);
  const sizes = firstOf(found, limit);
  requireRoom?.(sizes);
  for await (const group of readInSteps({ jobs, step }, caller.clientId, sizes, hangUp)) {
    const shown = await markPaused(queuePausedAt, group);
    // Check the status again: a job may have changed since its size was read.
    const ofStatus = status === undefined ? shown : shown.filter((job) => job.status === status);
    write(error === undefined ? ofStatus : ofStatus.filter((job) => job.error?.code === error));
  }
  const nextCursor = found.length > sizes.length ? sizes.at(-1)?.jobId : searchedTo;
  return nextCursor === undefined ? {} : { nextCursor };
}

/** How many jobs one selection looks at. */
const MAX_SEEN = 500;

/**
 * Selects up to `limit` of the next `MAX_SEEN` jobs of a list. `searchedTo`: to look at the jobs after them, pass this as
 * `before`. undefined: there are none, or `limit` jobs are found.
 */
export async function selectHeads(
  jobs: Pick<JobStore, 'heads'>,
  query: JobQuery,
  isMeant: (head: JobHead) => boolean,
): Promise<{ readonly found: readonly JobHead[]; readonly searchedTo: string | undefined }> {
  const seen = await jobs.heads({ ...query, limit: MAX_SEEN });
  const found = seen.filter(isMeant).slice(0, query.limit);
  const isMore = found.length < query.limit && seen.length === MAX_SEEN;
  return { found, searchedTo: isMore ? seen.at(-1)?.jobId : undefined };
}

/** Returns the client whose jobs are listed. undefined: all clients. Throws INSUFFICIENT_SCOPE. */
export function ownerOfList(caller: Caller, clientId: string | undefined): string | undefined {
  if (canSeeAllJobs(caller)) return clientId;
  if (clientId === undefined || clientId === caller.clientId) return caller.clientId;
  throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the jobs of other clients.', {
    scopes: ['admin'],
  });
}

/**
 * Searches jobs until there are enough, or the time is over. `searchedTo`: to continue the search, pass this as
 * `before`.
 */
async function searchJobs(
  { jobs, step, indexTexts }: ListDeps,
  caller: Caller,
  query: JobSearch,
  hangUp: AbortSignal,
): Promise<{ readonly found: readonly JobSize[]; readonly searchedTo: string | undefined }> {
  const end = performance.now() + SEARCH_MS;
  const isFirst = query.before === undefined || query.before === BEFORE_ALL;
  // Do not search before the newest jobs can be found: they would be missing in the result.
  if (isFirst && query.words?.length !== 0 && !(await indexTexts(SEARCH_MS)))
    return { found: [], searchedTo: BEFORE_ALL };
  const found: JobSize[] = [];
  for (let before = query.before; ; ) {
    const next = { ...query, limit: query.limit - found.length, ...(before !== undefined && { before }) };
    const { jobs: more, searchedTo } = await step(caller.clientId, hangUp, () => jobs.search(next));
    found.push(...more);
    if (searchedTo === undefined || found.length === query.limit) return { found, searchedTo };
    if (performance.now() >= end) return { found, searchedTo };
    before = searchedTo;
  }
}

/** Returns the first jobs that fit on a page, but at least one job. */
function firstOf(sizes: readonly JobSize[], limit: number): readonly JobSize[] {
  let bytes = 0;
  const end = sizes.findIndex((job, index) => {
    bytes += job.bytes;
    return index === limit || (index > 0 && bytes > PAGE_BYTES);
  });
  return end === -1 ? sizes : sizes.slice(0, end);
}
