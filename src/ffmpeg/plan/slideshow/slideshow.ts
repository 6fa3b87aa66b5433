import { extension } from '../../../domain/media-path.ts';
import type { Span } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { readRate } from '../../values/rate.ts';
import { readSize } from '../../values/size.ts';
import type { ReadInput } from '../request/parse-inputs.ts';
import { made, type ReadOption } from '../request/parse-options.ts';
import { trimOf } from '../trim-range.ts';
import { kindOf } from './slide-kind.ts';
import { checkCrossfades, refuseCopy, refuseCrossfades, refuseOther, refuseSoundOptions } from './slideshow-checks.ts';
import { framesOf, type Rate, type Show, type Slide, slideshowGraph } from './slideshow-graph.ts';

/** What the options and inputs of a request become where its pictures are shown one after the other. */
export interface Slideshow {
  readonly inputs: readonly ReadInput[];
  readonly options: readonly ReadOption[];
  readonly span: Span;
}

const RATE: Rate = { frames: 25, per: 1 };

/**
 * Pictures with a `duration` are a slideshow, unless the caller says what is done with the streams (a filter of
 * video, a filtergraph, a map, no video at all): they are shown one after the other, and so are sounds heard, which end
 * with the pictures. undefined: it is none. What is wrong is added to `errors`.
 */
export function slideshowOf(
  inputs: readonly ReadInput[],
  options: readonly ReadOption[],
  muxer: string,
  catalogue: Catalogue,
  errors: FieldError[],
): Slideshow | undefined {
  const pictures = inputs.filter(({ duration }) => duration !== undefined);
  const own = options.some(({ key, name }) => OWN.has(name.name) || /^filter(?:$|:[vV0])/.test(key));
  if (pictures.length === 0 || own) {
    refuseCrossfades(inputs, errors);
    return undefined;
  }
  const before = errors.length;
  const others = inputs.flatMap((input, index) => (input.duration === undefined ? [{ input, index }] : []));
  for (const { input } of others) refuseOther(input, errors);
  refuseCopy(options, errors);
  const rate = rateOf(inputs, options);
  const slides = slidesOf(inputs, rate, errors);
  if (errors.length > before) return undefined;

  const size = readSize(valueNamed(options, 's') ?? '');
  const pixelFormat = pixelFormatOf(options, muxer);
  const show: Show = {
    slides,
    rate,
    ...(size === undefined ? {} : { size }),
    ...(pixelFormat === undefined ? {} : { pixelFormat }),
    scaleTakesReference: !catalogue.lists.filters.has('scale2ref'),
  };
  const isSubtitles = ({ input }: { input: ReadInput }): boolean =>
    kindOf(extension(input.planned.path)) === 'subtitles';
  const sounds = others.filter((other) => !isSubtitles(other));
  const subtitles = others.filter(isSubtitles);
  const oneAfterTheOther = sounds.length > 1 && !options.some(({ key }) => key === 'an');
  if (oneAfterTheOther) refuseSoundOptions(options, errors);
  const seconds = (framesOf(slides) * rate.per) / rate.frames;
  const rest = endedAfter(seconds, options);
  const graphs = [slideshowGraph(show)];
  if (oneAfterTheOther)
    graphs.push(`${sounds.map(({ index }) => `[${index}:a:0]`).join('')}concat=n=${sounds.length}:v=0:a=1[a]`);
  const maps = [
    '[v]',
    ...(oneAfterTheOther ? ['[a]'] : sounds.map(({ index }) => `${index}:a:0`)),
    ...subtitles.map(({ index }) => `${index}:s:0`),
  ];
  return {
    inputs: inputs.map(asPicture),
    options: [made('filter_complex', [graphs.join(';')]), made('map', maps), ...rest],
    span: {
      // The length of the whole stands for the pictures, each of which ffmpeg takes for a moment.
      inputs: inputs.map((_input, index) => (index === slides[0]?.input ? { duration: seconds } : {})),
      output: trimOf(rest),
      shortest: options.some(({ key }) => key === 'shortest'),
    },
  };
}

/** With these the caller says what becomes of the streams. */
const OWN: ReadonlySet<string> = new Set(['filter_complex', 'map', 'vn']);

function slidesOf(inputs: readonly ReadInput[], rate: Rate, errors: FieldError[]): readonly Slide[] {
  const inFrames = (seconds: number): number => Math.round((seconds * rate.frames) / rate.per);
  const shown = inputs.flatMap((input, index) => (input.duration === undefined ? [] : [{ ...input, index }]));
  const slides = shown.map(
    ({ duration, crossfade, index }): Slide => ({
      input: index,
      frames: Math.max(1, inFrames(Number(duration))),
      crossfade: inFrames(crossfade?.seconds ?? 0),
    }),
  );
  checkCrossfades(shown, slides, errors);
  return slides;
}

const valueNamed = (options: readonly ReadOption[], name: string): string | undefined =>
  options.findLast(({ key }) => key === name || key === `${name}:v` || key === `${name}:v:0`)?.values[0];

function rateOf(inputs: readonly ReadInput[], options: readonly ReadOption[]): Rate {
  const said = valueNamed(options, 'r') ?? inputs.map((input) => valueNamed(input.options, 'framerate')).find(Boolean);
  const rate = said === undefined ? undefined : readRate(said);
  if (rate === undefined) return RATE;
  for (const per of [1, 1001]) {
    const frames = Math.round(rate * per);
    if (frames > 0 && Math.abs(rate * per - frames) < 1e-6) return { frames, per };
  }
  return { frames: Math.max(1, Math.round(rate * 1000)), per: 1000 };
}

/** Encoders of films that most players expect to hold 4:2:0. */
const FOR_PLAYERS =
  /^(?:lib(?:x26[45]|vpx|vpx-vp9|aom-av1|svtav1|rav1e|xvid|theora|openh264|kvazaar)|mpeg[124]\w*|h26[345]|hevc|av1|vp[89]|flv|wmv[12]|msmpeg4\w*)$/;

const PICTURE_MUXERS: ReadonlySet<string> = new Set(['gif', 'apng', 'webp', 'image2', 'avif']);

function pixelFormatOf(options: readonly ReadOption[], muxer: string): string | undefined {
  const own = valueNamed(options, 'pix_fmt');
  if (own !== undefined) return /^[a-z0-9]+$/.test(own) ? own : undefined;
  const encoder = valueNamed(options, 'c');
  if (encoder === undefined) return PICTURE_MUXERS.has(muxer) ? undefined : 'yuv420p';
  return FOR_PLAYERS.test(encoder) ? 'yuv420p' : undefined;
}

/** What an option of the caller's for readers of pictures said is in the graph now. */
function asPicture({ duration, crossfade: _, ...input }: ReadInput): ReadInput {
  return duration === undefined ? input : { ...input, options: input.options.filter(({ key }) => key !== 'framerate') };
}

/** The options with an end that is not after the pictures. */
function endedAfter(seconds: number, options: readonly ReadOption[]): readonly ReadOption[] {
  const { start = 0, duration, end } = trimOf(options);
  const asked = duration ?? (end === undefined ? undefined : end - start);
  const left = Math.round((seconds - start) * 1e6) / 1e6;
  if (left <= 0 || (asked !== undefined && asked <= left)) return options;
  return [...options.filter(({ key }) => key !== 't' && key !== 'to'), made('t', [`${left}`])];
}
