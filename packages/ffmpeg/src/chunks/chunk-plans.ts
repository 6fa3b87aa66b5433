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
import { correctedRates, shareRate, TOLERANCE_OF_SIZE } from './bit-budget.ts';
import { chunkArgv, chunkFile, joinOfChunks, restArgv, restFile } from './chunk-argvs.ts';
import { type ChunkFacts, checkChunk, checkChunks } from './chunk-checks.ts';
import { mostRateOfLevel } from './level-rate.ts';
import { brokenJoins } from './rate-buffer.ts';

/** One part of a conversion in chunks: a chunk of a family of videos, or all other streams of an output. Plain JSON. */
export type ChunkPart = ChunkOfFamily | RestOfOutput;

interface PartOfRun {
  /** The conversion, without its chunks. */
  readonly run: Omit<ChunkedRun, 'chunks'>;
  /** The threads of the encoder, the same for all chunks. */
  readonly threads: number;
  /** The seconds from the first frame of the whole input to the end of the last one. */
  readonly lengthSeconds: number;
  /** The seconds from the start of the file to the first frame. */
  readonly firstSeconds: number;
}

interface ChunkOfFamily extends PartOfRun {
  readonly chunk: Chunk;
  /** The number of the family. */
  readonly family: number;
  /** The shares of the average bit rate of each video. Absent: there is none, or the chunk is encoded quickly to learn its share. */
  readonly rates?: readonly number[];
  /** The shares at first, if others were asked for since then, because the encoder missed them. */
  readonly budgets?: readonly number[];
  /** Present if the chunk is encoded again, because it did not fit the others. */
  readonly again?: {
    /** For each video, how many bits are in the buffer at the start. null: as usual. */
    readonly fills: readonly (number | null)[];
    /** How often it was encoded again. */
    readonly times: number;
    /** The number of the correction of the job, from 1. */
    readonly round: number;
  };
}

/** True if a chunk is encoded only to learn its share of an average bit rate. */
export const isTrial = ({ families }: Pick<ChunkTemplates, 'families'>, part: ChunkPart): boolean =>
  part.chunk !== undefined && part.rates === undefined && families[part.family]?.average !== undefined;

/** How often a chunk is encoded again so that it fits the others. */
const MOST_TIMES_AGAIN = 2;

/** How often chunks of a job are corrected. A chunk that is encoded again may leave too few bits for the next, so corrections could go on chunk by chunk. */
const MOST_ROUNDS = 4;

interface RestOfOutput extends PartOfRun {
  readonly chunk?: never;
  /** The number of the output. */
  readonly output: number;
}

/** True if a chunk is encoded for its share of an average bit rate, which may be too low for the encoder. */
export const hasShare = (part: ChunkPart): boolean => part.chunk !== undefined && part.rates !== undefined;

/** Lists the parts of a conversion: first everything except the videos, if there is any, then the chunks in order. */
export function chunkParts(
  planned: ChunkTemplates,
  { chunks, ...run }: ChunkedRun,
  { threads, lengthSeconds }: Pick<ChunkPart, 'threads' | 'lengthSeconds'>,
): readonly ChunkPart[] {
  const common = { run, threads, lengthSeconds, firstSeconds: (chunks[0]?.startMicros ?? 0) / 1e6 };
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
export function partSpan({ chunk, run, lengthSeconds, firstSeconds }: ChunkPart): {
  readonly start: number;
  readonly seconds: number;
} {
  if (chunk === undefined)
    return { start: 0, seconds: lengthSeconds / Math.max(1, run.outputs.filter(({ hasRest }) => hasRest).length) };
  const start = chunk.startMicros / 1e6;
  const seconds = chunk.lengthMicros === undefined ? firstSeconds + lengthSeconds - start : chunk.lengthMicros / 1e6;
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
  return { inputs: plan.inputs, outputs: [output], passes: run.argvs, warnings: [] };
}

/** The number of the first output of a family, which failures of its chunks name. */
const firstOf = ({ outputs }: Pick<ChunkTemplates, 'outputs'>, family: number): number =>
  outputs.findIndex((output) => output.family === family);

/** The run that encodes a part. `end`: where its frames end, in seconds. */
interface PartRun {
  readonly argvs: readonly (readonly string[])[];
  readonly extension: ChunkExtension;
  readonly encoders: PlannedOutput['encoders'];
  readonly end: number;
}

function restRun(plan: Plan, planned: ChunkTemplates, { output, run, lengthSeconds }: RestOfOutput): PartRun {
  const argv = restArgv(planned, output, run);
  if (argv === undefined) throw new RangeError('The output has only video.');
  const { video: _, ...encoders } = outputOf(plan, output).encoders;
  return { argvs: [argv], extension: outputIn(planned, output).extension, encoders, end: lengthSeconds };
}

function chunkRun(plan: Plan, planned: ChunkTemplates, part: ChunkOfFamily): PartRun {
  const family = familyIn(planned, part.family);
  const { start, seconds } = partSpan(part);
  const { chunk, threads, rates, again, run } = part;
  const values = {
    ...{ threads, chosen: run.chosen },
    ...(rates && { rates }),
    ...(again && { fills: again.fills }),
  };
  return {
    argvs: argvsOfChunk(planned, family, part).map((argv) => chunkArgv(planned, { ...family, argv }, chunk, values)),
    extension: family.extension,
    encoders: { video: videoEncoders(plan, planned, part.family) },
    end: start + seconds,
  };
}

function argvsOfChunk(
  planned: ChunkTemplates,
  { argv, average }: ChunkFamily,
  part: ChunkPart,
): readonly (readonly string[])[] {
  if (average === undefined) return [argv];
  return isTrial(planned, part) ? [average.trial] : [average.first, argv];
}

const videoEncoders = ({ outputs }: Plan, planned: ChunkTemplates, family: number): readonly string[] => [
  ...new Set(
    outputs.flatMap(({ encoders }, index) => (planned.outputs[index]?.family === family ? (encoders.video ?? []) : [])),
  ),
];

/** Returns why the file of a part is not as planned. undefined: it is. */
export function checkPart(planned: ChunkTemplates, part: ChunkPart, found: ChunkFacts): WholeReason | undefined {
  if (part.chunk === undefined) return undefined;
  const { index, lengthMicros } = part.chunk;
  // The first trial shows already whether all chunks can have the same level.
  const isFirst = index === 0 && lengthMicros !== undefined && isTrial(planned, part);
  const unlevel = isFirst
    ? unlevelRates(familyIn(planned, part.family), [{ part, place: 0, facts: found }])
    : undefined;
  return checkChunk(part.chunk, found) ?? unlevel;
}

/** A part to encode in place of another one. */
export interface ReplacedPart {
  /** The number of the other one. */
  readonly place: number;
  readonly part: ChunkPart;
}

/**
 * Finds the chunks that do not fit the others, and returns the parts to encode in their place. Trial chunks get their shares of the average bit rate,
 * which must hold for all chunks together. Chunks that would break a limit where they are joined begin with the bits that the chunks before leave in
 * the buffer. Returns a reason if that does not help.
 *
 * @param facts See `planChunkJoin`.
 * @param plan The largest size of its file.
 */
export function partsToReplace(
  planned: ChunkTemplates,
  parts: readonly ChunkPart[],
  facts: readonly (ChunkFacts | undefined)[],
  { maxBytes }: Pick<Plan, 'maxBytes'> = {},
): readonly ReplacedPart[] | WholeReason {
  const replaced: ReplacedPart[] = [];
  for (const [index, family] of planned.families.entries()) {
    const encoded = encodedParts(parts, facts).filter(({ part }) => part.family === index);
    const ofFamily =
      family.average !== undefined && encoded.some(({ part }) => isTrial(planned, part))
        ? budgetedParts(family, encoded)
        : correctedParts(family, encoded, maxBytes === undefined ? undefined : TOLERANCE_OF_SIZE);
    if ('whole' in ofFamily) return ofFamily;
    replaced.push(...ofFamily);
  }
  return replaced;
}

/** A chunk of a family that is encoded. */
interface EncodedPart {
  readonly part: ChunkOfFamily;
  readonly place: number;
  readonly facts: ChunkFacts | undefined;
}

/** The sizes of a video in all chunks. */
const sizesOf = (encoded: readonly EncodedPart[], video: number) =>
  encoded.map(({ part, facts }) => ({
    seconds: partSpan(part).seconds,
    bytes: facts?.bytes?.[video] ?? 0,
    rate: part.rates?.[video] ?? 0,
    budget: (part.budgets ?? part.rates)?.[video] ?? 0,
  }));

/** The highest bit rate that a chunk may have for a video: by its limit, and so that all chunks have the same level. */
function mostRate({ average }: Pick<ChunkFamily, 'average'>, encoded: readonly EncodedPart[], video: number): number {
  const limit = average?.highest[video] ?? Number.POSITIVE_INFINITY;
  if (average?.autoLevels[video] !== true) return limit;
  const { width, height } = encoded[0]?.facts?.sizes?.[video] ?? { width: 0, height: 0 };
  const seconds = encoded.reduce((sum, { part }) => sum + partSpan(part).seconds, 0);
  const frames = encoded.reduce((sum, { facts }) => sum + (facts?.frames[video] ?? 0), 0);
  const framesPerSecond = frames / Math.max(1e-3, seconds);
  return Math.min(limit, mostRateOfLevel({ codec: average.codec, width, height, framesPerSecond }));
}

/** Why chunks with different bit rates would have different levels of H.264. undefined: they would not. */
function unlevelRates({ average }: ChunkFamily, encoded: readonly EncodedPart[]): WholeReason | undefined {
  const isUnlevel = average?.rates.some(
    (rate, video) => average.autoLevels[video] === true && rate > mostRate({ average }, encoded, video),
  );
  return isUnlevel === true
    ? {
        whole: `With this "b:v", the level of ${average?.codec === 'hevc' ? 'HEVC' : 'H.264'} depends on the bit rate of each chunk. Send ${average?.codec === 'hevc' ? '"level-idc" in "x265-params"' : '"level"'} as well.`,
      }
    : undefined;
}

/** Trial chunks with their shares of the average bit rates. */
function budgetedParts(family: ChunkFamily, encoded: readonly EncodedPart[]): readonly ReplacedPart[] | WholeReason {
  const unlevel = unlevelRates(family, encoded);
  if (unlevel !== undefined) return unlevel;
  const rates: (readonly number[])[] = [];
  for (const [video, rate] of (family.average?.rates ?? []).entries()) {
    const shares = shareRate(rate, sizesOf(encoded, video), mostRate(family, encoded, video));
    if (shares === undefined) return { whole: 'The video is so simple that it may have fewer bits than "b:v".' };
    rates.push(shares);
  }
  return encoded.map(({ part, place }, at) => ({
    place,
    part: { ...part, rates: rates.map((shares) => shares[at] ?? 0) },
  }));
}

/** Chunks that break a limit, or by which all chunks miss an average bit rate. */
function correctedParts(
  family: ChunkFamily,
  encoded: readonly EncodedPart[],
  tolerance: number | undefined,
): readonly ReplacedPart[] | WholeReason {
  const { average, limits = [] } = family;
  const fills = new Map<number, readonly (number | null)[]>();
  const effects = encoded.map(({ facts }) => facts?.buffers ?? []);
  const encodedFor = encoded.map(({ part: { again } }) => (again !== undefined && again.times > 0 ? again.fills : []));
  for (const { chunk, fills: left, isHopeless } of brokenJoins(limits, effects, encodedFor)) {
    if (isHopeless || !mayEncodeAgain(encoded[chunk])) return { whole: overLimit(chunk) };
    fills.set(chunk, left);
  }
  const rates = new Map<number, { readonly rates: number[]; readonly budgets: number[] }>();
  for (const [video, wanted] of (average?.rates ?? []).entries()) {
    const corrected = correctedRates(wanted, sizesOf(encoded, video), mostRate(family, encoded, video), tolerance);
    if (corrected === undefined) return { whole: OFF_AVERAGE };
    for (const { at, rate, budget } of corrected) {
      if (!mayEncodeAgain(encoded[at])) return { whole: OFF_AVERAGE };
      const { rates: before = [], budgets = before } = encoded[at]?.part ?? {};
      const ofVideos = rates.get(at) ?? { rates: [...before], budgets: [...budgets] };
      ofVideos.rates[video] = rate;
      if (budget !== undefined) ofVideos.budgets[video] = budget;
      rates.set(at, ofVideos);
    }
  }
  const round = Math.max(0, ...encoded.map(({ part }) => part.again?.round ?? 0)) + 1;
  if (round > MOST_ROUNDS && rates.size + fills.size > 0)
    return { whole: `After ${MOST_ROUNDS} corrections, the chunks would still miss "b:v" or exceed "maxrate".` };
  return encoded.flatMap(({ part, place }, at) => {
    const [ofVideos, left] = [rates.get(at), fills.get(at)];
    if (ofVideos === undefined && left === undefined) return [];
    const before = part.again?.fills ?? [];
    const again = {
      fills: limits.map((_, video) => left?.[video] ?? before[video] ?? null),
      times: (part.again?.times ?? 0) + 1,
      round,
    };
    return [{ place, part: { ...part, ...ofVideos, again } }];
  });
}

const mayEncodeAgain = (encoded: EncodedPart | undefined): boolean =>
  (encoded?.part.again?.times ?? 0) < MOST_TIMES_AGAIN;

const OFF_AVERAGE = 'The chunks would miss "b:v" by too much.';

const overLimit = (chunk: number): string =>
  `Chunk ${chunk + 1} would exceed "maxrate" where it is joined to the one before.`;

/**
 * Plans the run that joins the files of all parts, which are in `pass/`, to the outputs of the conversion. Returns a reason if they do not
 * fit together.
 *
 * @param facts Of each chunk. undefined for the file without video.
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
  const { frameSize: _, quality: __, ...others } = plan;
  return {
    ...others,
    passes: [argv],
    texts: [...(plan.texts ?? []), ...texts],
    joinsChunks: true,
    ...(run.chosen && { chosen: run.chosen }),
  };
}

/** The parts that are chunks of a video. */
const encodedParts = (
  parts: readonly ChunkPart[],
  facts: readonly (ChunkFacts | undefined)[],
): readonly EncodedPart[] =>
  parts.flatMap((part, place) => (part.chunk === undefined ? [] : [{ part, place, facts: facts[place] }]));
