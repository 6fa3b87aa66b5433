import { type FileHandle, open } from 'node:fs/promises';
import { type ByteRange, joinRanges } from '@telecine/contract/domain/byte-ranges.ts';
import type { Chunk, ChunkedRun, ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { type InSteps, runSteps } from '@telecine/contract/domain/steps.ts';
import { readIndexOnly, readSourceHead, readSourceIndex } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import type { FfprobeRun } from '@telecine/ffmpeg/analysis/run-ffprobe.ts';
import { HEAD_BYTES } from '@telecine/ffmpeg/chunks/chunk-bytes.ts';
import { type ChunkPart, chunkParts } from '@telecine/ffmpeg/chunks/chunk-plans.ts';
import { type ChunkLength, cutChunks } from '@telecine/ffmpeg/chunks/cut-points.ts';
import { movPackets, type ReadBytes } from '@telecine/ffmpeg/chunks/mov-layout.ts';
import type { SourceIndex, SourceIndexReader } from '@telecine/ffmpeg/chunks/source-index.ts';
import { READ_FLAGS, readerOf } from '@telecine/ffmpeg/process/regular-file.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import { type ChunkLengths, isWhole, type LengthsOf, type WholeReason } from '../ports/chunk-maker.ts';

export interface CutOptions {
  readonly planned: ChunkTemplates;
  /** Returns how long the chunks of an input of this length in seconds should be, or why chunks do not pay. */
  readonly lengthsOf: LengthsOf;
  /** The most seconds of video that the client may convert. */
  readonly mostSeconds: number;
  /** The size of the input if its first chunks may be cut while the rest is read. undefined: all are cut at the end. */
  readonly fileBytes: number | undefined;
  /** True if only the bytes of `bytesToCut` are there. */
  readonly isIndexOnly?: boolean;
  /** The parts that an earlier attempt has stored, in order. */
  readonly stored: readonly ChunkPart[];
  /** Called with parts, in order, and the share of the video that is cut. Not called with stored parts. */
  readonly onParts: (parts: readonly ChunkPart[], share: number) => void;
}

/** The most chunks of a job. Each costs a start of ffmpeg and rows in the database. */
const MAX_CHUNKS = 500;

/** How many seconds of frames a list needs beyond the first chunks, because the order of the last frames is not certain. */
const BEYOND_SECONDS = 15;

/** The most bytes that the index at the end of a Matroska file is expected to have. */
const MATROSKA_TAIL_BYTES = 5_500_000;

/** Cuts an input. Resolves to the reason if it cannot be cut, which may be found after some parts were cut. */
export async function cutInput(c: FfprobeRun, options: CutOptions): Promise<WholeReason | undefined> {
  const { planned, mostSeconds, fileBytes } = options;
  const cuts = new Cuts(options, c.signal);
  if (options.isIndexOnly) {
    const index = await readIndexOnly(c, planned);
    return isWhole(index) ? index : cuts.end(index);
  }
  const head = fileBytes === undefined ? undefined : await readSourceHead(c, planned);
  const stated = head?.statedSeconds;
  const length = stated === undefined || stated > mostSeconds ? undefined : cuts.lengthFor(stated);
  if (head === undefined || fileBytes === undefined || stated === undefined || !length || isWhole(length)) {
    const index = await readSourceIndex(c, planned);
    return isWhole(index) ? index : cuts.end(index);
  }
  const ended = new AbortController();
  let reason: WholeReason | undefined;
  const onIndex = async (listed: InSteps<SourceIndex | WholeReason>): Promise<void> => {
    if (ended.signal.aborted) return;
    try {
      const index = await runSteps(listed, c.signal);
      reason = isWhole(index) ? index : await cuts.begin(index, length, stated);
      if (reason !== undefined) ended.abort();
    } catch (error) {
      ended.abort(error);
    }
  };
  const ahead = {
    firstSeconds: 2 * length.seconds + BEYOND_SECONDS,
    packetsEnd: await packetsEnd(c, head, fileBytes),
    onIndex,
  };
  const run = { ...c, signal: AbortSignal.any([c.signal, ended.signal]) };
  try {
    const index = await readSourceIndex(run, planned, head, ahead);
    return isWhole(index) ? index : cuts.end(index);
  } catch (error) {
    if (reason !== undefined) return reason;
    throw error;
  }
}

/** Where all packets of an input end, before they are listed. undefined: that is not known. */
async function packetsEnd(
  { mounts: [mount] }: FfprobeRun,
  { format }: SourceIndexReader,
  fileBytes: number,
): Promise<number | undefined> {
  if (format === 'matroska') return Math.max(0, fileBytes - MATROSKA_TAIL_BYTES);
  if (format !== 'mov' || mount === undefined) return undefined;
  await using file = await openFile(mount.hostPath);
  return (await movPackets(readerOf(file), fileBytes))?.[1];
}

const openFile = (path: string): Promise<FileHandle> => open(path, READ_FLAGS);

/** Thrown to end a reading at the first bytes that are not there. */
class NotCopied extends Error {
  override readonly name = 'NotCopied';
}

/**
 * Returns the bytes of a file that show where an MP4 can be cut: all but its packets, and the first of these, whose streams
 * ffprobe examines. While the file lacks bytes that tell which these are, returns those as well. undefined: the file must be
 * read whole.
 *
 * @param copied The bytes that are there.
 */
export async function bytesToCut(
  path: string,
  fileBytes: number,
  copied: readonly ByteRange[],
): Promise<readonly ByteRange[] | undefined> {
  await using file = await openFile(path);
  const read = readerOf(file);
  let missing: ByteRange | undefined;
  const readCopied: ReadBytes = (position, length) => {
    const end = Math.min(position + length, fileBytes);
    if (copied.some(([from, to]) => from <= position && end <= to)) return read(position, length);
    missing = [position, end];
    throw new NotCopied();
  };
  try {
    const packets = await movPackets(readCopied, fileBytes);
    if (packets === undefined) return undefined;
    const [first, end] = packets;
    const head: ByteRange = [0, Math.min(first + HEAD_BYTES, end)];
    return joinRanges([...copied, head, [end, fileBytes]]);
  } catch (error) {
    if (!(error instanceof NotCopied) || missing === undefined) throw error;
    return joinRanges([...copied, missing]);
  }
}

const TOO_LONG: WholeReason = { whole: 'The input is longer than the client may convert.' };

/** The cuts of an input so far. `begin` and `end` work in steps, and reject with the reason of an abort. */
export class Cuts {
  readonly #options: CutOptions;
  readonly #signal: AbortSignal;
  /** See `CutProgress.begun`. */
  #begun: readonly number[];
  /** What all parts say about the streams. undefined: no part is cut. */
  #streams: string | undefined;

  constructor(options: CutOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const { families } = options.planned;
    this.#begun = startsOf(
      options.stored.flatMap((part) =>
        part.chunk !== undefined && part.family === families.length - 1 ? [part.chunk] : [],
      ),
    );
    this.#streams = options.stored[0] && JSON.stringify(options.stored[0].run);
  }

  /** How long the chunks of a video of this length should be. */
  lengthFor(seconds: number): ChunkLength | WholeReason {
    const { planned, lengthsOf } = this.#options;
    const wanted = lengthsOf(seconds);
    if (isWhole(wanted) && this.#begun.length < 2) return wanted;
    // Workers may have left since the first chunks were cut.
    const lengths: ChunkLengths = isWhole(wanted) ? { seconds: meanLength(this.#begun) } : wanted;
    const least = (seconds * planned.families.length) / MAX_CHUNKS;
    const { end } = lengths;
    return {
      seconds: Math.max(lengths.seconds, least),
      ...(end && { end: { span: end.span, seconds: Math.max(end.seconds, least) } }),
    };
  }

  /** Cuts the beginning of an input, of which the rest is not listed. */
  async begin(index: SourceIndex, length: ChunkLength, statedSeconds: number): Promise<WholeReason | undefined> {
    const { planned, mostSeconds } = this.#options;
    // The stated length may be false.
    if (secondsOf(index) > mostSeconds) return TOO_LONG;
    const [tickSize, perSecond] = index.timeBase;
    const firstSeconds = ((index.ticks[0] ?? 0) * tickSize) / perSecond;
    const endSeconds = firstSeconds + statedSeconds;
    const run = await runSteps(cutChunks(planned, index, length, { begun: this.#begun, endSeconds }), this.#signal);
    if (isWhole(run)) return run;
    const begun = startsOf(run.chunks);
    const share = ((begun.at(-1) ?? 0) / 1e6 - firstSeconds) / statedSeconds;
    return this.#add(run, statedSeconds, Math.min(1, share));
  }

  /** Cuts the rest of an input whose frames are all listed. */
  async end(index: SourceIndex): Promise<WholeReason | undefined> {
    const { planned, mostSeconds } = this.#options;
    const seconds = secondsOf(index);
    const length = this.lengthFor(seconds);
    if (isWhole(length)) return length;
    // Without chunks, the run fails as soon as it exceeds the limit. In chunks, the limit would show only after all are encoded.
    if (seconds > mostSeconds) return TOO_LONG;
    const run = await runSteps(cutChunks(planned, index, length, { begun: this.#begun }), this.#signal);
    if (isWhole(run)) return run;
    return this.#add(run, seconds, 1);
  }

  #add(run: ChunkedRun, lengthSeconds: number, share: number): WholeReason | undefined {
    const { planned, onParts } = this.#options;
    // The last start is that of a chunk whose end was not certain.
    const before = Math.max(0, this.#begun.length - 1);
    if (run.chunks.length <= before) return undefined;
    const { chunks, ...ofStreams } = run;
    const streams = JSON.stringify(ofStreams);
    const isFirst = this.#streams === undefined;
    this.#streams ??= streams;
    if (streams !== this.#streams) return { whole: 'Some streams of the input begin later than its video.' };
    const parts = chunkParts(planned, run, { threads: CORES, lengthSeconds }).filter(({ chunk }) =>
      chunk === undefined ? isFirst : chunk.index >= before,
    );
    this.#begun = startsOf(chunks);
    onParts(parts, share);
    return undefined;
  }
}

/** The seconds from the first frame to the end of the last one. */
function secondsOf({ ticks, durations, timeBase: [tickSize, perSecond] }: SourceIndex): number {
  const last = ticks.length - 1;
  return (((ticks[last] ?? 0) - (ticks[0] ?? 0) + (durations[last] ?? 0)) * tickSize) / perSecond;
}

/** Where chunks begin, and the one after them, in microseconds from the start of the file. */
const startsOf = (chunks: readonly Pick<Chunk, 'startMicros' | 'lengthMicros'>[]): readonly number[] => {
  const last = chunks.at(-1);
  const next = last?.lengthMicros === undefined ? [] : [last.startMicros + last.lengthMicros];
  return [...chunks.map(({ startMicros }) => startMicros), ...next];
};

const meanLength = (starts: readonly number[]): number =>
  ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 1e6 / (starts.length - 1);
