import { type EstimatedRange, rangeAround } from '../../domain/estimate.ts';
import { isFilm } from '../../domain/media-info.ts';
import type { Plan } from '../../domain/plan.ts';
import { ofStream } from './command.ts';
import { DECODE_SECONDS, ENCODER_SPEEDS } from './encoder-speeds.ts';
import type { EstimatedOutput, Machine } from './estimated-output.ts';
import { NoEstimate } from './link.ts';
import type { OutputStream } from './output-streams.ts';

/** Seconds before ffmpeg has started and after it has ended: the sandbox, the inputs, publishing. */
export const AROUND = 0.5;
/** Processor seconds of a second of sound: decoding, resampling and encoding. */
const SOUND = 0.012;
/** Processor seconds of a megapixel in a filter, and of one that is scaled or converted before the encoder. */
const FILTERED = 0.006;
/** Bytes of copied streams per second. A disk reads and writes more, a network less. */
const COPIED_BYTES = 150e6;
/** The part of the cores that an encoder uses: some of its work waits for other work. */
const USED_CORES = 0.85;
/** The most cores that count. Beyond, encoders gain little for a film of ordinary size. */
const MAX_CORES = 12;
/** How far machines are from the one that was measured, and the model from its measurements. */
const BY_MODEL = 4;
/** The same if recent jobs have shown how fast the machine is. */
const BY_JOBS = 2.5;
/** The fewest jobs whose speeds count. */
export const ENOUGH_JOBS = 3;

const MEGA = 1e6;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * Estimates how long a conversion runs if it has the machine to itself. Throws `NoEstimate` for encoders without a row in
 * `ENCODER_SPEEDS`.
 */
export function conversionSeconds(
  outputs: readonly EstimatedOutput[],
  { passes, checks = [] }: Pick<Plan, 'passes' | 'checks'>,
  { cores, ratios }: Machine,
): { readonly range: EstimatedRange; readonly basis: 'jobs' | 'model' } {
  const encoding = sumOf(
    outputs.flatMap(({ streams, options }) =>
      streams.map((stream) => streamSeconds(stream, (name) => ofStream(options, name, 'v', stream.index))),
    ),
  );
  const work = (encoding + decodingSeconds(outputs)) * Math.max(1, passes.length + checks.length * 0.2);
  const wall = wallSeconds(work, cores);
  const fixed = AROUND + copyingSeconds(outputs);
  const sorted = ratios.toSorted((a, b) => a - b);
  const ratio = sorted.length < ENOUGH_JOBS ? undefined : sorted[Math.floor(sorted.length / 2)];
  return ratio === undefined
    ? { range: rangeAround(wall + fixed, BY_MODEL), basis: 'model' }
    : { range: rangeAround(wall * ratio + fixed, BY_JOBS), basis: 'jobs' };
}

/** Seconds in which the cores do so many processor seconds of work. */
export const wallSeconds = (work: number, cores: number): number =>
  work / Math.max(1, Math.min(cores, MAX_CORES) * USED_CORES);

/** Processor seconds of the encoder of a stream. */
function streamSeconds(stream: OutputStream, option: (name: string) => string | undefined): number {
  if (stream.encoder === 'copy') return 0;
  if (stream.kind === 'audio') return stream.seconds * SOUND;
  const { encoder, width, height, fps, seconds } = stream;
  return megapixels({ width, height, fps, seconds }) * (encodingSeconds(encoder, option) + FILTERED);
}

/** Processor seconds of an encoder for a megapixel. Throws `NoEstimate` for one without a row. */
export function encodingSeconds(encoder: string, option: (name: string) => string | undefined): number {
  const speeds = ENCODER_SPEEDS[encoder];
  if (speeds === undefined) throw new NoEstimate(`The speed of the encoder "${encoder}" is not estimated.`);
  const { usual, presets = {}, byOption } = speeds;
  const chosen = byOption === undefined ? undefined : option(byOption);
  const seconds = chosen === undefined ? usual : presets[chosen];
  if (seconds === undefined)
    throw new NoEstimate(`The speed of "${byOption}" "${chosen}" of "${encoder}" is not estimated.`);
  return seconds;
}

const megapixels = (one: {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly seconds: number;
}): number => (one.width * one.height * one.fps * one.seconds) / MEGA;

/** Processor seconds of decoding each input once, as far as the outputs read it. */
function decodingSeconds(outputs: readonly EstimatedOutput[]): number {
  const [first] = outputs;
  const decodes = outputs.some(({ streams }) =>
    streams.some(({ kind, encoder }) => kind === 'video' && encoder !== 'copy'),
  );
  if (first === undefined || !decodes) return 0;
  const longest = Math.max(...outputs.map(({ seconds, startSeconds }) => seconds + startSeconds));
  return first.inputs.reduce((sum, { streams, seconds }) => {
    const film = streams.find(isFilm);
    if (film?.width === undefined || film.height === undefined) return sum;
    const read = {
      width: film.width,
      height: film.height,
      fps: film.frameRate ?? 25,
      seconds: Math.min(seconds, longest),
    };
    return sum + megapixels(read) * (DECODE_SECONDS[film.codec ?? ''] ?? DECODE_SECONDS['h264'] ?? 0);
  }, 0);
}

/** Seconds of reading and writing streams that are copied. */
function copyingSeconds(outputs: readonly EstimatedOutput[]): number {
  const bytes = outputs.flatMap(({ streams }) =>
    streams.map(({ encoder, from, seconds }) =>
      encoder === 'copy' && from !== undefined ? ((from.input.media.format.bitRate ?? 0) / 8) * seconds : 0,
    ),
  );
  return Math.max(0, ...bytes) / COPIED_BYTES;
}
