import { extension } from '../../../domain/media-path.ts';
import type { Span } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { readRate } from '../../values/rate.ts';
import { readSize } from '../../values/size.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { type ArgvOption, serviceOption } from '../request/resolve-options.ts';
import { readTrim } from '../request/trim-range.ts';
import { slideFileKind } from './slide-kind.ts';
import {
  checkCrossfades,
  rejectCopy,
  rejectCrossfades,
  rejectOtherInput,
  rejectSoundOptions,
} from './slideshow-checks.ts';
import { type FrameRate, printSlideshowGraph, type Slide, type SlideshowSpec, totalFrames } from './slideshow-graph.ts';

/** What the options and inputs of a request become where its pictures are shown one after the other. */
export interface Slideshow {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
  readonly span: Span;
}

const RATE: FrameRate = { frames: 25, per: 1 };

/**
 * Pictures with a `duration` are a slideshow, unless the caller says what is done with the streams (a filter of
 * video, a filtergraph, a map, no video at all): they are shown one after the other, and so are sounds heard, which end
 * with the pictures. undefined: it is none. What is wrong is added to `errors`.
 */
export function planSlideshow(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
  errors: FieldError[],
): Slideshow | undefined {
  const pictures = inputs.filter(({ duration }) => duration !== undefined);
  const own = options.some(({ key, name }) => OWN.has(name.name) || /^filter(?:$|:[vV0])/.test(key));
  if (pictures.length === 0 || own) {
    rejectCrossfades(inputs, errors);
    return undefined;
  }
  const before = errors.length;
  const others = inputs.flatMap((input, index) => (input.duration === undefined ? [{ input, index }] : []));
  for (const { input } of others) rejectOtherInput(input, errors);
  rejectCopy(options, errors);
  const rate = rateOf(inputs, options);
  const slides = slidesOf(inputs, rate, errors);
  if (errors.length > before) return undefined;

  const size = readSize(valueNamed(options, 's') ?? '');
  const pixelFormat = pixelFormatOf(options, muxer);
  const show: SlideshowSpec = {
    slides,
    rate,
    ...(size === undefined ? {} : { size }),
    ...(pixelFormat === undefined ? {} : { pixelFormat }),
    scaleTakesReference: !catalogue.lists.filters.has('scale2ref'),
  };
  const isSubtitles = ({ input }: { input: ArgvInput }): boolean =>
    slideFileKind(extension(input.source.path)) === 'subtitles';
  const sounds = others.filter((other) => !isSubtitles(other));
  const subtitles = others.filter(isSubtitles);
  const oneAfterTheOther = sounds.length > 1 && !options.some(({ key }) => key === 'an');
  if (oneAfterTheOther) rejectSoundOptions(options, errors);
  const seconds = (totalFrames(slides) * rate.per) / rate.frames;
  const rest = endedAfter(seconds, options);
  const graphs = [printSlideshowGraph(show)];
  if (oneAfterTheOther)
    graphs.push(`${sounds.map(({ index }) => `[${index}:a:0]`).join('')}concat=n=${sounds.length}:v=0:a=1[a]`);
  const maps = [
    '[v]',
    ...(oneAfterTheOther ? ['[a]'] : sounds.map(({ index }) => `${index}:a:0`)),
    ...subtitles.map(({ index }) => `${index}:s:0`),
  ];
  return {
    inputs: inputs.map(asPicture),
    options: [serviceOption('filter_complex', [graphs.join(';')]), serviceOption('map', maps), ...rest],
    span: {
      // The length of the whole stands for the pictures, each of which ffmpeg takes for a moment.
      inputs: inputs.map((_input, index) => (index === slides[0]?.input ? { duration: seconds } : {})),
      output: readTrim(rest),
      shortest: options.some(({ key }) => key === 'shortest'),
    },
  };
}

/** With these the caller says what becomes of the streams. */
const OWN: ReadonlySet<string> = new Set(['filter_complex', 'map', 'vn']);

function slidesOf(inputs: readonly ArgvInput[], rate: FrameRate, errors: FieldError[]): readonly Slide[] {
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

const valueNamed = (options: readonly ArgvOption[], name: string): string | undefined =>
  options.findLast(({ key }) => key === name || key === `${name}:v` || key === `${name}:v:0`)?.values[0];

function rateOf(inputs: readonly ArgvInput[], options: readonly ArgvOption[]): FrameRate {
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

function pixelFormatOf(options: readonly ArgvOption[], muxer: string): string | undefined {
  const own = valueNamed(options, 'pix_fmt');
  if (own !== undefined) return /^[a-z0-9]+$/.test(own) ? own : undefined;
  const encoder = valueNamed(options, 'c');
  if (encoder === undefined) return PICTURE_MUXERS.has(muxer) ? undefined : 'yuv420p';
  return FOR_PLAYERS.test(encoder) ? 'yuv420p' : undefined;
}

/** What an option of the caller's for readers of pictures said is in the graph now. */
function asPicture({ duration, crossfade: _, ...input }: ArgvInput): ArgvInput {
  return duration === undefined ? input : { ...input, options: input.options.filter(({ key }) => key !== 'framerate') };
}

/** The options with an end that is not after the pictures. */
function endedAfter(seconds: number, options: readonly ArgvOption[]): readonly ArgvOption[] {
  const { start = 0, duration, end } = readTrim(options);
  const asked = duration ?? (end === undefined ? undefined : end - start);
  const left = Math.round((seconds - start) * 1e6) / 1e6;
  if (left <= 0 || (asked !== undefined && asked <= left)) return options;
  return [...options.filter(({ key }) => key !== 't' && key !== 'to'), serviceOption('t', [`${left}`])];
}
