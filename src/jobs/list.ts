import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { canSeeAllJobs } from './authorize-job.ts';
import type { JobListQuery, ListOptions } from './operations.ts';
import type { JobSize, JobStore } from './ports/job-store.ts';
import { markPaused, type QueuePausedAt } from './queue-pause.ts';
import { NEVER, type ReadStep, readInSteps } from './read-steps.ts';

/** The stored bytes at which a page ends before its `limit`: its JSON is made in one turn of the event loop. */
const PAGE_BYTES = 1024 * 1024;

export interface ListDeps {
  readonly jobs: Pick<JobStore, 'getMany' | 'search' | 'sizes'>;
  readonly step: ReadStep;
  readonly turn: ReadStep;
  readonly queuePausedAt: QueuePausedAt;
}

/**
 * Lists one page of the caller's jobs, or for an admin of those of one client or of all, newest first. The cursor is the id of a job.
 * Throws INSUFFICIENT_SCOPE.
 */
export async function listJobPage(
  deps: ListDeps,
  caller: Caller,
  query: JobListQuery,
  options: ListOptions,
): Promise<{ readonly nextCursor?: string }> {
  return deps.turn(caller.clientId, options.hangUp ?? NEVER, () => readPage(deps, caller, query, options));
}

async function readPage(
  { jobs, step, queuePausedAt }: ListDeps,
  caller: Caller,
  { status, clientId, metadata, limit, cursor }: JobListQuery,
  { hangUp = NEVER, reserve, write }: ListOptions,
): ReturnType<typeof listJobPage> {
  const seesAll = canSeeAllJobs(caller);
  if (clientId !== undefined && clientId !== caller.clientId && !seesAll)
    throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the jobs of other clients.', {
      scopes: ['admin'],
    });
  const owner = seesAll ? clientId : caller.clientId;
  // Request one job more than the page holds, to learn whether there is a next page.
  const query = {
    limit: limit + 1,
    ...(owner !== undefined && { clientId: owner }),
    ...(status && { status }),
    ...(cursor && { before: cursor }),
  };
  const { jobs: found, searchedTo } = await step(caller.clientId, hangUp, async () =>
    metadata === undefined
      ? { jobs: await jobs.sizes(query), searchedTo: undefined }
      : jobs.search({ ...query, metadata }),
  );
  const sizes = firstOf(found, limit);
  reserve?.(sizes);
  for await (const read of readInSteps({ jobs, step }, caller.clientId, sizes, hangUp)) {
    const shown = await markPaused(queuePausedAt, read);
    // A job may have changed since its size was read.
    write(status === undefined ? shown : shown.filter((job) => job.status === status));
  }
  const nextCursor = found.length > sizes.length ? sizes.at(-1)?.jobId : searchedTo;
  return nextCursor === undefined ? {} : { nextCursor };
}

/** The first jobs that fit on a page: at least one. */
function firstOf(sizes: readonly JobSize[], limit: number): readonly JobSize[] {
  let bytes = 0;
  const end = sizes.findIndex((job, index) => {
    bytes += job.bytes;
    return index === limit || (index > 0 && bytes > PAGE_BYTES);
  });
  return end === -1 ? sizes : sizes.slice(0, end);
}
