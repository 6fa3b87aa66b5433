import { join } from 'node:path';
import type {
  Chunk,
  ChunkFamily,
  ChunkTemplates,
  EncodedVideo,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { type InSteps, runSteps } from '@telecine/contract/domain/steps.ts';
import { chunkFile } from '../chunks/chunk-argvs.ts';
import {
  type ChunkFacts,
  type ChunkVideos,
  chunkFacts,
  chunkProbeArgs,
  readProbedChunk,
} from '../chunks/chunk-checks.ts';
import { chunkHeader } from '../chunks/chunk-header.ts';
import {
  packetsOfIndexArgs,
  type SourceIndex,
  SourceIndexReader,
  sourceHeadArgs,
  sourceIndexArgs,
} from '../chunks/source-index.ts';
import { readerOf, readRegularFile } from '../process/regular-file.ts';
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

/**
 * Reads the facts of an encoded chunk of a family of videos in `pass/`. undefined: the chunk is damaged. Throws like `readSourceIndex`.
 *
 * @param logged The videos of the chunk by the log of its run. Empty: the log does not tell.
 */
export async function readChunk(
  c: FfprobeRun,
  family: ChunkFamily,
  chunk: Pick<Chunk, 'index' | 'lengthMicros'>,
  logged: readonly EncodedVideo[],
): Promise<ChunkFacts | undefined> {
  const header = await readRegularFile(join(c.dir, chunkFile(family, chunk.index)), (file, size) =>
    chunkHeader(family.extension, readerOf(file), size),
  );
  if (header === undefined) return undefined;
  // Starting ffprobe costs 67 ms of processor time with the libraries of Debian. Only a limit of the bit rate needs the size and the time of each frame.
  const needsProbe = family.limits !== undefined || logged.length !== family.videos;
  const found = needsProbe ? await probeChunk(c, family, chunk.index) : { videos: logged };
  return found && chunkFacts(header, found, family, chunk);
}

async function probeChunk(c: FfprobeRun, family: ChunkFamily, index: number): Promise<ChunkVideos | undefined> {
  const lines: string[] = [];
  try {
    await list(c, chunkProbeArgs(family, index), (line) => void lines.push(line));
  } catch (error) {
    if (!(error instanceof JobFailed) || error.failure.code !== 'INPUT_INVALID') throw error;
    return undefined;
  }
  return readProbedChunk(lines.join('\n'), family);
}

async function list(c: FfprobeRun, argv: readonly string[], onLine: (line: string) => void): Promise<void> {
  const failure = await runFfprobe(c, argv, c.timeoutSeconds, { onLine });
  c.signal.throwIfAborted();
  if (failure !== undefined) throw new JobFailed(failure);
}
