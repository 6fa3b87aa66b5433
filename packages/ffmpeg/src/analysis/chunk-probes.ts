import { join } from 'node:path';
import type { Chunk, ChunkTemplates, EncodedVideo, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { runSteps } from '@telecine/contract/domain/steps.ts';
import { chunkFile } from '../chunks/argvs.ts';
import { chunkHeader, type PartFacts } from '../chunks/checks.ts';
import {
  readStarts,
  type SourceFrames,
  SourceFramesReader,
  sourceFramesArgs,
  startsArgs,
} from '../chunks/source-frames.ts';
import { readerOf, readRegularFile } from '../process/regular-file.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

/** Reads the frames of the input of a conversion. Throws `JobFailed` if ffprobe fails, and the reason of an abort. */
export async function readSourceFrames(c: FfprobeRun, planned: ChunkTemplates): Promise<SourceFrames | WholeReason> {
  await prepareWorkFolder(c.dir, c.mounts, c.sandbox, ['pass']);
  const reader = new SourceFramesReader();
  const onLine = (line: string): void => reader.feed(line);
  const failure = await runFfprobe(c, sourceFramesArgs(planned), c.timeoutSeconds, { onLine });
  c.signal.throwIfAborted();
  if (failure !== undefined) throw new JobFailed(failure);
  return runSteps(reader.end(), c.signal);
}

/** Reads when the first video and the first audio of a file begin, in seconds. undefined: ffprobe fails. */
export async function readFileStarts(
  c: FfprobeRun,
  logical: string,
): Promise<ReturnType<typeof readStarts> | undefined> {
  const lines: string[] = [];
  const failure = await runFfprobe(c, startsArgs(logical), c.timeoutSeconds, { onLine: (line) => lines.push(line) });
  c.signal.throwIfAborted();
  return failure === undefined ? readStarts(lines) : undefined;
}

/**
 * Reads the facts of an encoded chunk in `pass/`. undefined: the chunk is damaged.
 *
 * @param logged The videos of the chunk by the log of its run.
 */
export async function readChunk(
  { dir }: Pick<FfprobeRun, 'dir'>,
  planned: ChunkTemplates,
  { index }: Pick<Chunk, 'index'>,
  logged: readonly EncodedVideo[],
): Promise<PartFacts | undefined> {
  const path = join(dir, chunkFile(planned, index));
  const header = await readRegularFile(path, (file, size) => chunkHeader(readerOf(file), size));
  if (header === undefined) return undefined;
  return {
    frames: logged.map(({ packets }) => packets),
    headers: [header, ...logged.map(({ pixelFormat }) => pixelFormat)].join(' '),
  };
}
