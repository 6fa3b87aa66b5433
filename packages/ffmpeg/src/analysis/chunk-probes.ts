import type { Chunk, ChunkFamily, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { type ChunkFacts, chunkProbeArgs, readChunkFacts } from '../chunks/chunk-checks.ts';
import { type SourceIndex, SourceIndexReader, sourceIndexArgs } from '../chunks/source-index.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

/** Reads the frames of the input of a conversion. Throws `JobFailed` if ffprobe fails, and the reason of an abort. */
export async function readSourceIndex(c: FfprobeRun, planned: ChunkTemplates): Promise<SourceIndex | WholeReason> {
  await prepareWorkFolder(c.dir, c.mounts, c.sandbox, ['pass']);
  const reader = new SourceIndexReader();
  await list(c, sourceIndexArgs(planned), (line) => reader.feed(line));
  return reader.end();
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
