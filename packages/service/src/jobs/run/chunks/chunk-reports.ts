import type { Job } from '@telecine/contract/domain/job.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import type { ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { Delivery, JobQueue } from '../../ports/job-queue.ts';
import type { JobStore } from '../../ports/job-store.ts';

/**
 * After how many seconds without a report the worker of a chunk counts as lost. A lease lasts 15 s, and after an outage
 * of the database a worker may need 8 s to report again.
 */
export const LOST_SECONDS = 23;

/** The same for a sample. A sample is short, and an idle worker would otherwise wait for it. So two workers may try the same sample. */
export const LOST_SAMPLE_SECONDS = 5;

/** How often a worker reports the progress of a chunk, and learns whether it still has it. */
const REPORT_MS = 1000;

/** The age at which a lease is renewed. A lease lasts 15 s. */
const RENEWAL_MS = 5000;

interface ReportDeps {
  readonly chunks: Pick<ChunkStore, 'progress'>;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly queue: Pick<JobQueue, 'renewLease'>;
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/**
 * Reports the progress of a chunk every second, and renews the lease of its ticket. Aborts `stop` if another worker has
 * the chunk, or if the job does not need it any more.
 *
 * @param isWaiting Whether the chunk is a sample whose input is not here yet. Until `setDone` is called, it has no reports, so that the worker of
 *   the job tries it instead of waiting for a copy.
 */
export function startReports(
  { chunks, jobs, queue, onInternalError }: ReportDeps,
  claim: ChunkClaim,
  delivery: Delivery,
  stop: AbortController,
  isWaiting = false,
) {
  const { jobId } = claim.chunk;
  let doneSeconds = isWaiting ? undefined : 0;
  let renewedAt = performance.now();
  const report = shareRunning(async (): Promise<void> => {
    try {
      if (performance.now() - renewedAt >= RENEWAL_MS) {
        if (!(await queue.renewLease(delivery))) return stop.abort('lost');
        renewedAt = performance.now();
      }
      const isWanted =
        doneSeconds === undefined ? isRunning(await jobs.get(jobId)) : await chunks.progress(claim, doneSeconds);
      if (!isWanted) stop.abort('lost');
    } catch (error) {
      // Even an expired lease can be renewed until another worker takes the ticket.
      onInternalError(jobId, error);
    }
  });
  const timer = setInterval(report, REPORT_MS);
  return {
    setDone: (seconds: number): void => {
      doneSeconds = seconds;
    },
    /** Stops the reports. Resolves when the last write has ended. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await report.started();
    },
  };
}

const isRunning = (job: Job | undefined): boolean =>
  job !== undefined && !isFinished(job.status) && job.cancelRequestedAt === undefined;
