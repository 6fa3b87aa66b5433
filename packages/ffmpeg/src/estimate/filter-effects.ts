import { parseDuration } from '@telecine/contract/domain/duration.ts';
import jsep from 'jsep';
import type { GraphFilter } from '../filtergraph/graph.ts';
import { channelsOf } from '../values/media-formats.ts';
import { readRate } from '../values/rate.ts';
import { parseSize } from '../values/size.ts';
import { type AudioLink, type Link, NoEstimate, requireSize, type VideoLink } from './links.ts';

/** Returns the value of the filter option that has one of these names. undefined: it is not set. */
type Options = (...names: readonly string[]) => string | undefined;
/** The streams after a filter: their frame size, rate and length. Throws `NoEstimate`. */
type Effect = (inputs: readonly Link[], options: Options, filter: GraphFilter) => readonly Link[];

/** Filters that keep the frame size, the rate and the length of a stream. */
const NEUTRAL: ReadonlySet<string> = new Set(
  (
    'null copy format setsar setdar hflip vflip eq hue drawbox drawgrid drawtext subtitles ass unsharp boxblur gblur ' +
    'avgblur smartblur colorspace colormatrix iccdetect fade lut lutrgb lutyuv lut1d lut3d haldclut curves colorbalance colorcorrect ' +
    'colorchannelmixer colorkey chromakey chromahold colorhold despill negate vignette hqdn3d nlmeans atadenoise bm3d vaguedenoiser ' +
    'owdenoise removegrain median deband deblock noise tonemap settb setfield setparams setrange fieldorder deshake vidstabtransform ' +
    'vidstabdetect lenscorrection perspective delogo removelogo cropdetect blackdetect freezedetect idet signalstats metadata showinfo ' +
    'elbg edgedetect sobel prewitt convolution rgbashift chromashift monochrome vibrance colortemperature selectivecolor exposure ' +
    'normalize histeq grayworld cas estdif swapuv swaprect pixelize geq photosensitivity tmix lagfun reverse limiter ' +
    'alphaextract premultiply unpremultiply shuffleplanes extractplanes colorize greyedge rotate shear displace ' +
    'anull volume loudnorm dynaudnorm speechnorm acompressor alimiter agate compand mcompand highpass lowpass bandpass bandreject ' +
    'equalizer anequalizer superequalizer firequalizer bass treble lowshelf highshelf afade afftdn anlmdn arnndn adeclick adeclip ' +
    'aecho chorus flanger aphaser tremolo vibrato deesser crystalizer extrastereo stereowiden stereotools haas earwax crossfeed ' +
    'asettb areverse silencedetect volumedetect astats ebur128 replaygain ametadata ashowinfo asoftclip aexciter acrusher apulsator ' +
    'biquad allpass dcshift drmeter compensationdelay adeclick sofalizer asetnsamples'
  ).split(' '),
);

const videoOf = (link: Link | undefined): VideoLink => {
  if (link?.kind !== 'video') throw new NoEstimate('A filter reads a stream that is not known before the job runs.');
  requireSize(link);
  return link;
};
const audioOf = (link: Link | undefined): AudioLink => {
  if (link?.kind !== 'audio') throw new NoEstimate('A filter reads a stream that is not known before the job runs.');
  return link;
};

const even = (value: number, multiple: number): number => Math.max(multiple, Math.round(value / multiple) * multiple);

function evaluated(text: string, values: Readonly<Record<string, number>>, { name }: GraphFilter): number {
  const value = evaluate(text, values);
  if (value === undefined)
    throw new NoEstimate(`The value "${text.slice(0, 80)}" of the filter "${name}" is only known while ffmpeg runs.`);
  return value;
}

const namesOf = ({ width, height, fps, seconds, source }: VideoLink): Readonly<Record<string, number>> => {
  const [x = 1, y = 1] = (source?.sampleAspectRatio ?? '1:1').split(':').map(Number);
  const sar = x > 0 && y > 0 ? x / y : 1;
  return {
    ...{ in_w: width, iw: width, w: width, in_h: height, ih: height, h: height, a: width / height, sar },
    ...{ dar: (width / height) * sar, hsub: 2, vsub: 2, fps, FR: fps, FRAME_RATE: fps, TB: 1, t: 0, n: 0, seconds },
  };
};

/** Returns one side of the frame after `scale`. `wanted`: the side as sent; -1 keeps the aspect ratio, -N rounds to a multiple of N. */
const kept = (wanted: number, other: number, ratio: number): number =>
  wanted < 0 ? even(other * ratio, -wanted) : wanted;

const scale: Effect = ([input], options, filter) => {
  const link = videoOf(input);
  const size = parseSize(options('size', 's') ?? '');
  const names = namesOf(link);
  const [widthText, heightText] = [options('w', 'width'), options('h', 'height')];
  if (size === undefined && /\b(?:rw|rh|ref_w|ref_h|main_w)\b/.test(`${widthText} ${heightText}`))
    throw new NoEstimate('The size that a filter takes from another stream is not estimated.');
  const out = (text: string | undefined, own: number): number => {
    const value = evaluated(text === undefined || text === '' ? '0' : text, names, filter);
    return Math.trunc(value) === 0 ? own : Math.trunc(value);
  };
  let width = size?.width ?? (/\bo[wh]\b|out_[wh]/.test(widthText ?? '') ? -1 : out(widthText, link.width));
  let height = size?.height ?? (/\bo[wh]\b|out_[wh]/.test(heightText ?? '') ? -1 : out(heightText, link.height));
  if (width < 0 && height < 0) [width, height] = [link.width, link.height];
  const ratio = link.width / link.height;
  [width, height] = [kept(width, height, ratio), kept(height, width, 1 / ratio)];
  const fit = options('force_original_aspect_ratio') ?? 'disable';
  if (fit !== 'disable' && fit !== '0') {
    const factors = [width / link.width, height / link.height];
    const factor = fit === 'decrease' || fit === '1' ? Math.min(...factors) : Math.max(...factors);
    [width, height] = [Math.round(link.width * factor), Math.round(link.height * factor)];
  }
  return [{ ...link, width, height }];
};

const crop: Effect = ([input], options, filter) => {
  const link = videoOf(input);
  const names = namesOf(link);
  const side = (text: string | undefined, own: number) =>
    text === undefined ? own : evaluated(text, { ...names, ow: names['w'] ?? 0, out_w: names['w'] ?? 0 }, filter);
  const width = side(options('w', 'out_w'), link.width);
  const height = side(options('h', 'out_h'), link.height);
  return [{ ...link, width: Math.min(link.width, width), height: Math.min(link.height, height) }];
};

const pad: Effect = ([input], options, filter) => {
  const link = videoOf(input);
  const names = namesOf(link);
  const aspect = options('aspect');
  const side = (text: string | undefined, own: number) => evaluated(text ?? '0', names, filter) || own;
  const width = side(options('width', 'w'), link.width);
  const height = side(options('height', 'h'), link.height);
  if (aspect !== undefined && aspect !== '0') {
    const ratio = evaluated(aspect.replace(':', '/'), names, filter);
    return [{ ...link, width: Math.max(width, height * ratio), height: Math.max(height, width / ratio) }];
  }
  return [{ ...link, width, height }];
};

const fps: Effect = ([input], options, filter) => {
  const link = videoOf(input);
  const text = options('fps') ?? '25';
  const rate = readRate(text) ?? evaluated(text.replace('source_fps', String(link.fps)), namesOf(link), filter);
  return [{ ...link, fps: rate }];
};

/** The factor by which `setpts` stretches time: 1 if it does not. Throws `NoEstimate` if the expression is not linear. */
function stretch(text: string, filter: GraphFilter): number {
  const plain = text.replaceAll(' ', '');
  if (/^(?:N\/FRAME_RATE\/TB|N\/SR\/TB|PTS-STARTPTS|PTS|PTS[-+][\d.]+\/TB)$/.test(plain)) return 1;
  // Linear in PTS if the value grows evenly between three samples. They are far from the start, where a constant counts most.
  const at = (PTS: number) => evaluated(plain, { PTS, STARTPTS: 0, TB: 1, T: PTS, STARTT: 0 }, filter);
  const factor = (at(2000) - at(1000)) / 1000;
  if (factor > 0 && Math.abs(at(3000) - at(2000) - factor * 1000) < 1e-3) return factor;
  throw new NoEstimate(`The times of "${filter.name}" are not known before the job runs.`);
}

const setpts: Effect = ([input], options, filter) => {
  const link = videoOf(input);
  const factor = stretch(options('expr') ?? 'PTS', filter);
  // The frame rate stays, because ffmpeg drops or repeats frames.
  return [{ ...link, seconds: link.seconds * factor }];
};

const asetpts: Effect = ([input], options, filter) => {
  const link = audioOf(input);
  return [{ ...link, seconds: link.seconds * stretch(options('expr') ?? 'PTS', filter) }];
};

const time = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseDuration(text));

const trim: Effect = ([input], options) => {
  if (input === undefined || options('start_frame', 'end_frame', 'start_sample', 'end_sample', 'start_pts', 'end_pts'))
    throw new NoEstimate('A trim in frames or samples is not estimated.');
  const start = time(options('start', 'starti')) ?? 0;
  const end = time(options('end', 'endi')) ?? Number.POSITIVE_INFINITY;
  const most = Math.min(input.seconds - start, end - start, time(options('duration', 'durationi')) ?? input.seconds);
  return [{ ...input, seconds: Math.max(0, most) }];
};

/** For filters whose output has the size and the length of their first input or, with `shortest`, the length of the shortest. */
const overFirst: Effect = (inputs, options) => {
  const [first] = inputs;
  const link = videoOf(first);
  const lengths = inputs.map(({ seconds }) => seconds).filter((one) => Number.isFinite(one) && one > 0.1);
  const isOn = /^(?:1|true|y|yes|on|enable|enabled)$/.test(options('shortest') ?? '0');
  return [{ ...link, seconds: isOn ? Math.min(...lengths, link.seconds) : link.seconds }];
};

const stack =
  (direction: 'h' | 'v'): Effect =>
  (inputs, options) => {
    const links = inputs.map(videoOf);
    const [first] = links;
    if (first === undefined) throw new NoEstimate('A filter without inputs is not estimated.');
    const sum = (side: 'width' | 'height') => links.reduce((all, link) => all + link[side], 0);
    const lengths = links.map(({ seconds }) => seconds);
    const seconds = options('shortest') === '1' ? Math.min(...lengths) : Math.max(...lengths);
    return [{ ...first, seconds, ...(direction === 'h' ? { width: sum('width') } : { height: sum('height') }) }];
  };

const concat: Effect = (inputs, options) => {
  const [video, audio] = [Number(options('v') ?? 1), Number(options('a') ?? 0)];
  const width = video + audio;
  return Array.from({ length: width }, (_unused, index) => {
    const own = inputs.filter((_link, at) => at % width === index);
    const [first] = own;
    if (first === undefined) throw new NoEstimate('A "concat" without inputs is not estimated.');
    return { ...first, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) };
  });
};

const splitInto: Effect = ([input], _options, { outputs }) => {
  if (input === undefined) throw new NoEstimate('A filter reads a stream that is not known before the job runs.');
  return outputs.map(() => input);
};

const mix: Effect = (inputs, options) => {
  const links = inputs.map(audioOf);
  const [first] = links;
  if (first === undefined) throw new NoEstimate('A filter without inputs is not estimated.');
  const lengths = links.map(({ seconds }) => seconds);
  const duration = options('duration') ?? 'longest';
  const seconds =
    duration === 'first' ? first.seconds : duration === 'shortest' ? Math.min(...lengths) : Math.max(...lengths);
  return [{ ...first, seconds }];
};

const EFFECTS: Readonly<Record<string, Effect>> = {
  ...{ scale, zscale: scale, crop, pad, fps, setpts, asetpts, trim, atrim: trim, concat },
  framerate: fps,
  minterpolate: ([input], options, filter) => fps([input as Link], (...names) => options(...names) ?? '60', filter),
  transpose: ([input], options) => {
    const link = videoOf(input);
    const turns = /^[0-3]$|clock/.test(options('dir') ?? '0');
    return [turns ? { ...link, width: link.height, height: link.width } : link];
  },
  yadif: ([input], options) => {
    const link = videoOf(input);
    return [/^(?:1|3|send_field)/.test(options('mode') ?? '0') ? { ...link, fps: link.fps * 2 } : link];
  },
  bwdif: ([input], options) => {
    const link = videoOf(input);
    return [/^(?:0|2|send_frame)/.test(options('mode') ?? '1') ? link : { ...link, fps: link.fps * 2 }];
  },
  atempo: ([input], options, filter) => {
    const link = audioOf(input);
    return [{ ...link, seconds: link.seconds / evaluated(options('tempo') ?? '1', {}, filter) }];
  },
  aresample: ([input], options) => {
    const link = audioOf(input);
    return [{ ...link, sampleRate: Number(options('sample_rate', 'osr', 'out_sample_rate')) || link.sampleRate }];
  },
  aformat: ([input], options) => {
    const link = audioOf(input);
    const sampleRate = Number(options('sample_rates', 'r')) || link.sampleRate;
    return [{ ...link, sampleRate, channels: channelsOf(options('channel_layouts', 'cl') ?? '') ?? link.channels }];
  },
  pan: ([input], options) => {
    const link = audioOf(input);
    const layout = (options('args') ?? '').split('|')[0] ?? '';
    return [{ ...link, channels: channelsOf(layout) ?? link.channels }];
  },
  ...{ split: splitInto, asplit: splitInto },
  ...{ overlay: overFirst, blend: overFirst, alphamerge: overFirst, maskedmerge: overFirst, paletteuse: overFirst },
  palettegen: ([input]) => [{ ...videoOf(input), width: 16, height: 16 }],
  ...{ hstack: stack('h'), vstack: stack('v') },
  xfade: ([first, second], options) => {
    const [a, b] = [videoOf(first), videoOf(second)];
    return [{ ...a, seconds: (time(options('offset')) ?? a.seconds) + b.seconds }];
  },
  acrossfade: ([first, second], options) => {
    const [a, b] = [audioOf(first), audioOf(second)];
    return [{ ...a, seconds: a.seconds + b.seconds - (time(options('duration', 'd')) ?? 1) }];
  },
  ...{
    amix: mix,
    amerge: (inputs, options, filter) => {
      const channels = inputs.reduce((sum, link) => sum + audioOf(link).channels, 0);
      const [link] = mix(inputs, (...names) => (names.includes('duration') ? 'shortest' : options(...names)), filter);
      return [{ ...audioOf(link), channels }];
    },
  },
};

/** The streams after a filter. Throws `NoEstimate` if the effect of the filter is unknown. */
export function afterFilter(filter: GraphFilter, inputs: readonly Link[]): readonly Link[] {
  const options: Options = (...names) =>
    filter.options.find(({ key }) => key !== undefined && names.includes(key))?.value;
  const effect = EFFECTS[filter.name];
  if (effect !== undefined) return effect(inputs, options, filter);
  if (NEUTRAL.has(filter.name)) return inputs.slice(0, 1);
  throw new NoEstimate(`The size and the length after the filter "${filter.name}" are not estimated.`);
}

const truth = (value: boolean): number => (value ? 1 : 0);

/** The functions of ffmpeg's expressions that sizes use. A missing argument is NaN. */
const FUNCTIONS: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  round: Math.round,
  trunc: Math.trunc,
  sqrt: Math.sqrt,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  mod: (a, b) => a % b,
  pow: (a, b) => a ** b,
  gt: (a, b) => truth(a > b),
  gte: (a, b) => truth(a >= b),
  lt: (a, b) => truth(a < b),
  lte: (a, b) => truth(a <= b),
  eq: (a, b) => truth(a === b),
  not: (a) => truth(a === 0),
  if: (a, b, c) => (a === 0 ? (Number.isNaN(c) ? 0 : c) : b),
  ifnot: (a, b, c) => (a === 0 ? b : Number.isNaN(c) ? 0 : c),
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

type Values = Readonly<Record<string, number>>;

/** Evaluates an expression of ffmpeg. undefined: it has an unknown name or function, or its value is not finite. */
function evaluate(text: string, values: Values): number | undefined {
  try {
    const result = numberOf(jsep(text), values);
    return Number.isFinite(result) ? result : undefined;
  } catch {
    // jsep does not parse all of ffmpeg's syntax, such as "^" for powers.
    return undefined;
  }
}

type Node = jsep.Expression & Readonly<Record<string, unknown>>;

function numberOf(tree: jsep.Expression, values: Values): number {
  const node = tree as Node;
  const child = (name: string): number => numberOf(node[name] as jsep.Expression, values);
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'number' ? node['value'] : Number.NaN;
    case 'Identifier':
      return values[String(node['name'])] ?? Number.NaN;
    case 'UnaryExpression':
      return node['operator'] === '-' ? -child('argument') : node['operator'] === '+' ? child('argument') : Number.NaN;
    case 'BinaryExpression':
      return OPERATORS[String(node['operator'])]?.(child('left'), child('right')) ?? Number.NaN;
    case 'CallExpression': {
      const name = String((node['callee'] as Node)['name']);
      const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = (node['arguments'] as jsep.Expression[]).map((one) =>
        numberOf(one, values),
      );
      return FUNCTIONS[name]?.(a, b, c) ?? Number.NaN;
    }
    default:
      return Number.NaN;
  }
}
