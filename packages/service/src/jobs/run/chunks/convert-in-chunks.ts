import { setTimeout as sleep } from 'node:timers/promises';
import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import { StorageDown } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { fileInputs, type Plan, type Warning } from '@telecine/contract/domain/plan.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { priorityOf } from '@telecine/contract/domain/queue-order.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { partFile, partSpan, planChunkJoin } from '@telecine/ffmpeg/chunks/parts.ts';
import { ProgressTracker } from '@telecine/ffmpeg/run/progress.ts';
import pLimit from 'p-limit';
import { v7 as uuid } from 'uuid';
import type { LengthOf } from '../../chunk-length.ts';
import type { JobChangeSink } from '../../job-changes.ts';
import type { Chunk, ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { ConversionOutcome } from '../../ports/ffmpeg.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import type { Claim, JobStore } from '../../ports/job-store.ts';
import type { Transactions, Tx } from '../../ports/transactions.ts';
import { prepareWhileDown, retryWhileUnavailable } from '../outage-retries.ts';
import type { WatchedConversion } from '../space-watch.ts';
import { convertWatched } from '../watched-convert.ts';
import { isWhole, type StagedPlan, templatesOf } from './chunk-maker.ts';
import { CHUNK_NEED } from './chunk-parts.ts';
import { LOST_SAMPLE_SECONDS, LOST_SECONDS } from './chunk-reports.ts';
import { checkChunkSpace } from './chunk-space.ts';
import {
  type ChunkTask,
  fileIdOf,
  readEncoded,
  readTask,
  readTried,
  sumOfChunks,
  type TaskContent,
  writeTask,
} from './chunk-task.ts';
import { ChunkUnfit, type EncodeDeps, encodeChunk } from './encode-chunk.ts';
import { dropChunks, dropUnused } from './remove-chunks.ts';

export interface ChunkedDeps extends EncodeDeps {
  readonly transactions: Transactions;
  readonly chunks: ChunkStore;
  readonly jobs: Pick<JobStore, 'ticketOf'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly workerId?: string;
  readonly changes: JobChangeSink;
}

/** A claimed job whose inputs are staged, to be converted in chunks. */
export interface ChunkedConversion {
  readonly claim: Claim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  readonly lengthOf: LengthOf;
  /** The needs of the tickets of its chunks, besides `CHUNK_NEED`. */
  readonly needs: Requirements['needs'];
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  readonly onStart: () => void;
  readonly onProgress: (progress: Progress) => void;
  readonly onWatched: (watched: WatchedConversion) => void;
  /** Called with the log of each run of this worker. */
  readonly onLog: (log: string) => void;
}

/** The outcome of all chunks and of joining them, or why the job has to run whole instead. */
export type ChunkedOutcome = { readonly outcome: ConversionOutcome; readonly watched: WatchedConversion } | WholeReason;

/** How often the worker of the job looks whether the last chunks of other workers have ended. The job cannot be joined before. */
const LOOK_MS = 150;

/** The share of the progress that joining takes, in percent. */
const JOIN_PERCENT = 3;

/**
 * Converts a job in chunks. This worker encodes one chunk after the other, so that the job makes progress even if no
 * other worker has room; other workers take chunks by their tickets. A chunk that an earlier attempt encoded is used
 * as it is. Throws `JobFailed`, and the reason of an abort.
 */
export async function convertInChunks(deps: ChunkedDeps, conversion: ChunkedConversion): Promise<ChunkedOutcome> {
  const { staged } = conversion;
  const { chunks: planned } = staged.plan;
  if (planned === undefined) return { whole: 'The plan has no chunks.' };
  if (isWhole(planned)) return planned;
  conversion.onStart();
  try {
    const reason = await openChunks(deps, conversion);
    if (reason !== undefined) return reason;
    const stopProgress = reportSum(deps, conversion);
    const encoded = await encodeAll(deps, conversion).finally(stopProgress);
    const maker = await deps.chunkMaker();
    const results = encoded.map(readEncoded);
    const parts = encoded.flatMap((chunk) => readTask(chunk).part ?? []);
    const facts = results.map((result) => result.facts);
    const joined = planChunkJoin(staged.plan, planned, parts, facts);
    if (isWhole(joined)) throw new ChunkUnfit(joined.whole);
    const { outcome, watched } = await join(deps, conversion, joined);
    // The muxer rejects parts that do not fit. The whole conversion may do without them.
    if (!outcome.ok && outcome.failure.code === 'FFMPEG_FAILED' && !watched.signal.aborted && !staged.signal.aborted)
      throw new ChunkUnfit(outcome.failure.message);
    if (!outcome.ok) return { outcome, watched };
    const mismatch = await maker.checkJoined(staged, parts, facts, outcome);
    if (mismatch !== undefined) throw new ChunkUnfit(mismatch.whole);
    const warnings = [
      ...onceEach(results.flatMap((result) => result.warnings)),
      ...outcome.warnings.flatMap(warningsOfJoin),
      ...maker.compareJoined(
        staged.plan,
        parts.map((part, at) => ({ part, taken: results[at]?.taken })),
        outcome,
      ),
    ];
    return { outcome: { ...outcome, warnings }, watched };
  } catch (error) {
    if (!(error instanceof ChunkUnfit)) throw error;
    await dropAll(deps, conversion);
    await (await deps.chunkMaker()).removeJoined(staged);
    return { whole: error.message };
  }
}

/** Keeps what only the join knows. Its other warnings compare the copies with the request, and so are wrong. */
function warningsOfJoin(warning: Warning): readonly Warning[] {
  if (['PARTIAL_PLAYLIST', 'QUALITY_MISSED'].includes(warning.code)) return [warning];
  if (warning.code !== 'LONG_SEGMENTS') return [];
  // Its fix would be for a copy.
  const { fix: _, ...others } = warning;
  return [others];
}

const onceEach = (warnings: readonly Warning[]): readonly Warning[] => [
  ...new Map(warnings.map((one) => [`${one.field} ${one.code}`, one])).values(),
];

/** Removes the chunks of this attempt, so that others can be stored, or the conversion can run whole in the same scratch folder. */
const dropAll = (deps: ChunkedDeps, { claim, staged: { scratch, signal } }: ChunkedConversion): Promise<void> =>
  retryWhileUnavailable(() => dropChunks(deps, claim.job.jobId, { claim, scratch }), signal, {
    isOutage: (error) => isStoreOutage(error) || error instanceof StorageDown,
  });

const listOf = ({ chunks }: ChunkedDeps, { claim, staged }: ChunkedConversion): Promise<readonly Chunk[]> =>
  retryWhileUnavailable(() => chunks.list(claim.job.jobId), staged.signal);

/**
 * Takes up the chunks of an earlier attempt, or of the job that this one repeats, or cuts the input into new ones. Returns a reason if the job has
 * to run whole.
 */
async function openChunks(deps: ChunkedDeps, conversion: ChunkedConversion): Promise<WholeReason | undefined> {
  const { claim, staged, lengthOf } = conversion;
  const { jobId, retryOf } = claim.job;
  const maker = await deps.chunkMaker();
  const keys = { planKey: maker.planKeyOf(staged.plan), inputKey: await maker.inputKeyOf(staged.inputs) };
  let stored = await listOf(deps, conversion);
  if (stored.length === 0 && retryOf !== undefined) {
    await inTransaction(deps, staged, (tx) => deps.chunks.adopt(tx, retryOf, claim));
    stored = await listOf(deps, conversion);
  }
  const isUsable = stored
    .map(readTask)
    .every((one) => one.planKey === keys.planKey && one.inputKey === keys.inputKey && one.sample === undefined);
  // Tickets of an earlier attempt may be gone, so free chunks get new ids and tickets.
  if (stored.length > 0 && isUsable) {
    await addChunks(deps, conversion, (tx) => deps.chunks.takeFree(tx, claim));
    return undefined;
  }
  // They were made with another build of ffmpeg, or from another input, or their search did not end.
  if (stored.length > 0) await dropAll(deps, conversion);
  const parts = await maker.cut(staged, lengthOf);
  if (isWhole(parts)) return parts;
  const addFirst: AddTasks = (tasks) =>
    addChunks(deps, conversion, async () => {
      // The reply of the first commit may have been lost.
      if ((await deps.chunks.list(jobId)).length > 0) return [];
      return tasks.map((task, place) => ({ place, task: writeTask({ ...keys, ...task }) }));
    });
  const chosen = await search(deps, conversion, addFirst);
  await addFirst(
    parts.map((part) => {
      const run = { ...part.run, ...(chosen && { chosen }) };
      return { part: { ...part, run }, seconds: partSpan(part).seconds };
    }),
  );
  return undefined;
}

/** Stores the chunks of a job that has none yet. */
type AddTasks = (tasks: readonly (TaskContent & Pick<ChunkTask, 'seconds'>)[]) => Promise<void>;

/** Finds by samples what all chunks have in common. All workers try samples, and all of a round are tried before the next is chosen. */
async function search(
  deps: ChunkedDeps,
  conversion: ChunkedConversion,
  addFirst: AddTasks,
): Promise<ChosenBySamples | undefined> {
  const { claim, staged, waitForTurn, onProgress, onLog } = conversion;
  const runs = {
    ...{ waitForTurn, onLog },
    onProgress: ({ percent = 0, samples }: Progress): void =>
      onProgress({ percent: rounded((percent * searchPercent(staged.plan)) / 100, 1), ...(samples && { samples }) }),
  };
  return (await deps.chunkMaker()).search(staged, runs, async (samples, onDone) => {
    await addFirst(samples.map((sample) => ({ sample, seconds: sample.sample.seconds })));
    const onList = (all: readonly Chunk[]) => onDone(all.filter(({ state }) => state === 'DONE').length);
    try {
      const tried = await encodeAll(deps, conversion, LOST_SAMPLE_SECONDS, onList);
      return tried.map((chunk) => readTried(chunk).tried);
    } finally {
      // Remove the rows of samples, which have no files: no sample may be left when the chunks are stored.
      await retryWhileUnavailable(() => deps.chunks.remove(claim.job.jobId, claim), staged.signal);
    }
  });
}

/** The share of the progress that a search by samples takes, in percent: for a quality target, it takes a quarter of the time of the encode. */
const SEARCH_PERCENT = { ladder: 40, quality: 15, frameSize: 1 } as const;

const searchPercent = ({ search: planned }: Plan): number =>
  planned === undefined ? 0 : SEARCH_PERCENT[planned.choose];

const inTransaction = <T>({ transactions }: ChunkedDeps, { signal }: StagedPlan, unit: (tx: Tx) => Promise<T>) =>
  retryWhileUnavailable(() => transactions.run(unit), signal);

/**
 * Stores chunks and their tickets. The tickets take turns with the jobs of other clients, like as many jobs of this
 * client, so that a long video does not hold up others.
 */
async function addChunks(
  deps: ChunkedDeps,
  { claim, needs, staged }: ChunkedConversion,
  tasksOf: (tx: Tx) => Promise<readonly Pick<Chunk, 'task' | 'place'>[]>,
): Promise<void> {
  const { jobId, clientId, request } = claim.job;
  // No other worker fetches a whole input from its URL. This one begins with the first chunk.
  const isAtUrl = fileInputs(staged.plan.inputs).some(({ url }) => url !== undefined);
  await inTransaction(deps, staged, async (tx) => {
    const added = await tasksOf(tx);
    if (added.length === 0) return;
    const own = await deps.jobs.ticketOf(jobId);
    const chunks = added.map(({ task, place }) => ({ chunkId: uuid(), jobId, clientId, place, task }));
    await deps.chunks.insert(tx, claim, chunks);
    const tickets = (isAtUrl ? [] : chunks.slice(1)).map(({ chunkId }) => ({
      ...{ jobId: chunkId, clientId, priority: priorityOf(request, staged.policy) },
      ...{ lane: 'full' as const, weight: own?.weight ?? 100, needs: [...needs, CHUNK_NEED].sort() },
    }));
    if (tickets.length > 0) await deps.queue.enqueue(tx, tickets);
  });
  // Workers look for tickets when a job is released.
  deps.changes.publish({ kind: 'released', jobId, clientId });
}

/**
 * Encodes chunks until all are encoded, here or by other workers, and their files are in the scratch folder of the job.
 * Returns them in order.
 */
async function encodeAll(
  deps: ChunkedDeps,
  conversion: ChunkedConversion,
  lostSeconds = LOST_SECONDS,
  onList: (all: readonly Chunk[]) => void = () => undefined,
): Promise<readonly Chunk[]> {
  const { claim, staged } = conversion;
  const { signal, policy } = staged;
  for (;;) {
    signal.throwIfAborted();
    const next = await retryWhileUnavailable(() => deps.chunks.claimNext(claim, lostSeconds, deps.workerId), signal);
    const all = await listOf(deps, conversion);
    onList(all);
    checkChunkSpace(all, policy);
    if (next !== undefined) {
      await encodeHere(deps, conversion, next);
      continue;
    }
    // Also ends if the claim of the job is lost: another worker may have removed the chunks.
    if (all.length > 0 && all.every(({ state }) => state === 'DONE') && (await linkChunks(deps, conversion, all)))
      return all;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function encodeHere(deps: ChunkedDeps, conversion: ChunkedConversion, claim: ChunkClaim): Promise<void> {
  const { staged, waitForTurn, onWatched, onLog } = conversion;
  // ffmpeg reports twice a second.
  const onProgress = (doneSeconds: number): void =>
    void deps.chunks.progress(claim, doneSeconds).catch((error) => deps.onInternalError(claim.chunk.jobId, error));
  const runs = { waitForTurn, onWatched, onLog, onProgress };
  const encoded = await encodeChunk(deps, { job: conversion.claim.job, claim, staged, ...runs });
  const store = () => deps.transactions.run((tx) => deps.chunks.finish(tx, claim, JSON.stringify(encoded)));
  if (!(await retryWhileUnavailable(store, staged.signal)))
    await dropUnused(deps, claim, staged.scratch).catch((error) => deps.onInternalError(claim.chunk.jobId, error));
}

/** How many chunks are copied from a bucket at the same time. */
const LINKS_AT_ONCE = 4;

/**
 * Links the files of all chunks into the scratch folder of the job. A chunk whose file is gone is free again. Resolves to
 * false if there was such a chunk.
 */
async function linkChunks(
  deps: ChunkedDeps,
  { claim, staged }: ChunkedConversion,
  chunks: readonly Chunk[],
): Promise<boolean> {
  const whileDown = prepareWhileDown(staged.signal);
  const limit = pLimit(LINKS_AT_ONCE);
  const link = async (chunk: Chunk): Promise<boolean> => {
    staged.signal.throwIfAborted();
    const { part } = readTask(chunk);
    if (part === undefined) return true;
    const name = partFile(templatesOf(staged.plan), part);
    const isLinked = await deps.chunkFiles.link(staged.scratch, fileIdOf(chunk), name, whileDown);
    if (!isLinked) await deps.transactions.run((tx) => deps.chunks.reopen(tx, claim, chunk.chunkId));
    return isLinked;
  };
  const linked = await Promise.allSettled(chunks.map((chunk) => limit(() => link(chunk))));
  for (const one of linked) if (one.status === 'rejected') throw one.reason;
  return linked.every((one) => one.status === 'fulfilled' && one.value);
}

function join(deps: ChunkedDeps, conversion: ChunkedConversion, plan: Plan): ReturnType<typeof convertWatched> {
  const { claim, staged, waitForTurn, onProgress, onWatched } = conversion;
  return convertWatched(deps, {
    ...{ ...staged, plan, jobId: claim.job.jobId, waitForTurn, onWatched },
    // A partly joined file is useless, so do not wait for ffmpeg to finish it.
    graceSeconds: 0,
    onStart: () => undefined,
    onProgress: ({ percent = 0 }) =>
      onProgress({ percent: rounded(100 - JOIN_PERCENT + (percent * JOIN_PERCENT) / 100, 1) }),
  });
}

/** Reports the sum of the progress of all chunks every second, until the returned function is called. */
function reportSum(deps: ChunkedDeps, { claim, staged, onProgress }: ChunkedConversion): () => Promise<void> {
  const { jobId } = claim.job;
  const begunAt = performance.now();
  const ofSearch = searchPercent(staged.plan);
  const tracker = new ProgressTracker(1);
  let first: number | undefined;
  const read = async (): Promise<void> => {
    const all = await deps.chunks.list(jobId);
    const { done, total, complete } = sumOfChunks(all);
    if (total === 0) return;
    first ??= done;
    const speed = rounded((done - first) / ((performance.now() - begunAt) / 1000), 3);
    const { percent = 0, ...others } = tracker.update(0, { outSeconds: done, speed, ended: false }, total);
    onProgress({
      ...others,
      percent: rounded(ofSearch + (percent * (100 - JOIN_PERCENT - ofSearch)) / 100, 1),
      chunks: { done: complete, total: all.length },
    });
  };
  const report = shareRunning(() => read().catch((error: unknown) => deps.onInternalError(jobId, error)));
  const timer = setInterval(report, 1000);
  return async () => {
    clearInterval(timer);
    await report.started();
  };
}
