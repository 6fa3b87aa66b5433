import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { FUNCTIONS, parseFormula } from '../expression/formula.ts';
import { type GraphFilter, RESIZING, TIMES } from '../filtergraph/graph.ts';
import { channelsOf } from '../values/media-formats.ts';
import { readRate } from '../values/rate.ts';
import { parseSize } from '../values/size.ts';
import type { CommandOptions } from './command.ts';

/** A stream between two filters, or between a filter and an encoder. What its kind does not have is 0. */
export interface Link {
  readonly kind: 'video' | 'audio';
  /** Infinity: it never ends. */
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Where the first input of each filter comes from. */
  readonly source: Source;
}

/** A stream of an input. */
export interface Source {
  readonly stream: MediaStream;
  readonly input: ReadInput;
}

/** An input of a command. */
export interface ReadInput {
  readonly media: MediaInfo;
  readonly options: CommandOptions;
  /** The seconds that ffmpeg reads. Infinity: it never ends, as with `-loop 1`. */
  readonly seconds: number;
}

/** Too little is known for an estimate. The message is a sentence for the client. */
export class NoEstimate extends Error {}

/** Filters that take longer than a fast encoder. */
const SLOW: ReadonlySet<string> = new Set(
  (
    'rotate shear colorspace tonemap lut3d haldclut colorbalance chromakey selectivecolor monochrome histeq grayworld greyedge ' +
    'elbg geq unsharp cas median vaguedenoiser owdenoise nlmeans bm3d edgedetect signalstats estdif minterpolate deshake ' +
    'vidstabdetect vidstabtransform palettegen paletteuse loudnorm ebur128 afftdn anlmdn arnndn adeclick adeclip aexciter'
  ).split(' '),
);

export const isSlow = (filter: string): boolean => SLOW.has(filter);

/** Filters that make pictures of sound, or other channels, or leave out or add frames, besides those of `RESIZING` and `TIMES`. */
const OTHERS =
  /^(?:show(?!info)\w+|[a-z]+scope|a?(?:draw|monitor)graph|agraphmonitor|ahistogram|aphasemeter|spectrumsynth|acrossover|channelsplit|channelmap|join|surround|headphone|a?interleave|a?streamselect|mpdecimate|detelecine|interlace|fieldmatch|pullup|repeatfields|w3fdif|kerndeint|freezeframes|shuffleframes|fieldhint|framerate|\w+_(?:cuda|qsv|vaapi|opencl|vulkan))$/;

interface AppliedFilter {
  /** The first input. */
  readonly link: Link;
  readonly inputs: readonly Link[];
  /** The value of the option with one of these names. undefined: it is not set. */
  readonly option: (...names: readonly string[]) => string | undefined;
  /** Evaluates an expression about the first input. Throws `NoEstimate`. */
  readonly value: (text: string, more?: Values) => number;
}

/** What a filter changes of its first input. */
type Effect = (filter: AppliedFilter) => Partial<Link>;

const scale: Effect = ({ link, option, value }) => {
  const size = parseSize(option('size', 's') ?? '');
  /** -1 keeps the aspect ratio, and -N rounds to a multiple of N. An expression of the other side does so too. */
  const wanted = (own: number, text = '0'): number =>
    /\bo[wh]\b|out_[wh]/.test(text) ? -1 : Math.trunc(value(text || '0')) || own;
  const width = size?.width ?? wanted(link.width, option('w', 'width'));
  const height = size?.height ?? wanted(link.height, option('h', 'height'));
  if (width < 0 && height < 0) return {};
  const kept = (side: number, other: number, ratio: number): number =>
    side < 0 ? Math.max(-side, Math.round((other * ratio) / -side) * -side) : side;
  const [w, h] = [kept(width, height, link.width / link.height), kept(height, width, link.height / link.width)];
  const [, less, more] = /^(?:(decrease|1)|(increase|2))$/.exec(option('force_original_aspect_ratio') ?? '') ?? [];
  if ((less ?? more) === undefined) return { width: w, height: h };
  const factor = (less === undefined ? Math.max : Math.min)(w / link.width, h / link.height);
  return { width: Math.round(link.width * factor), height: Math.round(link.height * factor) };
};

const crop: Effect = ({ link: { width, height }, option, value }) => {
  const side = (own: number, text = `${own}`): number => Math.min(own, value(text, { ow: width, out_w: width }));
  return { width: side(width, option('w', 'out_w')), height: side(height, option('h', 'out_h')) };
};

const pad: Effect = ({ link, option, value }) => {
  const width = value(option('width', 'w') ?? '0') || link.width;
  const height = value(option('height', 'h') ?? '0') || link.height;
  const aspect = value((option('aspect') ?? '0').replace(':', '/'));
  return aspect > 0
    ? { width: Math.max(width, height * aspect), height: Math.max(height, width / aspect) }
    : { width, height };
};

const fps: Effect = ({ link, option, value }) => {
  const text = option('fps') ?? '25';
  return { fps: readRate(text) ?? value(text, { source_fps: link.fps }) };
};

/** A time far from the start, where a constant that is added to the times counts least. */
const FAR = 1e9;

/** The frame rate stays, because ffmpeg drops or repeats frames. */
const setpts: Effect = ({ link, option, value }) => {
  const { fps: FRAME_RATE, sampleRate: SR } = link;
  const times = { PTS: FAR, T: FAR, N: FAR * (FRAME_RATE || SR), FRAME_RATE, SR, STARTPTS: 0, STARTT: 0 };
  return { seconds: (link.seconds * value(option('expr') ?? 'PTS', times)) / FAR };
};

const trim: Effect = ({ link: { seconds }, option }) => {
  if (option('start_frame', 'end_frame', 'start_sample', 'end_sample', 'start_pts', 'end_pts') !== undefined)
    throw new NoEstimate('A trim in frames or samples is not estimated.');
  const time = (name: string, usual: number): number => parseDuration(option(name, `${name}i`) ?? '') ?? usual;
  const start = time('start', 0);
  const most = Math.min(seconds - start, time('end', Number.POSITIVE_INFINITY) - start, time('duration', seconds));
  return { seconds: Math.max(0, most) };
};

/** Several inputs last as long as the first or the longest, unless an option wants another length. */
const lasting =
  (usual: 'first' | 'longest', side?: 'width' | 'height'): Effect =>
  ({ link, inputs, option }) => {
    const all = inputs.map(({ seconds }) => seconds).filter((one) => one > 0.1);
    const isShortest = /^(?:1|true|y|yes|on|enable|enabled)$/.test(option('shortest') ?? '0');
    const duration = isShortest ? 'shortest' : (option('duration') ?? usual);
    return {
      seconds: duration === 'first' ? link.seconds : (duration === 'shortest' ? Math.min : Math.max)(...all),
      ...(side && { [side]: inputs.reduce((sum, one) => sum + one[side], 0) }),
    };
  };

const audio: Effect = ({ link, option }) => ({
  sampleRate: Number(option('sample_rate', 'osr', 'sample_rates', 'r')) || link.sampleRate,
  channels: channelsOf(option('channel_layouts', 'cl', 'args')?.split('|')[0] ?? '') ?? link.channels,
});

const same: Effect = () => ({});

const EFFECTS: Readonly<Record<string, Effect>> = {
  ...{ scale, zscale: scale, crop, pad, fps, setpts, asetpts: setpts, trim, atrim: trim },
  transpose: ({ link: { width, height }, option }) =>
    /^[0-3]$|clock/.test(option('dir') ?? '0') ? { width: height, height: width } : {},
  tile: ({ link, option }) => {
    const { width, height } = parseSize(option('layout') ?? '') ?? { width: 6, height: 5 };
    return { width: link.width * width, height: link.height * height, fps: link.fps / width / height };
  },
  // Both send each frame, or each field.
  yadif: ({ link, option }) => (/^(?:1|3|send_field)/.test(option('mode') ?? '0') ? { fps: link.fps * 2 } : {}),
  bwdif: ({ link, option }) => (/^(?:0|2|send_frame)/.test(option('mode') ?? '1') ? {} : { fps: link.fps * 2 }),
  atempo: ({ link, option, value }) => ({ seconds: link.seconds / value(option('tempo') ?? '1') }),
  ...{ aresample: audio, aformat: audio, pan: audio },
  ...{ rotate: same, shear: same, perspective: same, cropdetect: same, palettegen: same },
  ...{ overlay: lasting('first'), blend: lasting('first'), alphamerge: lasting('first'), paletteuse: lasting('first') },
  ...{ hstack: lasting('longest', 'width'), vstack: lasting('longest', 'height'), amix: lasting('longest') },
};

/** The streams after a filter. Throws `NoEstimate` if its effect is unknown. */
export function afterFilter({ name, options, outputs }: GraphFilter, inputs: readonly Link[]): readonly Link[] {
  const [link] = inputs;
  if (link === undefined) throw new NoEstimate('A filter reads a stream that is not known before the job runs.');
  if (link.kind === 'video') requireSize(link);
  const option: AppliedFilter['option'] = (...names) =>
    options.find(({ key }) => key !== undefined && names.includes(key))?.value;
  if (name === 'concat') {
    const width = Number(option('v') ?? 1) + Number(option('a') ?? 0);
    return inputs.slice(0, width).map((first, index) => {
      const own = inputs.filter((_link, at) => at % width === index);
      return { ...first, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) };
    });
  }
  const value = (text: string, more: Values = {}): number => {
    const found = evaluate(text, { ...namesOf(link), ...more });
    if (found !== undefined) return found;
    throw new NoEstimate(`The value "${text.slice(0, 80)}" of the filter "${name}" is only known while ffmpeg runs.`);
  };
  const effect = EFFECTS[name] ?? ([RESIZING, TIMES, OTHERS].some((names) => names.test(name)) ? undefined : same);
  if (effect === undefined)
    throw new NoEstimate(`The size and the length after the filter "${name}" are not estimated.`);
  const after = { ...link, ...effect({ link, inputs, option, value }) };
  return outputs.length > 1 ? outputs.map(() => after) : [after];
}

/** Throws `NoEstimate` if the frame size is unknown. For a damaged file, ffprobe reports 0 by 0. */
export function requireSize({ width, height }: Link): void {
  if (!(width > 0 && height > 0)) throw new NoEstimate('The frame size of the input is unknown.');
}

type Values = Readonly<Record<string, number>>;

const namesOf = ({ width, height, fps: rate, source }: Link): Values => {
  const [x = 1, y = 1] = (source.stream.sampleAspectRatio ?? '1:1').split(':').map(Number);
  const sar = x > 0 && y > 0 ? x / y : 1;
  return {
    ...{ in_w: width, iw: width, in_h: height, ih: height, a: width / height, sar, dar: (width / height) * sar },
    ...{ hsub: 2, vsub: 2, FRAME_RATE: rate, TB: 1 },
    // Until `predictOutput` knows the frames, a size that the job chooses counts as unchanged.
    ...{ [QUALITY_PLACEHOLDERS.width]: width, [QUALITY_PLACEHOLDERS.height]: height },
  };
};

/** The functions of ffmpeg's expressions that sizes use. */
const SIZE_FUNCTIONS: typeof FUNCTIONS = {
  ...FUNCTIONS,
  trunc: (a = Number.NaN) => Math.trunc(a),
  mod: (a = Number.NaN, b = Number.NaN) => a % b,
  gt: (a = 0, b = 0) => Number(a > b),
  gte: (a = 0, b = 0) => Number(a >= b),
  lt: (a = 0, b = 0) => Number(a < b),
  lte: (a = 0, b = 0) => Number(a <= b),
  if: (a, b = 0, c = 0) => (a === 0 ? c : b),
};

/** Evaluates an expression of ffmpeg. undefined: it has an unknown name or function, or syntax such as "^" for powers. */
function evaluate(text: string, values: Values): number | undefined {
  try {
    return parseFormula(text, SIZE_FUNCTIONS).evaluate((name) => values[name]);
  } catch {
    return undefined;
  }
}
