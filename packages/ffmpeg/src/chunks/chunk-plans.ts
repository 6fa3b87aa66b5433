import type {
  Chunk,
  ChunkExtension,
  ChunkedRun,
  ChunkFamily,
  ChunkOutput,
  ChunkTemplates,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { outputOf, type Plan, type PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { chunkArgv, chunkFile, joinOfChunks, restArgv, restFile } from './chunk-argvs.ts';
import { type ChunkFacts, checkChunk, checkChunks } from './chunk-checks.ts';

/** One part of a conversion in chunks: a chunk of a family of videos, or all other streams of an output. Plain JSON. */
export type ChunkPart = ChunkOfFamily | RestOfOutput;

interface PartOfRun {
  /** The conversion, without its chunks. */
  readonly run: Omit<ChunkedRun, 'chunks'>;
  /** The threads of the encoder, the same for all chunks. */
  readonly threads: number;
  /** The seconds of the whole input. */
  readonly lengthSeconds: number;
}

interface ChunkOfFamily extends PartOfRun {
  readonly chunk: Chunk;
  /** The number of the family. */
  readonly family: number;
}

interface RestOfOutput extends PartOfRun {
  readonly chunk?: never;
  /** The number of the output. */
  readonly output: number;
}

/** Lists the parts of a conversion: first everything except the videos, if there is any, then the chunks in order. */
export function chunkParts(
  planned: ChunkTemplates,
  { chunks, ...run }: ChunkedRun,
  { threads, lengthSeconds }: Pick<ChunkPart, 'threads' | 'lengthSeconds'>,
): readonly ChunkPart[] {
  const common = { run, threads, lengthSeconds };
  return [
    ...planned.outputs.flatMap((_, output) =>
      restArgv(planned, output, run) === undefined ? [] : [{ ...common, output }],
    ),
    ...chunks.flatMap((chunk) => planned.families.map((_, family) => ({ ...common, family, chunk }))),
  ];
}

/** Returns the name of the file of a part in `pass/`. */
export const partFile = (planned: ChunkTemplates, part: ChunkPart): string =>
  (part.chunk === undefined
    ? restFile(outputIn(planned, part.output), part.output)
    : chunkFile(familyIn(planned, part.family), part.chunk.index)
  ).replace(/^pass\//, '');

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
 * Returns where a part begins in the output, and how long it is, in seconds. All parts without video together count as one length of the
 * output, because encoding audio is quick.
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
  const run = part.chunk === undefined ? restRun(plan, planned, part) : chunkRun(plan, planned, part);
  const { field, path } = outputOf(plan, part.chunk === undefined ? part.output : firstOf(planned, part.family));
  const output: PlannedOutput = {
    ...{ field, path, subfolder: '', names: [], folder: '', replace: false },
    logical: `pass/${partFile(planned, part)}`,
    muxer: run.extension === 'mkv' ? 'matroska' : run.extension,
    encoders: run.encoders,
    // The frames of a chunk keep the times of the whole conversion.
    span: { inputs: [{}], output: { duration: run.end }, shortest: false },
  };
  return { inputs: plan.inputs, outputs: [output], passes: [run.argv], warnings: [] };
}

/** The number of the first output of a family, which failures of its chunks name. */
const firstOf = ({ outputs }: Pick<ChunkTemplates, 'outputs'>, family: number): number =>
  outputs.findIndex((output) => output.family === family);

/** The run that encodes a part. `end`: where its frames end, in seconds. */
interface PartRun {
  readonly argv: readonly string[];
  readonly extension: ChunkExtension;
  readonly encoders: PlannedOutput['encoders'];
  readonly end: number;
}

function restRun(plan: Plan, planned: ChunkTemplates, { output, run, lengthSeconds }: RestOfOutput): PartRun {
  const argv = restArgv(planned, output, run);
  if (argv === undefined) throw new RangeError('The output has only video.');
  const { video: _, ...encoders } = outputOf(plan, output).encoders;
  return { argv, extension: outputIn(planned, output).extension, encoders, end: lengthSeconds };
}

function chunkRun(plan: Plan, planned: ChunkTemplates, part: ChunkOfFamily): PartRun {
  const family = familyIn(planned, part.family);
  const { start, seconds } = partSpan(part);
  return {
    argv: chunkArgv(planned, family, part.chunk, part),
    extension: family.extension,
    encoders: { video: videoEncoders(plan, planned, part.family) },
    end: start + seconds,
  };
}

/** The encoders of the videos of a family. */
const videoEncoders = ({ outputs }: Plan, planned: ChunkTemplates, family: number): readonly string[] => [
  ...new Set(
    outputs.flatMap(({ encoders }, index) => (planned.outputs[index]?.family === family ? (encoders.video ?? []) : [])),
  ),
];

/** Returns why the file of a part is not as planned. undefined: it is. */
export const checkPart = ({ chunk }: Pick<ChunkPart, 'chunk'>, found: ChunkFacts): WholeReason | undefined =>
  chunk && checkChunk(chunk, found);

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
  const ofFamilies = planned.families.map((_, family) =>
    parts.flatMap((part, at) =>
      part.chunk !== undefined && part.family === family ? [{ chunk: part.chunk, facts: facts[at] }] : [],
    ),
  );
  const run: ChunkedRun = { ...first.run, chunks: ofFamilies[0]?.map(({ chunk }) => chunk) ?? [] };
  const found = ofFamilies.map((chunks) => chunks.flatMap(({ facts: one }) => one ?? []));
  const mismatch = found.map((one) => checkChunks(run, one)).find((one) => one !== undefined);
  if (mismatch !== undefined) return mismatch;
  const encoders = found.map(([one]) => one?.encoders ?? []);
  const { argv, texts } = joinOfChunks(planned, run, encoders);
  return { ...plan, passes: [argv], texts: [...(plan.texts ?? []), ...texts] };
}
