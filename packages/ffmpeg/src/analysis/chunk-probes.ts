import type { Chunk, ChunkFamily, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { type InSteps, runSteps } from '@telecine/contract/domain/steps.ts';
import { type ChunkFacts, chunkProbeArgs, readChunkFacts } from '../chunks/chunk-checks.ts';
import {
  packetsOfIndexArgs,
  type SourceIndex,
  SourceIndexReader,
  sourceHeadArgs,
  sourceIndexArgs,
} from '../chunks/source-index.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

/** How to use the first part of a list of frames while the rest is still being read. */
export interface ListAhead {
  /**
   * How many seconds of the video are listed when `onIndex` is called first. Then it is called each time that twice as many are, if it
   * has ended.
   */
  readonly firstSeconds: number;
  /** See `SourceIndexReader.soFar`. */
  readonly packetsEnd: number | undefined;
  /** Called with the work that makes the index of what is listed until its first step. Must not throw or reject. */
  readonly onIndex: (index: InSteps<SourceIndex | WholeReason>) => Promise<void>;
}

/** After how many lines the reader is asked how much is listed. */
const LINES_PER_LOOK = 1000;

/**
 * Reads the streams and the length of the input of a conversion, and returns a reader that knows them. Throws like
 * `readSourceIndex`.
 */
export async function readSourceHead(c: FfprobeRun, planned: ChunkTemplates): Promise<SourceIndexReader> {
  await prepareWorkFolder(c.dir, c.mounts, c.sandbox, ['pass']);
  const reader = new SourceIndexReader();
  await list(c, sourceHeadArgs(planned), (line) => reader.feed(line));
  return reader;
}

/**
 * Reads the frames of the input of a conversion. Throws `JobFailed` if ffprobe fails, and the reason of an abort.
 *
 * @param reader From `readSourceHead`, if there is `ahead`.
 */
export async function readSourceIndex(
  c: FfprobeRun,
  planned: ChunkTemplates,
  reader = new SourceIndexReader(),
  ahead?: ListAhead,
): Promise<SourceIndex | WholeReason> {
  await prepareWorkFolder(c.dir, c.mounts, c.sandbox, ['pass']);
  if (ahead === undefined) {
    await list(c, sourceIndexArgs(planned), (line) => reader.feed(line));
    return runSteps(reader.end(), c.signal);
  }
  let [lines, nextSeconds] = [0, ahead.firstSeconds];
  let running: Promise<void> | undefined;
  const listed = list(c, sourceIndexArgs(planned), (line) => {
    reader.feed(line);
    lines += 1;
    if (lines % LINES_PER_LOOK !== 0 || running !== undefined) return;
    const { listedSeconds } = reader;
    if (listedSeconds < nextSeconds) return;
    nextSeconds = listedSeconds * 2;
    running = ahead.onIndex(reader.soFar(ahead.packetsEnd)).finally(() => {
      running = undefined;
    });
  });
  await listed.finally(() => running);
  return runSteps(reader.end(), c.signal);
}

/** Reads the frames of an MP4 file of which only the headers, the index and the first packets are there. Throws like `readSourceIndex`. */
export async function readIndexOnly(c: FfprobeRun, planned: ChunkTemplates): Promise<SourceIndex | WholeReason> {
  const reader = await readSourceHead(c, planned);
  await list(c, packetsOfIndexArgs(planned), (line) => reader.feed(line));
  return runSteps(reader.end(), c.signal);
}

/** Reads the facts of an encoded chunk of a family of videos in `pass/`. undefined: the chunk is damaged. Throws like `readSourceIndex`. */
export async function probeChunk(
  c: FfprobeRun,
  family: ChunkFamily,
  chunk: Pick<Chunk, 'index' | 'lengthMicros'>,
): Promise<ChunkFacts | undefined> {
  const lines: string[] = [];
  try {
    await list(c, chunkProbeArgs(family, chunk.index), (line) => void lines.push(line));
  } catch (error) {
    if (!(error instanceof JobFailed) || error.failure.code !== 'INPUT_INVALID') throw error;
    return undefined;
  }
  return readChunkFacts(lines.join('\n'), family, chunk);
}

async function list(c: FfprobeRun, argv: readonly string[], onLine: (line: string) => void): Promise<void> {
  const failure = await runFfprobe(c, argv, c.timeoutSeconds, { onLine });
  c.signal.throwIfAborted();
  if (failure !== undefined) throw new JobFailed(failure);
}
