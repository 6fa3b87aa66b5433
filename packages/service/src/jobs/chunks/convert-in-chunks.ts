import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { priorityOf, queuePositionOf, RANKS_APART } from '@telecine/contract/domain/queue-order.ts';
import { v7 as uuid } from 'uuid';
import type { JobChangeSink } from '../job-changes.ts';
import { isWhole, type StagedPlan } from '../ports/chunk-maker.ts';
import type { Chunk, ChunkClaim, ChunkStore } from '../ports/chunk-store.ts';
import type { ConversionOutcome } from '../ports/ffmpeg.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Claim, JobStore } from '../ports/job-store.ts';
import type { Transactions } from '../ports/transactions.ts';
import { retryWhileUnavailable } from '../run/outage-retries.ts';
import type { WatchedConversion } from '../run/space-watch.ts';
import { convertWatched } from '../run/watched-convert.ts';
import { fileIdOf, readTask, writeTask } from './chunk-task.ts';
import { ChunkUnfit, type EncodeDeps, encodeChunk } from './encode-chunk.ts';

export interface ChunkedDeps extends EncodeDeps {
  readonly transactions: Transactions;
  readonly chunks: ChunkStore;
  readonly jobs: Pick<JobStore, 'nextFairnessRank' | 'ticketOf'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly workerId?: string;
  readonly changes: JobChangeSink;
}

/** A claimed job whose inputs are staged. */
export interface FilmToConvert {
  readonly claim: Claim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  /** Returns the wanted length of a chunk for an input of this length, both in seconds. undefined: chunks do not pay. */
  readonly secondsOf: (length: number) => number | undefined;
  /** The needs of the tickets of its chunks. */
  readonly needs: Requirements['needs'];
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  readonly onStart: () => void;
  readonly onProgress: (progress: Progress) => void;
  readonly onWatched: (watched: WatchedConversion) => void;
}

/** The outcome of all chunks and of joining them. `whole`: why the job has to run whole instead. */
export type ChunkedOutcome =
  | { readonly outcome: ConversionOutcome; readonly watched: WatchedConversion }
  | { readonly whole: string };

/** After how many seconds without a report a worker counts as lost. As long as a lease. */
const LOST_SECONDS = 15;

/** How often the worker of the job looks at the chunks of other workers. */
const LOOK_MS = 500;

/** The share of the progress that joining takes, in percent. */
const JOIN_PERCENT = 3;

/**
 * Converts a job in chunks. This worker encodes one chunk after the other, so that the job makes progress even if no
 * other worker has room; other workers take chunks by their tickets. A chunk that an earlier attempt encoded is used
 * as it is. Throws `JobFailed`, and the reason of an abort.
 */
export async function convertInChunks(deps: ChunkedDeps, film: FilmToConvert): Promise<ChunkedOutcome> {
  const { claim, staged } = film;
  const { signal, plan } = staged;
  film.onStart();
  const opened = await openChunks(deps, film);
  if (isWhole(opened)) return opened;
  const stopProgress = reportSum(deps, claim, film.onProgress);
  let facts: readonly string[];
  try {
    facts = await encodeAll(deps, film);
  } catch (error) {
    if (!(error instanceof ChunkUnfit)) throw error;
    await dropChunks(deps, claim.job.jobId);
    return { whole: error.message };
  } finally {
    await stopProgress();
  }
  const chunks = await listOf(deps, claim, signal);
  const joined = deps.chunkMaker.join(
    plan,
    chunks.map((chunk) => readTask(chunk).film),
    facts,
  );
  if (isWhole(joined)) {
    await dropChunks(deps, claim.job.jobId);
    return joined;
  }
  await showChunks(deps, film, chunks);
  return join(deps, film, joined);
}

/** Removes the chunks of a job, and their files. */
export async function dropChunks(
  { chunks, chunkFiles }: Pick<ChunkedDeps, 'chunks' | 'chunkFiles'>,
  jobId: string,
): Promise<void> {
  const stored = await chunks.list(jobId);
  if (stored.length === 0) return;
  await chunks.remove(jobId);
  await chunkFiles.remove(stored.filter(({ fence }) => fence > 0).map(fileIdOf));
}

const listOf = ({ chunks }: ChunkedDeps, { job }: Claim, signal: AbortSignal): Promise<readonly Chunk[]> =>
  retryWhileUnavailable(() => chunks.list(job.jobId), signal);

/** Takes up the chunks of an earlier attempt, or of the job that this one repeats; otherwise cuts the input into new ones. */
async function openChunks(
  deps: ChunkedDeps,
  film: FilmToConvert,
): Promise<Record<never, never> | { readonly whole: string }> {
  const { claim, staged, secondsOf } = film;
  const { jobId, retryOf } = claim.job;
  const { plan, signal } = staged;
  const key = deps.chunkMaker.keyOf(plan);
  let stored = await listOf(deps, claim, signal);
  if (stored.length === 0 && retryOf !== undefined) {
    await deps.transactions.run((tx) => deps.chunks.adopt(tx, retryOf, jobId));
    stored = await listOf(deps, claim, signal);
  }
  if (stored.length > 0 && stored.every((chunk) => readTask(chunk).key === key)) {
    await deps.transactions.run((tx) => deps.chunks.reopen(tx, jobId));
    return {};
  }
  // Another build of ffmpeg has made them, so they do not fit.
  if (stored.length > 0) await dropChunks(deps, jobId);
  const cut = await deps.chunkMaker.cut(staged, secondsOf);
  if (isWhole(cut)) return cut;
  await insertChunks(deps, film, cut.films, key);
  // Workers look for tickets when a job is created or released.
  deps.changes.publish({ kind: 'released', jobId, clientId: claim.job.clientId });
  return {};
}

/**
 * Stores the chunks and their tickets. The tickets take turns with the jobs of other clients, like as many jobs of this
 * client, so that a long film does not hold up others.
 */
async function insertChunks(
  deps: ChunkedDeps,
  { claim, needs, staged }: FilmToConvert,
  films: readonly string[],
  key: string,
): Promise<void> {
  const { jobId, clientId, request } = claim.job;
  const own = await deps.jobs.ticketOf(jobId);
  const chunks = films.map((film, place) => ({
    chunkId: uuid(),
    jobId,
    clientId,
    place,
    task: writeTask({ key, film, seconds: deps.chunkMaker.chunkOf(staged.plan, film).seconds }),
  }));
  await deps.transactions.run(async (tx) => {
    const rank = await deps.jobs.nextFairnessRank(tx, clientId);
    await deps.chunks.insert(tx, chunks);
    // This worker encodes the first chunk, so it needs no ticket.
    const tickets = chunks.slice(1).map(({ chunkId }, index) => ({
      jobId: chunkId,
      clientId,
      queuePosition: queuePositionOf(rank + index * RANKS_APART, priorityOf(request, staged.policy)),
      lane: 'full' as const,
      weight: own?.weight ?? 100,
      needs,
    }));
    if (tickets.length > 0) await deps.queue.enqueue(tx, tickets);
  });
}

/** Encodes chunks until all are encoded, here or by other workers. Returns their facts in order. */
async function encodeAll(deps: ChunkedDeps, film: FilmToConvert): Promise<readonly string[]> {
  const { claim, staged } = film;
  const { signal } = staged;
  const repeated = new Set<string>();
  for (;;) {
    signal.throwIfAborted();
    const next = await retryWhileUnavailable(() => deps.chunks.claimNext(claim, LOST_SECONDS, deps.workerId), signal);
    if (next !== undefined) {
      await encodeHere(deps, film, next);
      continue;
    }
    const all = await listOf(deps, claim, signal);
    const failed = all.find(({ state }) => state === 'FAILED');
    if (failed !== undefined) {
      // Another worker could not encode the chunk. Its machine may be the cause, so try here.
      if (repeated.has(failed.chunkId)) throw new JobFailed(failed.error ?? LOST_CHUNK);
      repeated.add(failed.chunkId);
      await deps.transactions.run((tx) => deps.chunks.reopen(tx, failed.jobId));
      continue;
    }
    if (all.every(({ state }) => state === 'DONE')) return all.map(({ facts }) => facts ?? '');
    await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

const LOST_CHUNK: Failure = {
  code: 'WORKER_LOST',
  message: 'A part of the job failed, and its worker did not say why.',
};

async function encodeHere(deps: ChunkedDeps, film: FilmToConvert, claim: ChunkClaim): Promise<void> {
  const { staged, waitForTurn } = film;
  const { signal } = staged;
  let reportedAt = 0;
  const report = (doneSeconds: number): void => {
    if (performance.now() - reportedAt < LOOK_MS) return;
    reportedAt = performance.now();
    deps.chunks.progress(claim, doneSeconds).catch((error: unknown) => deps.onInternalError(claim.chunk.jobId, error));
  };
  const facts = await encodeChunk(deps, { job: film.claim.job, claim, staged, waitForTurn, onProgress: report });
  const store = () => deps.transactions.run((tx) => deps.chunks.finish(tx, claim, facts));
  await retryWhileUnavailable(store, signal);
}

/** Shows the files of all chunks in the scratch folder of the job. Frees a chunk whose file is gone and fails the attempt. */
async function showChunks(deps: ChunkedDeps, { staged }: FilmToConvert, chunks: readonly Chunk[]): Promise<void> {
  for (const chunk of chunks) {
    const { name } = deps.chunkMaker.chunkOf(staged.plan, readTask(chunk).film);
    if (await deps.chunkFiles.show(staged.scratch, fileIdOf(chunk), name)) continue;
    await dropChunks(deps, chunk.jobId);
    throw new JobFailed({
      code: 'STORAGE_FAULT',
      message: 'The file of an encoded part of the job is gone. Another program may have deleted it.',
    });
  }
}

function join(
  deps: ChunkedDeps,
  { claim, staged, waitForTurn, onProgress, onWatched }: FilmToConvert,
  plan: Plan,
): ReturnType<typeof convertWatched> {
  return convertWatched(deps, {
    ...staged,
    plan,
    graceSeconds: 0,
    jobId: claim.job.jobId,
    waitForTurn,
    onStart: () => undefined,
    onProgress: ({ percent = 0 }) =>
      onProgress({ percent: rounded(100 - JOIN_PERCENT + (percent * JOIN_PERCENT) / 100, 1) }),
    onWatched,
  });
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Reports the sum of the progress of all chunks every second, until the returned function is called. */
function reportSum(deps: ChunkedDeps, { job }: Claim, onProgress: (progress: Progress) => void): () => Promise<void> {
  const begunAt = performance.now();
  let first: number | undefined;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const all = await deps.chunks.list(job.jobId);
    const total = all.reduce((sum, chunk) => sum + readTask(chunk).seconds, 0);
    const done = all.reduce(
      (sum, chunk) => sum + (chunk.state === 'DONE' ? readTask(chunk).seconds : chunk.doneSeconds),
      0,
    );
    if (total === 0) return;
    first ??= done;
    const speed = (done - first) / ((performance.now() - begunAt) / 1000);
    onProgress({
      percent: rounded(Math.min(1, done / total) * (100 - JOIN_PERCENT), 1),
      ...(speed > 0 && { speed: rounded(speed, 3), etaSeconds: rounded((total - done) / speed, 1) }),
      chunks: { done: all.filter(({ state }) => state === 'DONE').length, total: all.length },
    });
  };
  const timer = setInterval(() => {
    reading ??= read()
      .catch((error: unknown) => deps.onInternalError(job.jobId, error))
      .finally(() => {
        reading = undefined;
      });
  }, 1000);
  return async () => {
    clearInterval(timer);
    await reading;
  };
}
