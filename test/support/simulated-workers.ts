import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import { cutAtKeyFrames } from '../../packages/ffmpeg/src/chunks/cuts.ts';
import { type ChunkPart, chunkParts, partFile, partSpan } from '../../packages/ffmpeg/src/chunks/parts.ts';
import type { SourceFrames, SourceStream } from '../../packages/ffmpeg/src/chunks/source-frames.ts';
import { chunkLength } from '../../packages/service/src/jobs/chunk-length.ts';
import type { Chunk, ChunkClaim, ChunkStore, NewChunk } from '../../packages/service/src/jobs/ports/chunk-store.ts';
import type { JobQueue, Ticket } from '../../packages/service/src/jobs/ports/job-queue.ts';
import type { StagedInput } from '../../packages/service/src/jobs/ports/media-store.ts';
import type { Transactions, Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { type ChunkMaker, isWhole } from '../../packages/service/src/jobs/run/chunks/chunk-maker.ts';
import {
  type ChunkedConversion,
  type ChunkedDeps,
  convertInChunks,
} from '../../packages/service/src/jobs/run/chunks/convert-in-chunks.ts';
import { encodeChunk } from '../../packages/service/src/jobs/run/chunks/encode-chunk.ts';
import { claimJobs } from '../../packages/service/src/jobs/run/claim-jobs.ts';
import { wholePlan } from './planning.ts';
import { resultOf } from './result-of-steps.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How long the steps of a conversion take on a worker with one core. `npm run bench:chunk-times` records them. */
export interface ChunkTimes {
  /** The seconds of encoding for each second of video, of pieces that follow each other in this order again and again. */
  readonly encodeSeconds: readonly number[];
  /** The length of these pieces in seconds. */
  readonly pieceSeconds: number;
  /** The seconds that a chunk takes besides its frames. */
  readonly startSeconds: number;
  /** The seconds of encoding the audio of a second of video. */
  readonly audioSeconds: number;
  /** How many bytes of the input ffprobe lists in a second, and how many of chunks ffmpeg joins. */
  readonly listedBytesPerSecond: number;
  readonly joinedBytesPerSecond: number;
  /** The bytes of a second of the input and of the output. */
  readonly inputBytesPerSecond: number;
  readonly outputBytesPerSecond: number;
}

/** What a simulated conversion in chunks has taken. */
export interface SimulatedTime {
  readonly seconds: number;
  /** The seconds of one worker without chunks. */
  readonly alone: number;
  readonly chunks: number;
  /** The seconds of video that were encoded. */
  readonly encoded: number;
}

/** A job in chunks, with what the simulation reads of its job and its inputs. */
interface SimulatedConversion extends Omit<ChunkedConversion, 'claim' | 'staged'> {
  readonly claim: Pick<ChunkedConversion['claim'], 'fence'> & {
    readonly job: Pick<ChunkedConversion['claim']['job'], 'jobId' | 'clientId' | 'request'>;
  };
  readonly staged: Omit<ChunkedConversion['staged'], 'inputs'> & {
    readonly inputs: readonly Pick<StagedInput, 'sizeBytes'>[];
  };
}

const FRAMES_PER_SECOND = 24;
/** The frames from one key frame of the input to the next. */
const KEY_FRAMES = 60;
/** How long a transaction takes, and how long until a worker is notified of new chunks. */
const [STORE_MS, NOTICE_MS] = [5, 50];

const VIDEO: SourceStream = { index: 0, type: 'video', codec: 'h264', isCover: false, disposition: [] };
const AUDIO: SourceStream = { ...VIDEO, index: 1, type: 'audio', codec: 'aac' };

/** The frames of the input. */
function framesOf(seconds: number): SourceFrames {
  const timeOf = (frame: number): number => Math.round((frame / FRAMES_PER_SECOND) * 1e6);
  const length = Math.round(seconds * FRAMES_PER_SECOND);
  return {
    ...{ streams: [VIDEO, AUDIO], video: VIDEO, sourceMicros: 0, lengthSeconds: seconds },
    micros: Float64Array.from({ length }, (_, at) => timeOf(at)),
    keyMicros: Float64Array.from({ length: Math.ceil(length / KEY_FRAMES) }, (_, at) => timeOf(at * KEY_FRAMES)),
  };
}

/** Returns the seconds of encoding from the start of the video to each time, by whole seconds. */
function costUntil({ encodeSeconds, pieceSeconds }: ChunkTimes, seconds: number): (time: number) => number {
  const sums = [0];
  for (let at = 0; at < seconds; at += 1) {
    const cost = encodeSeconds[Math.floor(at / pieceSeconds) % encodeSeconds.length] ?? 0;
    sums.push((sums[at] ?? 0) + cost);
  }
  return (time) => {
    const at = Math.min(Math.floor(time), seconds - 1);
    const [before = 0, after = 0] = [sums[at], sums[at + 1]];
    return before + (after - before) * (time - at);
  };
}

/** The chunks of one job in memory, with the rules of the contract for engines that the simulation needs. */
function chunksInMemory() {
  const rows: Chunk[] = [];
  const take = (row: Chunk | undefined): ChunkClaim | undefined => {
    if (row === undefined) return undefined;
    const chunk: Chunk = { ...row, state: 'RUNNING', fence: row.fence + 1 };
    rows[row.place] = chunk;
    return { chunk, fence: chunk.fence };
  };
  const isReady = ({ state }: Chunk): boolean => state === 'READY';
  const store: Pick<ChunkStore, 'insert' | 'list' | 'claim' | 'claimNext' | 'finish' | 'takeFree' | 'progress'> = {
    insert: async (_tx, _job, chunks: readonly NewChunk[]) => {
      for (const chunk of chunks) rows[chunk.place] = { ...chunk, state: 'READY', fence: 0, doneSeconds: 0 };
    },
    list: async () => [...rows],
    claim: async (_tx, chunkId) => take(rows.find((row) => row.chunkId === chunkId && isReady(row))),
    claimNext: async () => take(rows.find(isReady)),
    finish: async (_tx, { chunk }, facts) => {
      rows[chunk.place] = { ...chunk, state: 'DONE', facts };
      return true;
    },
    takeFree: async () => [],
    progress: async () => true,
  };
  return { rows, store: store as ChunkStore };
}

/** The tickets of one client in memory. */
function queueInMemory() {
  const tickets: Ticket[] = [];
  const queue: Pick<JobQueue, 'enqueue' | 'take' | 'remove'> = {
    enqueue: async (_tx, added) => {
      tickets.push(...added);
      tickets.sort((a, b) => b.priority - a.priority);
    },
    take: async (_tx, { slots }) => tickets.splice(0, slots).map((ticket) => ({ ...ticket, receipt: 1 })),
    remove: async () => true,
  };
  return queue;
}

/**
 * Simulates how workers with one slot encode a video in the chunks of `auto`. The code that cuts, hands out, encodes and joins chunks is that
 * of the service; the times of ffmpeg and ffprobe are recorded, and the database and the queue are in memory.
 */
export async function simulateChunks(
  times: ChunkTimes,
  { workers, seconds }: { readonly workers: number; readonly seconds: number },
): Promise<SimulatedTime> {
  using clock = new VirtualClock();
  const parameters = { 'c:v': 'libx264', preset: 'medium', crf: '23', threads: '1', 'c:a': 'aac' };
  const request = { input: 'film.mp4', output: 'out.mp4', parameters };
  const plan = wholePlan(request, { chunks: true, cores: 1 });
  const planned = plan.chunks as ChunkTemplates;
  const inputBytes = seconds * times.inputBytesPerSecond;
  const costTo = costUntil(times, seconds);
  const audio = seconds * times.audioSeconds;
  /** The seconds that ffmpeg takes for each part, and the seconds of video in the part, by its file. */
  const runs = new Map<string, { readonly cost: number; readonly long: number }>();
  let encoded = 0;

  const note = (part: ChunkPart): ChunkPart => {
    const { start, seconds: long } = partSpan(part);
    const isVideo = part.chunk !== undefined;
    const cost = times.startSeconds + (isVideo ? costTo(start + long) - costTo(start) : audio);
    runs.set(`pass/${partFile(planned, part)}`, { cost, long: isVideo ? long : 0 });
    return part;
  };
  const maker: ChunkMaker = {
    planKeyOf: () => 'a plan',
    inputKeyOf: async () => 'an input',
    cut: async (_staged, lengthOf) => {
      await clock.sleep((inputBytes / times.listedBytesPerSecond) * 1000);
      const chosen = lengthOf(seconds);
      if (typeof chosen !== 'number') return chosen;
      const run = resultOf(cutAtKeyFrames(planned, framesOf(seconds), chosen));
      if (isWhole(run)) return run;
      return chunkParts(planned, run, { threads: 1, lengthSeconds: seconds }).map(note);
    },
    search: async () => undefined,
    trySample: async () => ({ ok: true, value: [], log: '' }),
    check: async (_staged, { chunk }) =>
      chunk === undefined ? { seconds: undefined } : { frames: [chunk.frames], headers: '' },
    checkJoined: async () => undefined,
    removeJoined: async () => undefined,
    compareJoined: () => [],
  };

  const { rows, store } = chunksInMemory();
  const queue = queueInMemory();
  const transactions: Transactions = {
    run: async (unit) => {
      await clock.sleep(STORE_MS);
      return unit({} as Tx);
    },
  };
  let released = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const joining = (seconds * times.outputBytesPerSecond) / times.joinedBytesPerSecond;
  const deps: ChunkedDeps = {
    ...{ transactions, chunks: store, queue, workerId: 'of the job' },
    media: { discardEarlier: async () => undefined },
    convert: async ({ plan: { outputs } }) => {
      const { cost, long } = runs.get(outputs[0]?.logical ?? '') ?? { cost: joining, long: 0 };
      await clock.sleep(1000 * cost);
      encoded += long;
      return { ok: true, outputs: [], warnings: [], log: '' };
    },
    space: {
      watch: () => ({
        ...{ signal, countDeletedFiles: () => undefined, end: () => undefined },
        ...{ hasFilledDisk: async () => false, hasMetFullDisk: async () => false },
      }),
    },
    onInternalError: (_jobId, error) => {
      throw error;
    },
    chunkMaker: async () => maker,
    chunkFiles: {
      ...{ keep: async () => 1, link: async () => true },
      ...{ remove: async () => undefined, sweep: async () => undefined },
    },
    jobs: { ticketOf: async () => undefined },
    changes: {
      publish: () => {
        released.resolve();
        released = Promise.withResolvers<void>();
      },
    },
  };
  const sharing = Array.from({ length: workers }, () => ({ concurrency: 1 }));
  const job = { jobId: 'job', clientId: 'client', request };
  const ofJob: SimulatedConversion = {
    ...{ claim: { job, fence: 1 }, needs: [] },
    staged: {
      plan,
      policy: {},
      scratch: { name: 'job.1' },
      freeBefore: 0,
      inputs: [{ sizeBytes: inputBytes }],
      signal,
    },
    lengthOf: await chunkLength('auto', { sharingWorkers: async () => sharing }),
    waitForTurn: async () => undefined,
    ...{ onStart: () => undefined, onProgress: () => undefined, onWatched: () => undefined, onLog: () => undefined },
  };
  const conversion = ofJob as ChunkedConversion;

  const claimDeps = {
    ...{ transactions, queue, chunks: store, now: () => new Date(0) },
    jobs: { claim: async () => undefined },
  };
  const takeOne = () =>
    claimJobs(
      claimDeps,
      [{ slots: 1, perClient: workers, lanes: ['full'], has: () => true }],
      Number.POSITIVE_INFINITY,
    );
  const encodeOthers = async (): Promise<void> => {
    for (;;) {
      const notified = released.promise;
      const { claimed, more } = await takeOne();
      const [work] = claimed;
      if (more) continue;
      if (work === undefined || !('chunk' in work)) {
        await notified;
        await clock.sleep(NOTICE_MS);
        continue;
      }
      const { staged, waitForTurn } = conversion;
      const onProgress = (): void => undefined;
      const result = await encodeChunk(deps, { job, claim: work.chunk, staged, waitForTurn, onProgress });
      await transactions.run((tx) => store.finish(tx, work.chunk, JSON.stringify(result)));
    }
  };
  for (let other = 1; other < workers; other += 1) void encodeOthers();
  const converted = await clock.run(convertInChunks(deps, conversion));
  if (isWhole(converted)) throw new Error(converted.whole);
  return { seconds: clock.seconds, alone: costTo(seconds) + audio, chunks: rows.length, encoded };
}
