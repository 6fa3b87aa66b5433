import type { Chunk, ChunkedRun, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { outputOf, type Plan, type PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { chunkArgv, chunkFile, joinOfChunks, restArgv, restFile } from './chunk-argvs.ts';
import { type ChunkFacts, checkChunk, checkChunks } from './chunk-checks.ts';

/** One part of a conversion in chunks: a chunk of the video, or everything except the video. Plain JSON. */
export interface ChunkPart {
  /** Absent: everything except the video. */
  readonly chunk?: Chunk;
  /** The conversion, without its chunks. */
  readonly run: Omit<ChunkedRun, 'chunks'>;
  /** The threads of the encoder, the same for all chunks. */
  readonly threads: number;
  /** The seconds of the whole input. */
  readonly lengthSeconds: number;
}

/** Lists the parts of a conversion: first everything except the video, if there is any, then the chunks in order. */
export function chunkParts(
  planned: ChunkTemplates,
  { chunks, ...run }: ChunkedRun,
  { threads, lengthSeconds }: Pick<ChunkPart, 'threads' | 'lengthSeconds'>,
): readonly ChunkPart[] {
  const rest = restArgv(planned, { ...run, chunks });
  const common = { run, threads, lengthSeconds };
  return [...(rest === undefined ? [] : [common]), ...chunks.map((chunk) => ({ ...common, chunk }))];
}

/** Returns the name of the file of a part in `pass/`. */
export const partFile = (planned: ChunkTemplates, { chunk }: Pick<ChunkPart, 'chunk'>): string =>
  (chunk === undefined ? restFile(planned) : chunkFile(planned, chunk.index)).replace(/^pass\//, '');

/** Returns where a part begins in the output, and how long it is, in seconds. */
export function partSpan({ chunk, lengthSeconds }: ChunkPart): { readonly start: number; readonly seconds: number } {
  if (chunk === undefined) return { start: 0, seconds: lengthSeconds };
  const start = chunk.startMicros / 1e6;
  const seconds = chunk.lengthMicros === undefined ? lengthSeconds - start : chunk.lengthMicros / 1e6;
  return { start, seconds: Math.max(0, seconds) };
}

/** Plans the run of a part. Its only output is the file of the part. */
export function planPart(plan: Plan, planned: ChunkTemplates, part: ChunkPart): Plan {
  const argv =
    part.chunk === undefined
      ? restArgv(planned, { ...part.run, chunks: [] })
      : chunkArgv(planned, part.chunk, { threads: part.threads });
  if (argv === undefined) throw new RangeError('The conversion has only video.');
  const { start, seconds } = partSpan(part);
  const { encoders, field, path } = outputOf(plan, 0);
  const { video, ...others } = encoders;
  const output: PlannedOutput = {
    ...{ field, path, subfolder: '', names: [], folder: '', replace: false },
    logical: `pass/${partFile(planned, part)}`,
    muxer: planned.extension === 'mkv' ? 'matroska' : planned.extension,
    encoders: part.chunk === undefined ? others : video === undefined ? {} : { video },
    // The frames of a chunk keep the times of the whole.
    span: { inputs: [{}], output: { duration: start + seconds }, shortest: false },
  };
  return { inputs: plan.inputs, outputs: [output], passes: [argv], warnings: [] };
}

/** Returns why the file of a part is not as planned. undefined: it is. */
export const checkPart = ({ chunk }: Pick<ChunkPart, 'chunk'>, found: ChunkFacts): WholeReason | undefined =>
  chunk && checkChunk(chunk, found);

/**
 * Plans the run that joins the files of all parts, which are in `pass/`, to the output of the conversion. Returns a reason if they do not
 * fit together.
 *
 * @param facts What `readChunkFacts` found in the file of each part. undefined for the file without video.
 */
export function planChunkJoin(
  plan: Plan,
  planned: ChunkTemplates,
  parts: readonly ChunkPart[],
  facts: readonly (ChunkFacts | undefined)[],
): Plan | WholeReason {
  const [first] = parts;
  if (first === undefined) return { whole: 'There are no chunks.' };
  const run: ChunkedRun = { ...first.run, chunks: parts.flatMap(({ chunk }) => chunk ?? []) };
  const ofChunks = facts.flatMap((found, at) => (parts[at]?.chunk === undefined || found === undefined ? [] : [found]));
  const mismatch = checkChunks(run, ofChunks);
  if (mismatch !== undefined) return mismatch;
  const { argv, texts } = joinOfChunks(planned, run, ofChunks[0]?.encoder);
  return { ...plan, passes: [argv], texts: [...(plan.texts ?? []), ...texts] };
}
