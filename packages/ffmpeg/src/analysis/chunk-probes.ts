import type { ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { type ChunkFacts, chunkProbeArgs, readChunkFacts } from '../chunks/chunk-checks.ts';
import { type SourceIndex, SourceIndexReader, sourceIndexArgs } from '../chunks/source-index.ts';
import { linkMounts } from '../sandbox/work-folder.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

/** Reads the frames of the input of a conversion. Throws `JobFailed` if ffprobe fails. */
export async function readSourceIndex(c: FfprobeRun, planned: ChunkTemplates): Promise<SourceIndex | WholeReason> {
  await linkMounts(c.dir, c.mounts, c.sandbox);
  const reader = new SourceIndexReader();
  const onLine = (line: string): void => reader.feed(line);
  const failure = await runFfprobe(c, sourceIndexArgs(planned), c.timeoutSeconds, { onLine });
  if (failure !== undefined) throw new JobFailed(failure);
  return reader.end();
}

/** Reads the facts of an encoded chunk in `pass/`. undefined: the chunk is damaged. */
export async function probeChunk(
  c: FfprobeRun,
  planned: ChunkTemplates,
  index: number,
): Promise<ChunkFacts | undefined> {
  const lines: string[] = [];
  const onLine = (line: string): void => void lines.push(line);
  const failure = await runFfprobe(c, chunkProbeArgs(planned, index), c.timeoutSeconds, { onLine });
  return failure === undefined ? readChunkFacts(lines.join('\n')) : undefined;
}
