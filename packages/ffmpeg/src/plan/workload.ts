import type { AnalysisSpec } from '@telecine/contract/domain/analysis.ts';
import { deviceTypeOf } from '@telecine/contract/domain/devices.ts';
import { ONE_SLOT, type Workload } from '@telecine/contract/domain/lane.ts';
import type { Plan, PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { requestedSeconds } from '../values/span-length.ts';
import { measuresAudio, measuresErrors, measuresVideo } from './analysis/measuring-filters.ts';

/** The weight of a stream copy, which mostly waits for the disk. */
const COPY = 25;

/** The weight of an image, which uses a core for a moment only. */
const THUMBNAIL = 25;

/** The weight of encoding audio, which uses one thread and waits for the disk in between. */
const AUDIO = 50;

/** The weight of encoding a video with one of `SLOW_ENCODERS`. */
const SLOW_VIDEO = 200;

/** The weight of speech recognition, which uses all cores. */
const SPEECH = 200;

/** The weight of encoding a video on a hardware device. The processor usually decodes and filters it. */
const DEVICE_VIDEO = 50;

/** The maximum number of renditions that count for the weight of a job. */
const MAX_RENDITIONS = 4;

/** Encoders that are several times slower than libx264, and start threads for all cores. */
const SLOW_ENCODERS = new Set(
  'libx265 libsvtav1 libaom-av1 librav1e libvpx-vp9 libvvenc libkvazaar libxavs2 libuavs3e'.split(' '),
);

/** How many seconds of video a light job may encode or measure. Clients try out settings with such jobs. */
const SHORT_SECONDS = 5;

/** Muxers of audio files. The only video in some of them is a cover. */
const AUDIO_MUXERS = new Set('mp3 wav flac adts opus oga ac3 eac3 aiff au caf w64 tta wv amr spdif dts mp2'.split(' '));

/** Muxers of audio that can also store a video. */
const AUDIO_OR_VIDEO_MUXERS = new Set(['ipod', 'ogg']);

const AUDIO_NAME = /\.(?:mp3|m4a|m4b|aac|wav|flac|opus|oga|ac3|eac3|aiff?|wma|caf|w64|tta|wv|amr|dts|mp2)$/i;

/** How many seconds may be decoded and discarded before the frame of an image. */
const MAX_START_SECONDS = 60;

/**
 * Filters with which the first frame of an output needs only the first frame of the input, so that an image of it is made in a moment. They
 * may have a clock: which filters make all frames one by one is in `chunks/framewise-filters.ts`.
 */
const FIRST_FRAME_FILTERS = new Set(
  (
    'scale crop pad format setsar setdar transpose hflip vflip rotate eq hue drawbox drawtext unsharp boxblur gblur ' +
    'colorspace zscale null'
  ).split(' '),
);

type WorkloadPlan = Pick<Plan, 'inputs' | 'passes' | 'checks' | 'analysis' | 'cut' | 'transcript' | 'search'> & {
  readonly outputs: readonly Pick<PlannedOutput, 'muxer' | 'logical' | 'span' | 'encoders' | 'argv'>[];
};

/** Estimates the workload of a job from its plan alone, before its inputs are probed. */
export function workloadOf(plan: WorkloadPlan): Workload {
  const { lane, weight } = conversionOf(plan);
  return { lane: plan.inputs.some(({ url }) => url !== undefined) ? 'fetch' : lane, weight };
}

/** The workload of a job once its inputs are downloaded. */
function conversionOf(plan: WorkloadPlan): Workload {
  // A client waits for an analysis, so it runs in the light lane. With a long video, it soon exceeds its time limit.
  if (plan.analysis !== undefined) return { lane: 'light', weight: weightOfMeasuring(plan.analysis) };
  const conversion = encodingOf(plan);
  // Samples and the comparison with the source take as long as the conversion itself.
  if (plan.search !== undefined) {
    const encodes = plan.search.choose === 'ladder' ? MAX_RENDITIONS : 1;
    return { lane: 'full', weight: Math.max(conversion.weight, ONE_SLOT) * encodes };
  }
  if (plan.transcript !== undefined) return { lane: 'full', weight: Math.max(conversion.weight, SPEECH) };
  if (plan.cut?.measure === undefined) return conversion;
  // Measuring for a cut reads the whole input.
  const measuring = weightOfMeasuring(plan.cut.measure);
  const isLight = conversion.lane === 'light' && (measuring < ONE_SLOT || isShortAnalysis(plan.cut.measure));
  return { lane: isLight ? 'light' : 'full', weight: Math.max(conversion.weight, measuring) };
}

function encodingOf(plan: WorkloadPlan): Workload {
  if (isThumbnail(plan)) return { lane: 'light', weight: THUMBNAIL };
  const { outputs, passes, checks } = plan;
  const [argv = []] = passes;
  const readsAudio = plan.inputs.every(({ path }) => AUDIO_NAME.test(path));
  const weights = outputs.map((output) => weightWithoutVideo(output, output.argv ?? argv, readsAudio));
  if (checks === undefined && weights.every((weight) => weight !== undefined))
    // The weight of a light job must fit into the slots for light jobs.
    return {
      lane: 'light',
      weight: Math.min(
        ONE_SLOT,
        weights.reduce((sum, weight) => sum + weight, 0),
      ),
    };
  const videos = outputs.flatMap(({ encoders }) => encoders.video ?? []);
  const isOnDevice = videos.length > 0 && videos.every((encoder) => deviceTypeOf(encoder) !== undefined);
  const isSlow = videos.some((encoder) => SLOW_ENCODERS.has(encoder));
  const weight = (isOnDevice ? DEVICE_VIDEO : isSlow ? SLOW_VIDEO : ONE_SLOT) * renditionsOf(outputs, argv);
  // A few seconds of video use the processor for a moment only.
  if (checks === undefined && outputs.every(isShort)) return { lane: 'light', weight: Math.min(weight, ONE_SLOT) };
  return { lane: 'full', weight };
}

/** True if the options limit an output to a few seconds of video, with little to decode before them. */
function isShort({ span: { inputs, output } }: WorkloadPlan['outputs'][number]): boolean {
  const [input, ...others] = inputs;
  // ffmpeg seeks to the `ss` of an input, but decodes everything before the `ss` of an output.
  const read = input !== undefined && others.length === 0 ? requestedSeconds(input) : undefined;
  const written = requestedSeconds(output);
  const decoded = written === undefined ? undefined : written + (output.start ?? 0);
  return Math.min(read ?? Number.POSITIVE_INFINITY, decoded ?? Number.POSITIVE_INFINITY) <= SHORT_SECONDS;
}

/** Decoding video uses a full slot. Decoding audio and listing packets are cheap. */
function weightOfMeasuring(analysis: AnalysisSpec): number {
  if (measuresVideo(analysis) || measuresErrors(analysis) || analysis.reference !== undefined) return ONE_SLOT;
  return measuresAudio(analysis) ? AUDIO : COPY;
}

const isShortAnalysis = ({ t }: AnalysisSpec): boolean => Number(t) <= SHORT_SECONDS;

/** The weight of an output that encodes no video. undefined: it may encode one. */
function weightWithoutVideo(
  output: WorkloadPlan['outputs'][number],
  argv: readonly string[],
  readsAudio: boolean,
): number | undefined {
  const { audio, video } = output.encoders;
  const hasNoVideo = hasOnlyAudio(output, argv, readsAudio);
  // A copied video cannot be filtered, so a filtergraph in the same output makes audio.
  if (!hasNoVideo && !isCopied(video)) return undefined;
  const copiesAudio = isCopied(audio) || (!hasNoVideo && argv.includes('-an'));
  return copiesAudio ? COPY : AUDIO;
}

/** True if a job makes a thumbnail: one image of one file, near the start of the part that is read. */
function isThumbnail({ inputs, outputs, passes, checks }: WorkloadPlan): boolean {
  const [argv = [], ...otherPasses] = passes;
  const [output, ...others] = outputs;
  if (output === undefined || others.length > 0) return false;
  if (inputs.length !== 1 || inputs[0]?.sequence !== undefined) return false;
  if (otherPasses.length > 0 || checks !== undefined) return false;
  if (output.muxer !== 'image2' || optionValue(argv, '-frames:v') !== '1') return false;
  if ((output.span.output.start ?? 0) > MAX_START_SECONDS) return false;
  return !argv.includes('-filter_complex') && needsOnlyFirstFrame(optionValue(argv, '-filter:v'));
}

const isCopied = (encoders: readonly string[] | undefined): boolean =>
  encoders !== undefined && encoders.length > 0 && encoders.every((encoder) => encoder === 'copy');

/**
 * True if the output has no video, by the container, `-vn`, `-map` or the inputs. With a filtergraph, only the container and the file names
 * count, because ffmpeg also writes the graph's outputs without a label.
 */
function hasOnlyAudio(
  { muxer, logical }: WorkloadPlan['outputs'][number],
  argv: readonly string[],
  readsAudio: boolean,
): boolean {
  if (AUDIO_MUXERS.has(muxer)) return true;
  if (argv.includes('-filter_complex')) return readsAudio && AUDIO_NAME.test(logical);
  const maps = argv.flatMap((word, index) => (argv[index - 1] === '-map' ? word : []));
  return (
    (readsAudio && AUDIO_OR_VIDEO_MUXERS.has(muxer)) ||
    argv.includes('-vn') ||
    (maps.length > 0 && maps.every((map) => /^\d+:a(?:$|[:?])/.test(map)))
  );
}

/** How many videos a job encodes at the same time: the number of its outputs, or of the variants of HLS. */
function renditionsOf(outputs: WorkloadPlan['outputs'], argv: readonly string[]): number {
  const encoded = outputs.filter(({ muxer, encoders }) => !AUDIO_MUXERS.has(muxer) && !isCopied(encoders.video));
  const variants = optionValue(argv, '-var_stream_map')?.match(/\bv:\d+/g) ?? [];
  return Math.max(1, Math.min(Math.max(encoded.length, new Set(variants).size), MAX_RENDITIONS));
}

const optionValue = (argv: readonly string[], option: string): string | undefined => {
  const index = argv.indexOf(option);
  return index === -1 ? undefined : argv[index + 1];
};

/** True if all filters of a graph are in `FIRST_FRAME_FILTERS`. False also for a graph with a separator in quotes. */
const needsOnlyFirstFrame = (graph: string | undefined): boolean =>
  graph === undefined || graph.split(/[,;]/).every((filter) => FIRST_FRAME_FILTERS.has(/^\w+/.exec(filter)?.[0] ?? ''));

type TimedOutput = Pick<PlannedOutput, 'span' | 'muxer'>;

/** The maximum seconds of media that a job publishes. undefined: it depends on the inputs. */
export function outputSeconds({ outputs }: { readonly outputs: readonly TimedOutput[] }): number | undefined {
  const seconds = outputs.map(secondsOfOutput);
  return seconds.every((one) => one !== undefined) ? seconds.reduce((sum, one) => sum + one, 0) : undefined;
}

function secondsOfOutput({ muxer, span }: TimedOutput): number | undefined {
  if (muxer === 'image2') return 0;
  const [input, ...others] = span.inputs;
  return (
    requestedSeconds(span.output) ??
    span.joined ??
    (input !== undefined && others.length === 0 ? requestedSeconds(input) : undefined)
  );
}
