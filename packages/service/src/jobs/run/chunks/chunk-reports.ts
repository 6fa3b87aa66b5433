import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { Delivery, JobQueue } from '../../ports/job-queue.ts';

/**
 * After how many seconds without a report the worker of a chunk counts as lost. A lease lasts 15 s, and after an outage
 * of the database a worker may need 8 s to report again.
 */
export const LOST_SECONDS = 23;

/** How often a worker reports the progress of a chunk, and learns whether it still has it. */
const REPORT_MS = 1000;

/** The age at which a lease is renewed. A lease lasts 15 s. */
const RENEWAL_MS = 5000;

interface ReportDeps {
  readonly chunks: Pick<ChunkStore, 'progress'>;
  readonly queue: Pick<JobQueue, 'renewLease'>;
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/**
 * Reports the progress of a chunk every second, and renews the lease of its ticket. Aborts `stop` if another worker has
 * the chunk, or if the job does not need it any more.
 */
export function startReports(deps: ReportDeps, claim: ChunkClaim, delivery: Delivery, stop: AbortController) {
  let doneSeconds = 0;
  let renewedAt = performance.now();
  const report = shareRunning(async (): Promise<void> => {
    try {
      if (performance.now() - renewedAt >= RENEWAL_MS) {
        if (!(await deps.queue.renewLease(delivery))) return stop.abort('lost');
        renewedAt = performance.now();
      }
      if (!(await deps.chunks.progress(claim, doneSeconds))) stop.abort('lost');
    } catch (error) {
      // Even an expired lease can be renewed until another worker takes the ticket.
      deps.onInternalError(claim.chunk.jobId, error);
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
