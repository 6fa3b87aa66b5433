import type {
  Chunk,
  ChunkedRun,
  ChunkFamily,
  ChunkOutput,
  ChunkTemplates,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { outputOf, type Plan, type PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { chunkArgv, chunkFile, joinOfChunks, restArgv, restFile } from './chunk-argvs.ts';
import { type ChunkFacts, checkChunks } from './chunk-checks.ts';

/** One part of a conversion in chunks: a chunk of a family of videos, or all other streams of an output. Plain JSON. */
export interface ChunkPart {
  /** Absent: all streams of an output except its videos. */
  readonly chunk?: Chunk;
  /** The number of the family of a chunk, or of the output. */
  readonly of: number;
  /** The conversion, without its chunks. */
  readonly run: Omit<ChunkedRun, 'chunks'>;
  /** The threads of the encoder, the same for all chunks. */
  readonly threads: number;
  /** The seconds of the whole input. */
  readonly lengthSeconds: number;
}

/** Lists the parts of a conversion: first everything except the videos, if there is any, then the chunks in order. */
export function chunkParts(
  planned: ChunkTemplates,
  { chunks, ...run }: ChunkedRun,
  { threads, lengthSeconds }: Pick<ChunkPart, 'threads' | 'lengthSeconds'>,
): readonly ChunkPart[] {
  const common = { run, threads, lengthSeconds };
  return [
    ...planned.outputs.flatMap((_, of) => (restArgv(planned, of, run) === undefined ? [] : [{ ...common, of }])),
    ...chunks.flatMap((chunk) => planned.families.map((_, of) => ({ ...common, of, chunk }))),
  ];
}

/** Returns the name of the file of a part in `pass/`. */
export const partFile = (planned: ChunkTemplates, { chunk, of }: Pick<ChunkPart, 'chunk' | 'of'>): string =>
  (chunk === undefined ? restFile(outputIn(planned, of), of) : chunkFile(familyIn(planned, of), chunk.index)).replace(
    /^pass\//,
    '',
  );

/** Returns the family of videos with this number. */
export function familyIn({ families }: Pick<ChunkTemplates, 'families'>, index: number): ChunkFamily {
  const family = families[index];
  if (family === undefined) throw new RangeError(`There is no family ${index}.`);
  return family;
}

function outputIn({ outputs }: Pick<ChunkTemplates, 'outputs'>, index: number): ChunkOutput {
  const output = outputs[index];
  if (output === undefined) throw new RangeError(`There is no output ${index}.`);
  return output;
}

/**
 * Returns where a part begins in the output, and how long it is, in seconds. The parts without video count as one, because encoding audio
 * is quick.
 */
export function partSpan({ chunk, run, lengthSeconds }: ChunkPart): {
  readonly start: number;
  readonly seconds: number;
} {
  if (chunk === undefined)
    return { start: 0, seconds: lengthSeconds / Math.max(1, run.outputs.filter(({ hasRest }) => hasRest).length) };
  const start = chunk.startMicros / 1e6;
  const seconds = chunk.lengthMicros === undefined ? lengthSeconds - start : chunk.lengthMicros / 1e6;
  return { start, seconds: Math.max(0, seconds) };
}

/** Plans the run of a part. Its only output is the file of the part. */
export function planPart(plan: Plan, planned: ChunkTemplates, part: ChunkPart): Plan {
  const { chunk, of, run, threads, lengthSeconds } = part;
  const argv =
    chunk === undefined ? restArgv(planned, of, run) : chunkArgv(planned, familyIn(planned, of), chunk, { threads });
  if (argv === undefined) throw new RangeError('The conversion has only video.');
  const { start, seconds } = partSpan(part);
  const { field, path, encoders } = outputOf(plan, chunk === undefined ? of : 0);
  const { video: _, ...others } = encoders;
  const { extension } = chunk === undefined ? outputIn(planned, of) : familyIn(planned, of);
  const output: PlannedOutput = {
    ...{ field, path, subfolder: '', names: [], folder: '', replace: false },
    logical: `pass/${partFile(planned, part)}`,
    muxer: extension === 'mkv' ? 'matroska' : extension,
    encoders: chunk === undefined ? others : { video: videoEncoders(plan, planned, of) },
    // The frames of a chunk keep the times of the whole.
    span: {
      inputs: [{}],
      output: { duration: chunk === undefined ? lengthSeconds : start + seconds },
      shortest: false,
    },
  };
  return { inputs: plan.inputs, outputs: [output], passes: [argv], warnings: [] };
}

/** The encoders of the videos of a family. */
const videoEncoders = ({ outputs }: Plan, planned: ChunkTemplates, family: number): readonly string[] => [
  ...new Set(
    outputs.flatMap(({ encoders }, index) => (planned.outputs[index]?.family === family ? (encoders.video ?? []) : [])),
  ),
];

/**
 * Plans the run that joins the files of all parts, which are in `pass/`, to the outputs of the conversion. Returns a reason if they do not
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
  const own = parts.map((part, at) => ({ ...part, facts: facts[at] }));
  const run: ChunkedRun = {
    ...first.run,
    chunks: own.flatMap(({ chunk, of }) => (chunk === undefined || of !== 0 ? [] : [chunk])),
  };
  const ofFamilies = planned.families.map((_, family) =>
    own.flatMap(({ chunk, of, facts: found }) => (chunk === undefined || of !== family ? [] : (found ?? []))),
  );
  const mismatch = ofFamilies.map((found) => checkChunks(run, found)).find((one) => one !== undefined);
  if (mismatch !== undefined) return mismatch;
  const encoders = ofFamilies.map(([found]) => found?.encoders ?? []);
  const { argv, texts } = joinOfChunks(planned, run, encoders);
  return { ...plan, passes: [argv], texts: [...(plan.texts ?? []), ...texts] };
}
