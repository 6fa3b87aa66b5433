import type { ChunkTemplates, PlannedChunks } from '@telecine/contract/domain/chunks.ts';
import { isVideoNotCover, MEDIA_STREAM_TYPES, type MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { ChunkWork } from './chunk-gain.ts';
import { type EstimatedOutput, workOf } from './conversion-time.ts';
import { type EstimatedPlan, estimate, knownOutput } from './estimate.ts';
import { NoEstimate } from './links.ts';
import type { Work } from './machine-time.ts';

/** The samples of a quality target take this share of the encode. */
const SAMPLES = 0.25;

/**
 * What the quick encode and the first pass of chunks take of the time that the model says, on average over presets, by the measurements in
 * `docs/api/chunks.md`.
 */
const OF_MODEL = 0.75;

/** What `-pass 1` does, in place of the first pass of each chunk. */
const FIRST_PASS = ['-pass', '1', '-f', 'null', '-'];

/** The options of the quick encode of a chunk by which bit rates are shared. */
const TRIAL = ['preset:v', 'veryfast'] as const;

/**
 * Estimates the work of a conversion whole and in chunks. undefined: the model does not know it, or the plan runs whole.
 *
 * @param media The only input.
 */
export function chunkWork(
  { chunks, ...plan }: EstimatedPlan & { readonly chunks?: PlannedChunks },
  media: MediaInfo,
): ChunkWork | undefined {
  if (chunks === undefined || 'whole' in chunks) return undefined;
  const video = media.streams.find(isVideoNotCover);
  if (video?.width === undefined || video.height === undefined) return undefined;
  const known = plan.outputs.map((output) => knownOutput(plan, output, [media]));
  const outputs = known.filter((one) => typeof one !== 'string');
  if (outputs.length < known.length || outputs.length === 0) return undefined;
  try {
    const whole = workOf(outputs, plan);
    if (whole.needsMeasurement === true) return undefined;
    const { outputs: sized } = estimate(plan, [media], []);
    return {
      whole,
      ...partsOf(outputs, plan, chunks),
      inputBytes: media.format.sizeBytes ?? 0,
      outputBytes: sized.reduce((sum, { sizeBytes }) => sum + (sizeBytes?.likely ?? 0), 0),
    };
  } catch (error) {
    if (error instanceof NoEstimate) return undefined;
    throw error;
  }
}

function partsOf(
  outputs: readonly EstimatedOutput[],
  plan: Pick<Plan, 'passes' | 'quality' | 'frameSize'>,
  { families }: ChunkTemplates,
): Pick<ChunkWork, 'sharedSeconds' | 'leastSeconds' | 'searchSeconds' | 'restSeconds'> {
  const passes = plan.passes.slice(-1);
  const { quality, frameSize } = plan;
  const rest = workOf(outputs.map(withoutVideo), { passes });
  const once = workOf(outputs, { passes });
  const encoding = once.processorSeconds - rest.processorSeconds;
  const measuring =
    quality === undefined ? 0 : workOf(outputs, { passes, quality }).processorSeconds - once.processorSeconds;
  const sizing =
    frameSize === undefined ? 0 : workOf(outputs, { passes, frameSize }).processorSeconds - once.processorSeconds;
  const samples = quality === undefined ? 0 : encoding * SAMPLES;
  const ofRates = families.some(({ average }) => average !== undefined) ? rateSeconds(outputs, plan, once, rest) : 0;
  return {
    sharedSeconds: encoding + ofRates + Math.max(0, measuring - samples),
    leastSeconds: once.leastSeconds ?? 0,
    searchSeconds: samples + sizing,
    restSeconds: rest.processorSeconds + rest.copySeconds,
  };
}

/** The processor seconds of what chunks with average bit rates do before their last pass: a quick encode, and a first pass. */
function rateSeconds(
  outputs: readonly EstimatedOutput[],
  { passes }: Pick<Plan, 'passes'>,
  once: Work,
  rest: Work,
): number {
  const last = passes.slice(-1);
  const first = workOf(outputs, { passes: [FIRST_PASS, ...last] }).processorSeconds - once.processorSeconds;
  const quick = outputs.map((output) => ({ ...output, options: [...output.options, TRIAL] }));
  const trial = workOf(quick, { passes: last }).processorSeconds - rest.processorSeconds;
  // If the client wants one pass, the first one of each chunk is quick.
  return OF_MODEL * (trial + (passes.length > 1 ? first : Math.min(first, trial)));
}

const withoutVideo = (output: EstimatedOutput): EstimatedOutput => ({
  ...output,
  streams: output.streams.filter(({ kind }) => kind !== 'video'),
  filters: output.filters.filter(({ link }) => link.kind !== 'video'),
  graphFilters: output.graphFilters.filter(({ link }) => link.kind !== 'video'),
});

/** A source whose frames are listed, as far as an estimate needs it. */
interface ListedSource {
  readonly format: string;
  readonly streams: readonly {
    readonly index: number;
    readonly type: string;
    readonly codec: string;
    readonly isCover: boolean;
    readonly width?: number;
    readonly height?: number;
    readonly averageRate?: number;
    readonly realRate?: number;
  }[];
}

/** Returns what ffprobe would have said about a source, as far as an estimate needs it. */
export const mediaOfSource = ({ format, streams }: ListedSource, seconds: number, sizeBytes: number): MediaInfo => ({
  format: {
    names: [format],
    durationSeconds: seconds,
    sizeBytes,
    ...(seconds > 0 && { bitRate: Math.round((sizeBytes * 8) / seconds) }),
    tags: {},
  },
  streams: streams.map(({ index, type, codec, isCover, width, height, averageRate, realRate }) => {
    const frameRate = averageRate ?? realRate;
    return {
      ...{ index, type: MEDIA_STREAM_TYPES.find((one) => one === type) ?? 'unknown', codec, disposition: [], tags: {} },
      ...(isCover && { isAttachedPicture: true }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(type === 'video' && frameRate !== undefined && { frameRate }),
    };
  }),
  chapters: [],
});
