import { AttemptDeferred, type Failure, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { fileInputs } from '@telecine/contract/domain/plan.ts';
import { commitIf } from '../../end-job.ts';
import type { ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { InputStaging, ScratchSpace } from '../../ports/media-store.ts';
import type { Transactions } from '../../ports/transactions.ts';
import { checkInputSize, fetchDeadline } from '../attempt-failures.ts';
import type { ClaimedChunk } from '../claim-jobs.ts';
import { type DraftJobDeps, draftJob } from '../draft-job.ts';
import { retryWhileUnavailable } from '../outage-retries.ts';
import { type PlanStagedDeps, planStaged } from '../plan-staged.ts';
import type { JobSlot } from '../worker-room.ts';
import { startReports } from './chunk-reports.ts';
import { type EncodedChunk, readTask, type TriedChunk } from './chunk-task.ts';
import { ChunkUnfit, type EncodeDeps, encodeChunk } from './encode-chunk.ts';
import { dropUnused } from './remove-chunks.ts';

export interface RunChunkDeps extends EncodeDeps, DraftJobDeps, PlanStagedDeps {
  readonly transactions: Transactions;
  readonly queue: Pick<JobQueue, 'remove' | 'requeue' | 'renewLease'>;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly chunks: ChunkStore;
  readonly media: ScratchSpace & InputStaging;
  readonly minFreeBytes: number;
  /** Returns the failure of a job on this machine if it is not ready now. */
  readonly machineFailure: () => Promise<Failure | undefined>;
  /** Aborted when a drain can no longer wait for the database. */
  readonly drainLimit: AbortSignal;
}

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
  const reports = startReports(deps, claim, delivery, stop, readTask(claim.chunk).sample !== undefined);
  const store = (unit: Parameters<typeof commitIf>[1]) =>
    retryWhileUnavailable(() => commitIf(deps.transactions, unit), deps.drainLimit);
  const giveBack = async (delaySeconds: number): Promise<void> => {
    const isBack = await store(
      async (tx) => (await deps.queue.requeue(tx, delivery, delaySeconds)) && deps.chunks.giveBack(tx, claim),
    );
    // The chunk is gone, or the worker of the job encodes it.
    if (!isBack) await store((tx) => deps.queue.remove(tx, delivery));
  };
  try {
    const encoded = await encode(deps, claim, signal, slot, reports.setDone);
    await reports.stop();
    const facts = JSON.stringify(encoded);
    const isFinished = await store(
      async (tx) => (await deps.queue.remove(tx, delivery)) && deps.chunks.finish(tx, claim, facts),
    );
    if (!isFinished) await dropUnused(deps, claim).catch((error) => deps.onInternalError(jobId, error));
  } catch (error) {
    await reports.stop();
    const mayFail = error instanceof JobFailed && !isExpected(error) && !signal.aborted;
    const isFailure = mayFail && (await deps.machineFailure()) === undefined;
    await (isFailure
      ? store(async (tx) => (await deps.queue.remove(tx, delivery)) && deps.chunks.fail(tx, claim, error.failure))
      : giveBack(signal.aborted ? 0 : ELSEWHERE_SECONDS)
    ).catch((storeError: unknown) => deps.onInternalError(jobId, storeError));
    if (!mayFail && !signal.aborted && !isExpected(error)) deps.onInternalError(jobId, error);
  } finally {
    await reports.stop();
    slot.release();
  }
}

/** Returns whether another worker, or this one later, may encode the chunk, and the operator need not know. */
const isExpected = (error: unknown): boolean =>
  [AttemptDeferred, StorageDown, ChunkUnfit, WrongWorker].some((kind) => error instanceof kind);

/** Thrown if this worker cannot encode a chunk, because it has another build of ffmpeg, another version of Telecine, or finds another input. */
class WrongWorker extends Error {
  override readonly name = 'WrongWorker';
}

async function encode(
  deps: RunChunkDeps,
  claim: ChunkClaim,
  signal: AbortSignal,
  slot: JobSlot,
  setDone: (seconds: number) => void,
): Promise<EncodedChunk | TriedChunk> {
  const { chunk } = claim;
  const job = await retryWhileUnavailable(() => deps.jobs.get(chunk.jobId), signal);
  if (job === undefined) throw new WrongWorker(`There is no job ${chunk.jobId}.`);
  const drafted = await draftJob(deps, job, signal);
  if ('needs' in drafted) throw new WrongWorker('The ffmpeg of this worker is another one.');
  const maker = await deps.chunkMaker();
  const { planKey, inputKey, sample } = readTask(chunk);
  const { draft, context } = drafted;
  const freeBefore = await deps.media.freeBytes();
  if (freeBefore < deps.minFreeBytes) throw new WrongWorker('The disk of this worker is almost full.');
  const scratch = await deps.media.openScratch(chunk.chunkId, claim.fence);
  try {
    const inputs = await deps.media.stage(context.root, scratch, fileInputs(draft.inputs), [], {
      signal,
      checkSizes: (sizes) => checkInputSize(sizes, context.policy),
      // A search has many short samples.
      isReadAgain: sample !== undefined,
      ...fetchDeadline(context.policy),
    });
    setDone(0);
    await slot.take(signal);
    if ((await maker.inputKeyOf(inputs)) !== inputKey) throw new WrongWorker('The input was replaced.');
    const { plan } = await planStaged(deps, job, drafted, inputs, signal);
    if (maker.planKeyOf(plan) !== planKey) throw new WrongWorker('The ffmpeg of this worker is another one.');
    const staged = { plan, policy: context.policy, scratch, inputs, freeBefore, signal };
    return await encodeChunk(deps, { job, claim, staged, waitForTurn: slot.waitForTurn, onProgress: setDone });
  } finally {
    await deps.media.discard(scratch).catch((error) => deps.onInternalError(chunk.jobId, error));
  }
}
