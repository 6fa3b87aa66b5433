import { basename } from 'node:path/posix';
import type { Chunk, ChunkedRun, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { outputOf, type Plan, type PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { chunkArgv, chunkFile, joinOfChunks, restArgv, restFile, withChosenValues } from './argvs.ts';
import { checkHeaders, type PartFacts } from './checks.ts';
import { isShifted, SHIFT_SECONDS } from './placeholders.ts';
import type { readStarts } from './source-frames.ts';

/** One part of a conversion in chunks: a chunk of the videos, or all other streams of the output with a number. Plain JSON. */
export type ChunkPart = PartOfRun & ({ readonly chunk: Chunk } | { readonly chunk?: never; readonly output: number });

interface PartOfRun {
  /** The conversion, without its chunks. */
  readonly run: Omit<ChunkedRun, 'chunks'>;
  /** The threads of the encoder, the same for all chunks. */
  readonly threads: number;
  /** The seconds from the first frame of the whole input to the end of the last one. */
  readonly lengthSeconds: number;
}

/** Lists the parts of a conversion: first everything except the videos, if there is any, then the chunks in order. */
export function chunkParts(
  planned: ChunkTemplates,
  { chunks, ...run }: ChunkedRun,
  length: Pick<ChunkPart, 'threads' | 'lengthSeconds'>,
): readonly ChunkPart[] {
  const rests = planned.outputs.flatMap((_, output) => (restArgv(planned, output, run) === undefined ? [] : [output]));
  return [
    ...rests.map((output): ChunkPart => ({ run, ...length, output })),
    ...chunks.map((chunk): ChunkPart => ({ run, ...length, chunk })),
  ];
}

/** The name of the file of a part in `pass/`. */
export const partFile = (planned: ChunkTemplates, part: ChunkPart): string =>
  basename(part.chunk === undefined ? restFile(planned, part.output) : chunkFile(planned, part.chunk.index));

/**
 * Where a part begins in the output, and how long it is, in seconds. All parts without video together count as a tenth of the output, because
 * encoding audio is quick.
 */
export function partSpan({ chunk, run, lengthSeconds }: ChunkPart) {
  if (chunk === undefined)
    return { start: 0, seconds: lengthSeconds / 10 / Math.max(1, run.hasRest.filter(Boolean).length) };
  const start = chunk.startMicros / 1e6;
  const seconds = chunk.lengthMicros === undefined ? lengthSeconds - start : chunk.lengthMicros / 1e6;
  return { start, seconds: Math.max(0, seconds) };
}

/**
 * When a part begins in the whole, in seconds: the video of a chunk, or the audio of the other streams. undefined: it is not known.
 *
 * @param starts Of its file.
 */
export function partStart(
  { outputs }: Pick<ChunkTemplates, 'outputs'>,
  part: ChunkPart,
  { video, audio }: ReturnType<typeof readStarts>,
): number | undefined {
  if (part.chunk !== undefined) return video === undefined ? undefined : video - SHIFT_SECONDS;
  const isLate = isShifted(outputs[part.output]?.extension ?? 'mp4');
  return audio === undefined ? undefined : audio - (isLate ? SHIFT_SECONDS : 0);
}

/** Plans the run of a part. Its only output is the file of the part. */
export function planPart(plan: Plan, planned: ChunkTemplates, part: ChunkPart): Plan {
  const { chunk, run, threads } = part;
  const argv =
    chunk === undefined
      ? restArgv(planned, part.output, run)
      : chunkArgv(withChosenValues(planned, run), chunk, threads);
  if (argv === undefined) throw new RangeError('The output has only video.');
  const { field, path, encoders } = outputOf(plan, chunk === undefined ? part.output : 0);
  const { video: _, ...others } = encoders;
  const videos = new Set(plan.outputs.flatMap((one) => one.encoders.video ?? []));
  const file = partFile(planned, part);
  const { start, seconds } = partSpan(part);
  const output: PlannedOutput = {
    ...{ field, path, subfolder: '', names: [], folder: '', replace: false },
    logical: `pass/${file}`,
    muxer: file.endsWith('.mkv') ? 'matroska' : file.slice(file.lastIndexOf('.') + 1),
    encoders: chunk === undefined ? others : { video: [...videos] },
    // The first chunk tells what all chunks have lost of the source. The join tells their length.
    ...(chunk !== undefined && chunk.index > 0 && { needsNoProbe: true }),
    // The frames of a chunk keep the times of the whole conversion.
    span: {
      ...{ inputs: [{}], shortest: false },
      output: { duration: chunk === undefined ? part.lengthSeconds : start + seconds },
    },
  };
  return { inputs: plan.inputs, outputs: [output], passes: [argv], warnings: [] };
}

/**
 * Plans the run that joins the files of all parts, which are in `pass/`, to the outputs of the conversion. Returns a reason if they do not
 * fit together.
 *
 * @param facts Of each part.
 */
export function planChunkJoin(
  plan: Plan,
  planned: ChunkTemplates,
  parts: readonly ChunkPart[],
  facts: readonly PartFacts[],
): Plan | WholeReason {
  const [first] = parts;
  if (first === undefined) return { whole: 'There are no chunks.' };
  const mismatch = checkHeaders(facts);
  if (mismatch !== undefined) return mismatch;
  const run = { ...first.run, chunks: parts.flatMap(({ chunk }) => chunk ?? []) };
  const { argv, text } = joinOfChunks(withChosenValues(planned, run), run);
  const { chosen } = run;
  return { ...plan, passes: [argv], texts: [...(plan.texts ?? []), text], ...(chosen && { chosen }) };
}
