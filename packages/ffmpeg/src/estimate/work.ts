import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { readNumber } from '../values/number.ts';
import { type CommandOptions, ofStream } from './command.ts';
import { ENCODERS } from './encoders.ts';
import { isSlow, type ReadInput, type Source } from './filter-effects.ts';
import type { Work } from './machine-time.ts';
import { isCover, type PredictedStream, type Prediction } from './predict.ts';

/** Processor seconds to decode one megapixel, to convert one second of audio, and for one of either in a slow filter. */
const DECODED = 0.005;
const AUDIO_SECOND = 0.012;
const SLOW_FILTER = 0.1;
/** Bytes of copied streams per second. */
const COPIED_BYTES = 150e6;
/** How much longer a search by samples makes an encode. The time of a ladder is not estimated. */
const SEARCHES = { quality: 1.8, frameSize: 1.2, ladder: 1 } as const;

/** A kind of work or of sizes as text. Its length is limited, because clients choose the values of options. */
export const kindText = (words: readonly (string | number | undefined)[]): string =>
  words
    .filter((word) => word !== undefined && word !== '')
    .join(' ')
    .slice(0, 200);

/** Computes the work of a plan from its predicted outputs. */
export function workOf(outputs: readonly Prediction[], plan: Plan): Work {
  const passes = Math.max(1, plan.passes.length);
  const encoded = outputs.flatMap((output) =>
    output.streams.filter(({ encoder }) => encoder !== 'copy').map((stream) => encodedWork(stream, output)),
  );
  const [heaviest] = encoded.toSorted((a, b) => b.rank - a.rank);
  if (heaviest === undefined) {
    const bytes = outputs.flatMap(({ inputs }) => inputs.map(copiedBytes));
    return { kind: 'copy', seconds: Math.max(0, ...bytes) / COPIED_BYTES, isVideo: false };
  }
  const { isVideo, encoder, units } = heaviest;
  const filters = slowFilters(outputs);
  const choose = plan.search?.choose;
  const once =
    encoded.reduce((sum, { seconds }) => sum + seconds, 0) +
    (isVideo ? decodingSeconds(outputs) : 0) +
    filters.length * SLOW_FILTER * units;
  return {
    kind: kindText([
      heaviest.name,
      ...filters,
      outputs.length > 1 ? `${outputs.length} outputs` : '',
      passes > 1 ? `${passes} passes` : '',
      choose,
    ]),
    seconds: once * passes * (choose === undefined ? 1 : SEARCHES[choose]),
    isVideo,
    ...(isVideo &&
      ENCODERS[encoder] === undefined && {
        unknown: `The speed of the encoder "${encoder}" is known after three jobs.`,
      }),
  };
}

const copiedBytes = ({ media: { format }, seconds }: ReadInput): number => ((format.bitRate ?? 0) / 8) * seconds;

/** The work of an encoder. `units`: its megapixels or seconds. `rank`: the stream with the highest decides about the kind. */
function encodedWork(stream: PredictedStream, { options }: Prediction) {
  const { encoder, link } = stream;
  if (link.kind === 'audio') {
    const seconds = link.seconds * AUDIO_SECOND;
    return { encoder, name: encoder, units: link.seconds, seconds, rank: seconds, isVideo: false };
  }
  const units = megapixels(link);
  const perMegapixel = (ENCODERS[encoder]?.seconds ?? 0.05) * presetFactor(encoder, presetOf(stream, options));
  const seconds = units * perMegapixel * detailOf(link.source);
  // A cover is one small image beside the audio.
  const rank = isCover(stream) ? 0 : 1e9 + seconds;
  return { encoder, name: nameOf(stream, options), units, seconds, rank, isVideo: true };
}

type Frames = Pick<PredictedStream['link'], 'width' | 'height' | 'fps' | 'seconds'>;

const megapixels = ({ width, height, fps, seconds }: Frames): number => (width * height * fps * seconds) / 1e6;

/** The processor seconds of decoders, up to the end of the longest output. */
function decodingSeconds(outputs: readonly Prediction[]): number {
  const longest = Math.max(...outputs.map(({ seconds }) => seconds));
  const inputs = outputs[0]?.inputs ?? [];
  return inputs.reduce((sum, input) => {
    const stream = input.media.streams.find(isVideoNotCover);
    if (stream === undefined) return sum;
    const { width = 0, height = 0, frameRate: fps = 25 } = stream;
    const read = megapixels({ width, height, fps, seconds: Math.min(input.seconds, longest) });
    return sum + read * DECODED * detailOf({ stream, input });
  }, 0);
}

/** The preset of an encoder, or its default. undefined: it has none. */
const presetOf = (stream: PredictedStream, options: CommandOptions): string | undefined =>
  ofStream(options, 'preset', stream) ?? ofStream(options, 'cpu-used', stream) ?? ENCODERS[stream.encoder]?.preset;

const PRESETS = 'ultrafast superfast veryfast faster fast medium slow slower veryslow placebo'.split(' ');

/** How many times as long a preset takes as the default: about 1.3 times for each faster one, and twice for each slower one. */
function presetFactor(encoder: string, preset = ''): number {
  const usual = ENCODERS[encoder]?.preset ?? '';
  const steps = PRESETS.indexOf(preset) - PRESETS.indexOf(usual);
  if (PRESETS.includes(preset) && PRESETS.includes(usual)) return (steps < 0 ? 1.3 : 2) ** steps;
  return 0.8 ** (Number(preset) - Number(usual)) || 1;
}

/** What a kind of video says of its encoder: `libx264 medium 720 lines`. */
export function nameOf(stream: PredictedStream, options: CommandOptions): string {
  const { width, height } = stream.link;
  const lines = [480, 720, 1080].find((most) => width * height <= (most * most * 16) / 9 + 1e4) ?? 'more';
  return kindText([stream.encoder, presetOf(stream, options), `${lines} lines`, ofStream(options, 'threads', stream)]);
}

/** The names of the slow filters of all outputs, sorted and unique. */
const slowFilters = (outputs: readonly Prediction[]): readonly string[] => {
  const graphs = outputs.flatMap(({ options }) =>
    options.flatMap(([name, value]) => (/^(?:filter|lavfi)/.test(name) ? [parseGraph(value)] : [])),
  );
  const names = graphs.flatMap((graph) => (isGraphError(graph) ? [] : graph.chains.flat().map(({ name }) => name)));
  return [...new Set(names.filter(isSlow))].toSorted();
};

/** The usual bit rate of audio, in bit/s. Some containers, such as Matroska, do not state the rate. */
export const AUDIO_RATE = 128_000;

/** The bits per second of a stream. If not stated: the bit rate of the file minus that of the other streams. undefined: unknown. */
export function bitRateOf({ stream, input }: Source): number | undefined {
  const own = stream.bitRate ?? readNumber(stream.tags['BPS'] ?? stream.tags['BPS-eng'] ?? '');
  const { format, streams } = input.media;
  if (own !== undefined || format.bitRate === undefined) return own;
  const others = streams.filter((one) => one !== stream && (one.type === 'video' || one.type === 'audio'));
  if (stream.type === 'audio' && others.some(({ type }) => type === 'video')) return AUDIO_RATE;
  const left = others.reduce((rate, { bitRate = AUDIO_RATE }) => rate - bitRate, format.bitRate);
  return left > 0 ? left : undefined;
}

/**
 * How much longer an input takes to decode and to encode than a usual one with as many pixels: detail, motion and noise take bits, and
 * time. Fitted to the processor times of 13 videos, from slides to heavy grain.
 */
export function detailOf(source: Source): number {
  const { width = 0, height = 0, frameRate = 0 } = source.stream;
  const bits = (bitRateOf(source) ?? Number.NaN) / (width * height * frameRate);
  return bits > 0 && bits < 1e3 ? Math.min(4, Math.max(0.5, (bits / 0.1) ** 0.35)) : 1;
}
