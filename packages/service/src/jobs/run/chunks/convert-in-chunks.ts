import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { priorityOf } from '@telecine/contract/domain/queue-order.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { recentSpeed, type Written, withWritten } from '@telecine/ffmpeg/run/recent-speed.ts';
import pLimit from 'p-limit';
import { v7 as uuid } from 'uuid';
import type { JobChangeSink } from '../../job-changes.ts';
import {
  type ChunkMaker,
  isWhole,
  type LengthsOf,
  type StagedPlan,
  type WholeReason,
} from '../../ports/chunk-maker.ts';
import type { Chunk, ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { ConversionOutcome } from '../../ports/ffmpeg.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import type { Claim, JobStore } from '../../ports/job-store.ts';
import type { Transactions, Tx } from '../../ports/transactions.ts';
import { prepareWhileDown, retryWhileUnavailable } from '../outage-retries.ts';
import type { WatchedConversion } from '../space-watch.ts';
import { convertWatched } from '../watched-convert.ts';
import { CHUNK_NEED } from './chunk-parts.ts';
import { LOST_SECONDS } from './chunk-reports.ts';
import { checkChunkSpace } from './chunk-space.ts';
import {
  type ChunkTask,
  countedSeconds,
  fileIdOf,
  readEncoded,
  readTask,
  sumOfChunks,
  writeTask,
} from './chunk-task.ts';
import { type ChunksAhead, COPIES_AT_ONCE, copyChunksAhead } from './copy-ahead.ts';
import { ChunkUnfit, type EncodeDeps, encodeChunk } from './encode-chunk.ts';
import { type RangeChecks, versionAtUrl } from './input-version.ts';
import { dropChunks, dropUnused } from './remove-chunks.ts';
import { ENDED_CUT, type RunningCut, startCut } from './running-cut.ts';

export interface ChunkedDeps extends EncodeDeps {
  readonly transactions: Transactions;
  readonly chunks: ChunkStore;
  readonly media: EncodeDeps['media'] & RangeChecks;
  readonly jobs: Pick<JobStore, 'ticketOf'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly workerId?: string;
  readonly changes: JobChangeSink;
}

/** A claimed job whose inputs are staged, to be converted in chunks. */
export interface ChunkedConversion {
  readonly claim: Claim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  readonly lengthsOf: LengthsOf;
  /** True if this attempt has stored the chunks and their tickets before the inputs were staged. */
  readonly isCut?: boolean;
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
export type ChunkedOutcome =
  | { readonly outcome: ConversionOutcome; readonly watched: WatchedConversion }
  | (WholeReason & {
      /** The plan with what was found out for the chunks. Absent: the plan is unchanged. */
      readonly plan?: Plan;
    });

/** How often the worker of the job looks whether the last chunks of other workers have ended. The job cannot be joined before. */
const LOOK_MS = 150;

/** How often it reports the progress of its own chunk. */
const REPORT_MS = 500;

/** The share of the progress that joining takes, in percent. */
const JOIN_PERCENT = 3;

/**
 * Converts a job in chunks. This worker encodes one chunk after the other, so that the job makes progress even if no
 * other worker has room; other workers take chunks by their tickets. A chunk that an earlier attempt encoded is used
 * as it is. Throws `JobFailed`, and the reason of an abort.
 */
export async function convertInChunks(deps: ChunkedDeps, conversion: ChunkedConversion): Promise<ChunkedOutcome> {
  const { claim, staged } = conversion;
  const { chunks: planned } = staged.plan;
  if (planned === undefined) return { whole: 'The plan has no chunks.' };
  if (isWhole(planned)) return planned;
  const version = await versionAtUrl(deps.media, staged);
  if (isWhole(version)) {
    // An earlier attempt may have made chunks.
    await dropChunks(deps, claim.job.jobId, staged.signal, { claim, scratch: staged.scratch });
    return version;
  }
  conversion.onStart();
  try {
    const cut = await openChunks(deps, conversion, version);
    if (isWhole(cut)) return cut;
    const ahead = copyChunksAhead(deps.chunkFiles, staged);
    let listed: readonly Chunk[] = [];
    const stopProgress = reportSum(deps, conversion, cut, (all) => {
      listed = all;
      ahead.add(all);
    });
    const encoded = await encodeAll(deps, conversion, { cut, ahead, newestList: () => listed }).finally(async () => {
      await stopProgress();
      await ahead.stop();
      await cut.stop();
    });
    const maker = await deps.chunkMaker();
    const results = encoded.map(readEncoded);
    const joined = maker.join(
      staged.plan,
      encoded.map((chunk) => readTask(chunk).part),
      results.map(({ facts }) => facts),
    );
    if (isWhole(joined)) throw new ChunkUnfit(joined.whole);
    const { outcome, watched } = await join(deps, conversion, joined);
    // Only a whole encode can be repeated with fewer bits if the file is too large.
    if (!outcome.ok && outcome.failure.about?.isTooLarge) throw new ChunkUnfit(outcome.failure.message);
    if (!outcome.ok) return { outcome, watched };
    const warnings = onceEach([
      ...results.flatMap((result) => result.warnings),
      ...outcome.warnings.flatMap(warningsOfSegments),
    ]);
    return { outcome: { ...outcome, warnings }, watched };
  } catch (error) {
    if (!(error instanceof ChunkUnfit)) throw error;
    const plan = await wholePlan(deps, conversion);
    await dropChunks(deps, claim.job.jobId, staged.signal, { claim, scratch: staged.scratch });
    return { whole: error.message, ...(plan && { plan }) };
  }
}

/** The plan of the whole conversion with the frame size of its stored chunks. undefined: none was chosen. */
async function wholePlan(deps: ChunkedDeps, conversion: ChunkedConversion): Promise<Plan | undefined> {
  const { plan } = conversion.staged;
  if (plan.frameSize === undefined) return undefined;
  const [[chunk], maker] = await Promise.all([listOf(deps, conversion), deps.chunkMaker()]);
  return chunk && maker.wholeOf(plan, readTask(chunk).part);
}

/** Keeps what only the join knows. Its other warnings compare the copies with the request, and so are wrong. */
function warningsOfSegments(warning: Warning): readonly Warning[] {
  if (warning.code === 'PARTIAL_PLAYLIST') return [warning];
  if (warning.code !== 'LONG_SEGMENTS') return [];
  // Its fix would be for a copy.
  const { fix: _, ...others } = warning;
  return [others];
}

const onceEach = (warnings: readonly Warning[]): readonly Warning[] => [
  ...new Map(warnings.map((one) => [`${one.field} ${one.code}`, one])).values(),
];

const listOf = (
  { chunks }: ChunkedDeps,
  { claim, staged }: Pick<ChunkedConversion, 'claim' | 'staged'>,
): Promise<readonly Chunk[]> => retryWhileUnavailable(() => chunks.list(claim.job.jobId), staged.signal);

/**
 * Takes up the chunks of an earlier attempt, or of the job that this one repeats, and cuts the rest of the input into new ones.
 * Returns when there are chunks to encode, or a reason if the job has to run whole.
 */
async function openChunks(
  deps: ChunkedDeps,
  conversion: ChunkedConversion,
  version: Pick<ChunkTask, 'version'>,
): Promise<RunningCut | WholeReason> {
  const { claim, staged, lengthsOf } = conversion;
  const { jobId, retryOf, clientId } = claim.job;
  const maker = await deps.chunkMaker();
  const keys = { planKey: maker.planKeyOf(staged.plan), inputKey: await maker.inputKeyOf(staged.inputs) };
  const inTransaction = <T>(unit: (tx: Tx) => Promise<T>): Promise<T> =>
    retryWhileUnavailable(() => deps.transactions.run(unit), staged.signal);
  let stored = await listOf(deps, conversion);
  if (stored.length === 0 && retryOf !== undefined) {
    await inTransaction((tx) => deps.chunks.adopt(tx, retryOf, claim));
    stored = await listOf(deps, conversion);
  }
  if (stored.length > 0 && !stored.every((chunk) => isMadeWith(readTask(chunk), keys))) {
    // They were made with another build of ffmpeg, or from another input.
    await dropChunks(deps, jobId, staged.signal, { claim });
    stored = [];
  }
  // Workers look for tickets when a job is released.
  const release = (): void => deps.changes.publish({ kind: 'released', jobId, clientId });
  if (stored.length > 0 && conversion.isCut !== true) {
    // Tickets of an earlier attempt may be gone, so free chunks get new ids and tickets.
    await inTransaction(async (tx) =>
      addChunks(deps, tx, { ...conversion, maker }, await deps.chunks.takeFree(tx, claim)),
    );
    release();
  }
  const parts = stored.map((chunk) => readTask(chunk).part);
  if (maker.isCut(parts)) return ENDED_CUT;
  const { waitForTurn, onProgress, onLog } = conversion;
  let places = stored.length;
  const cut = startCut({
    signal: staged.signal,
    cut: (signal, onParts) => maker.cut({ ...staged, signal }, lengthsOf, { stored: parts, onParts }),
    store: async (added) => {
      const planned = added.map((part) => maker.chunkOf(staged.plan, part));
      const isFirst = places === 0;
      if (isFirst && version.version !== undefined && planned.every(({ bytes }) => bytes === undefined))
        return NO_PARTS;
      const found = await maker.searchBySamples(staged, added, {
        ...{ waitForTurn, onLog },
        onProgress: ({ percent = 0, samples }) =>
          onProgress({
            percent: rounded((percent * searchPercent(staged.plan)) / 100, 1),
            ...(samples && { samples }),
          }),
      });
      const tasks = planned.map((chunk, index) => ({
        task: writeTask({ ...keys, ...version, part: found[index] ?? '', ...countedSeconds(chunk) }),
        place: places + index,
      }));
      await storeChunks(deps, { ...conversion, maker }, tasks, isFirst ? 'first' : 'none');
      places += tasks.length;
      release();
      return undefined;
    },
  });
  if (stored.length > 0) return cut;
  try {
    return (await cut.begun) ?? cut;
  } catch (error) {
    await cut.stop();
    throw error;
  }
}

/** Stores new chunks and their tickets. See `addChunks`. */
export async function storeChunks(
  deps: AddDeps,
  job: JobOfChunks,
  added: readonly Pick<Chunk, 'task' | 'place'>[],
  left: LeftChunks,
): Promise<void> {
  const { jobId } = job.claim.job;
  let isRepeated = false;
  const store = () =>
    deps.transactions.run(async (tx) => {
      // The reply of the first commit may have been lost.
      const places = isRepeated ? (await deps.chunks.list(jobId)).map(({ place }) => place) : [];
      isRepeated = true;
      if (added.every(({ place }) => !places.includes(place))) await addChunks(deps, tx, job, added, left);
    });
  await retryWhileUnavailable(store, job.staged.signal);
}

type AddDeps = Pick<ChunkedDeps, 'transactions' | 'chunks' | 'jobs' | 'queue'>;

interface JobOfChunks extends Pick<ChunkedConversion, 'claim' | 'needs'> {
  readonly staged: Pick<StagedPlan, 'plan' | 'policy' | 'signal'>;
  readonly maker: Pick<ChunkMaker, 'chunkOf'>;
}

/**
 * The chunks that get no tickets, because the worker of the job encodes them: the first one, with which it begins, or all that need
 * the whole input while it copies this input.
 */
type LeftChunks = 'first' | 'none' | 'needing all';

/** The share of the progress that a search by samples takes, in percent: for a quality target, it takes a quarter of the time of the encode. */
const searchPercent = ({ frameSize, quality }: Pick<Plan, 'frameSize' | 'quality'>): number =>
  quality !== undefined ? 15 : frameSize !== undefined ? 1 : 0;

const NO_PARTS: WholeReason = {
  whole: 'The input is at a URL, and its chunks need most of it, or are in a format whose parts cannot be read alone.',
};

const isMadeWith = (task: ChunkTask, keys: Pick<ChunkTask, 'planKey' | 'inputKey'>): boolean =>
  task.planKey === keys.planKey && task.inputKey === keys.inputKey;

/**
 * Stores chunks and their tickets. The tickets take turns with the jobs of other clients, like as many jobs of this
 * client, so that a long video does not hold up others.
 */
async function addChunks(
  deps: Omit<AddDeps, 'transactions'>,
  tx: Tx,
  { claim, needs, staged, maker }: JobOfChunks,
  added: readonly Pick<Chunk, 'task' | 'place'>[],
  left: LeftChunks = 'first',
): Promise<void> {
  if (added.length === 0) return;
  const { jobId, clientId, request } = claim.job;
  const own = await deps.jobs.ticketOf(jobId);
  const chunks = added.map(({ task, place }) => ({ chunkId: uuid(), jobId, clientId, place, task }));
  await deps.chunks.insert(tx, claim, chunks);
  // No other worker fetches a whole input from its URL for one chunk.
  const isShared = (chunk: Pick<Chunk, 'task'>): boolean => {
    const { version, part } = readTask(chunk);
    return (version === undefined && left !== 'needing all') || maker.chunkOf(staged.plan, part).bytes !== undefined;
  };
  const shared = chunks.slice(left === 'first' ? 1 : 0).filter(isShared);
  const tickets = shared.map(({ chunkId }) => ({
    jobId: chunkId,
    clientId,
    priority: priorityOf(request, staged.policy),
    lane: 'full' as const,
    weight: own?.weight ?? 100,
    needs: [...needs, CHUNK_NEED].sort(),
  }));
  if (tickets.length > 0) await deps.queue.enqueue(tx, tickets);
}

/** What goes on while chunks are encoded. */
interface Meanwhile {
  readonly cut: Pick<RunningCut, 'isEnded'>;
  readonly ahead: Pick<ChunksAhead, 'add' | 'settle'>;
  /** The chunks as they were listed last for the progress of the job. */
  newestList(): readonly Chunk[];
}

/**
 * Encodes chunks until all are encoded, here or by other workers, and their files are in the scratch folder of the job.
 * Returns them in order.
 */
async function encodeAll(
  deps: ChunkedDeps,
  conversion: ChunkedConversion,
  { cut, ahead, newestList }: Meanwhile,
): Promise<readonly Chunk[]> {
  const { claim, staged } = conversion;
  const { signal, policy } = staged;
  for (;;) {
    signal.throwIfAborted();
    checkChunkSpace(newestList(), policy);
    const isCut = cut.isEnded();
    const next = await retryWhileUnavailable(() => deps.chunks.claimNext(claim, LOST_SECONDS, deps.workerId), signal);
    if (next !== undefined) {
      await encodeHere(deps, conversion, next);
      continue;
    }
    const all = await listOf(deps, conversion);
    checkChunkSpace(all, policy);
    // Also ends if the claim of the job is lost: another worker may have removed the chunks.
    if (isCut && all.every(({ state }) => state === 'DONE') && all.length > 0) {
      if (await replaceChunks(deps, conversion, all)) continue;
      // Add those that were encoded last, so that none is copied while it is linked.
      ahead.add(all);
      await ahead.settle();
      if (await linkChunks(deps, conversion, all)) return all;
      continue;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function encodeHere(deps: ChunkedDeps, conversion: ChunkedConversion, claim: ChunkClaim): Promise<void> {
  const { staged, waitForTurn, onWatched, onLog } = conversion;
  let reportedAt = 0;
  const onProgress = (doneSeconds: number): void => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    deps.chunks.progress(claim, doneSeconds).catch((error: unknown) => deps.onInternalError(claim.chunk.jobId, error));
  };
  const runs = { waitForTurn, onWatched, onLog, onProgress };
  const encoded = await encodeChunk(deps, { job: conversion.claim.job, claim, staged, ...runs });
  const store = () => deps.transactions.run((tx) => deps.chunks.finish(tx, claim, JSON.stringify(encoded)));
  if (!(await retryWhileUnavailable(store, staged.signal)))
    await dropUnused(deps, claim, staged.signal, { scratch: staged.scratch });
}

/**
 * Replaces chunks that do not fit the others by chunks with other tasks, which other workers can take too. Resolves to false if all fit. Throws
 * `ChunkUnfit` if no other task helps.
 */
async function replaceChunks(
  deps: ChunkedDeps,
  conversion: ChunkedConversion,
  chunks: readonly Chunk[],
): Promise<boolean> {
  const { claim, staged } = conversion;
  const { jobId, clientId } = claim.job;
  const maker = await deps.chunkMaker();
  const tasks = chunks.map(readTask);
  const replaced = maker.partsToReplace(
    staged.plan,
    tasks.map(({ part }) => part),
    chunks.map((chunk) => readEncoded(chunk).facts),
  );
  if (isWhole(replaced)) throw new ChunkUnfit(replaced.whole);
  const found = replaced.flatMap(({ place, part }) => {
    const [chunk, task] = [chunks[place], tasks[place]];
    if (chunk === undefined || task === undefined) return [];
    const { later: _, before = 0, seconds, ...others } = task;
    const counted = countedSeconds(maker.chunkOf(staged.plan, part));
    return [{ chunk, task: writeTask({ ...others, part, ...counted, before: before + seconds }) }];
  });
  if (found.length === 0) return false;
  const replace = () =>
    deps.transactions.run(async (tx) => {
      for (const { chunk, task } of found) await deps.chunks.reopen(tx, claim, chunk.chunkId, task);
      // The tickets of encoded chunks are gone, so these chunks get new ids and tickets.
      await addChunks(deps, tx, { ...conversion, maker }, await deps.chunks.takeFree(tx, claim));
    });
  await retryWhileUnavailable(replace, staged.signal);
  deps.changes.publish({ kind: 'released', jobId, clientId });
  await deps.chunkFiles
    .remove(
      found.map(({ chunk }) => fileIdOf(chunk)),
      staged.scratch,
    )
    .catch((error: unknown) => deps.onInternalError(jobId, error));
  return true;
}

/**
 * Links the files of all chunks into the scratch folder of the job. A chunk whose file is gone is free again. Resolves to
 * false if there was such a chunk.
 */
async function linkChunks(
  deps: ChunkedDeps,
  { claim, staged }: ChunkedConversion,
  chunks: readonly Chunk[],
): Promise<boolean> {
  const maker = await deps.chunkMaker();
  const whileDown = prepareWhileDown(staged.signal);
  const limit = pLimit(COPIES_AT_ONCE);
  let hasFailed = false;
  const link = async (chunk: Chunk): Promise<boolean> => {
    staged.signal.throwIfAborted();
    if (hasFailed) return false;
    const { name } = maker.chunkOf(staged.plan, readTask(chunk).part);
    const isLinked = await deps.chunkFiles.link(staged.scratch, fileIdOf(chunk), name, whileDown);
    if (!isLinked) await deps.transactions.run((tx) => deps.chunks.reopen(tx, claim, chunk.chunkId));
    return isLinked;
  };
  const linkOrStop = (chunk: Chunk): Promise<boolean> =>
    link(chunk).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
  const linked = await Promise.allSettled(chunks.map((chunk) => limit(() => linkOrStop(chunk))));
  for (const one of linked) if (one.status === 'rejected') throw one.reason;
  return linked.every((one) => one.status === 'fulfilled' && one.value);
}

function join(
  deps: ChunkedDeps,
  { claim, staged, waitForTurn, onProgress, onWatched }: ChunkedConversion,
  plan: Plan,
): ReturnType<typeof convertWatched> {
  return convertWatched(deps, {
    ...staged,
    plan,
    // A partly joined file is useless, so do not wait for ffmpeg to finish it.
    graceSeconds: 0,
    jobId: claim.job.jobId,
    waitForTurn,
    onStart: () => undefined,
    onProgress: ({ percent = 0 }) =>
      onProgress({ percent: rounded(100 - JOIN_PERCENT + (percent * JOIN_PERCENT) / 100, 1) }),
    onWatched,
  });
}

/**
 * Reports the sum of the progress of all chunks every second, until the returned function is called. Calls `onChunks` with
 * the chunks each time.
 */
function reportSum(
  deps: ChunkedDeps,
  { claim, staged, onProgress }: Pick<ChunkedConversion, 'claim' | 'staged' | 'onProgress'>,
  cut: Pick<RunningCut, 'share'>,
  onChunks: (chunks: readonly Chunk[]) => void,
): () => Promise<void> {
  const { jobId } = claim.job;
  const begunAt = performance.now();
  const ofSearch = searchPercent(staged.plan);
  let first: number | undefined;
  let written: readonly Written[] = [];
  const read = async (): Promise<void> => {
    const all = await deps.chunks.list(jobId);
    onChunks(all);
    const { done, total: ofChunks, complete } = sumOfChunks(all);
    const total = ofChunks / cut.share();
    // No chunk is stored, or it is not known how many will follow.
    if (ofChunks === 0 || !Number.isFinite(total)) return;
    first ??= done;
    const nowMs = performance.now();
    const mean = (done - first) / ((nowMs - begunAt) / 1000);
    written = withWritten(written, { atMs: nowMs, seconds: done });
    const left = (total - done) / recentSpeed(written, mean);
    onProgress({
      percent: rounded(ofSearch + Math.min(1, done / total) * (100 - JOIN_PERCENT - ofSearch), 1),
      ...(mean > 0 && { speed: rounded(mean, 3), etaSeconds: rounded(left, 1) }),
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
