import { AttemptDeferred, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { fileInputs } from '@telecine/contract/domain/plan.ts';
import { commitIf } from '../end-job.ts';
import type { ChunkClaim, ChunkStore } from '../ports/chunk-store.ts';
import type { Delivery, JobQueue } from '../ports/job-queue.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { InputStaging, ScratchSpace } from '../ports/media-store.ts';
import type { Transactions } from '../ports/transactions.ts';
import { checkInputSize, fetchDeadline } from '../run/attempt-failures.ts';
import { type PlanJobDeps, planJob } from '../run/attempt-plan.ts';
import type { ClaimedChunk } from '../run/claim-jobs.ts';
import { retryWhileUnavailable } from '../run/outage-retries.ts';
import type { JobSlot } from '../run/worker-room.ts';
import { readTask } from './chunk-task.ts';
import { type EncodeDeps, encodeChunk } from './encode-chunk.ts';

export interface RunChunkDeps extends EncodeDeps, PlanJobDeps {
  readonly transactions: Transactions;
  readonly queue: Pick<JobQueue, 'remove' | 'requeue' | 'renewLease'>;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly chunks: ChunkStore;
  readonly media: ScratchSpace & InputStaging;
  /** Aborted when a drain can no longer wait for the database. */
  readonly drainLimit: AbortSignal;
}

/** How often a worker reports the progress of a chunk, and learns whether it still has it. */
const REPORT_MS = 1000;

/** The age at which a lease is renewed. A lease lasts 15 s. */
const RENEWAL_MS = 5000;

/** How long a chunk that this worker cannot encode waits for another worker, in seconds. */
const ELSEWHERE_SECONDS = 5;

/**
 * Encodes a chunk of a job that another worker runs, and stores its file. A failure is stored with the chunk, and the
 * worker of the job decides what follows. Never rejects.
 */
export async function runChunk(
  deps: RunChunkDeps,
  { chunk: claim, delivery }: ClaimedChunk,
  stop: AbortController,
  slot: JobSlot,
): Promise<void> {
  const { jobId } = claim.chunk;
  const { signal } = stop;
  const reports = startReports(deps, claim, delivery, stop);
  const store = (unit: Parameters<typeof commitIf>[1]) =>
    retryWhileUnavailable(() => commitIf(deps.transactions, unit), deps.drainLimit);
  try {
    const facts = await encode(deps, claim, signal, slot, reports.setDone);
    await reports.stop();
    await store(async (tx) => (await deps.queue.remove(tx, delivery)) && deps.chunks.finish(tx, claim, facts));
  } catch (error) {
    await reports.stop();
    if (signal.aborted && signal.reason === 'lost') return;
    await store(async (tx) => {
      if (signal.aborted || isTransient(error))
        return (
          (await deps.queue.requeue(tx, delivery, signal.aborted ? 0 : ELSEWHERE_SECONDS)) &&
          deps.chunks.giveBack(tx, claim)
        );
      const failure = error instanceof JobFailed ? error.failure : INTERNAL;
      return (await deps.queue.remove(tx, delivery)) && deps.chunks.fail(tx, claim, failure);
    }).catch((storeError: unknown) => deps.onInternalError(jobId, storeError));
    if (!(error instanceof JobFailed) && !signal.aborted && !isTransient(error)) deps.onInternalError(jobId, error);
  } finally {
    await reports.stop();
    slot.release();
  }
}

/** Returns whether another worker, or this one later, may encode the chunk. */
const isTransient = (error: unknown): boolean =>
  error instanceof AttemptDeferred || error instanceof StorageDown || error instanceof NotHere;

/** Thrown if this worker cannot encode a chunk, because its ffmpeg or its version of Telecine is another. */
class NotHere extends Error {
  override readonly name = 'NotHere';
}

const INTERNAL = {
  code: 'FFMPEG_FAILED',
  message: 'A worker had an internal error while it encoded a part of the job. Its log says more.',
} as const;

async function encode(
  deps: RunChunkDeps,
  claim: ChunkClaim,
  signal: AbortSignal,
  slot: JobSlot,
  setDone: (seconds: number) => void,
): Promise<string> {
  const { chunk } = claim;
  const job = await retryWhileUnavailable(() => deps.jobs.get(chunk.jobId), signal);
  if (job === undefined) throw new NotHere(`There is no job ${chunk.jobId}.`);
  const planned = await planJob(deps, job, signal);
  if ('needs' in planned || deps.chunkMaker.keyOf(planned.plan) !== readTask(chunk).key)
    throw new NotHere('The ffmpeg of this worker is another one.');
  const { plan, context } = planned;
  const freeBefore = await deps.media.freeBytes();
  const scratch = await deps.media.openScratch(chunk.chunkId, claim.fence);
  try {
    const inputs = await deps.media.stage(context.root, scratch, fileInputs(plan.inputs), [], {
      signal,
      checkSizes: (sizes) => checkInputSize(sizes, context.policy),
      ...fetchDeadline(context.policy),
    });
    await slot.take(signal);
    const staged = { plan, policy: context.policy, scratch, inputs, freeBefore, signal };
    return await encodeChunk(deps, { job, claim, staged, waitForTurn: slot.waitForTurn, onProgress: setDone });
  } finally {
    await deps.media.discard(scratch).catch((error) => deps.onInternalError(chunk.jobId, error));
  }
}

/**
 * Reports the progress of a chunk every second, and renews the lease of its ticket. Aborts `stop` if another worker has
 * the chunk, or if the job does not need it any more.
 */
function startReports(
  deps: Pick<RunChunkDeps, 'chunks' | 'queue' | 'onInternalError'>,
  claim: ChunkClaim,
  delivery: Delivery,
  stop: AbortController,
) {
  let doneSeconds = 0;
  let renewedAt = performance.now();
  let writing: Promise<void> | undefined;
  const report = async (): Promise<void> => {
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
  };
  const timer = setInterval(() => {
    writing ??= report().finally(() => {
      writing = undefined;
    });
  }, REPORT_MS);
  return {
    setDone: (seconds: number): void => {
      doneSeconds = seconds;
    },
    /** Stops the reports. Resolves when the last write has ended. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await writing;
    },
  };
}
