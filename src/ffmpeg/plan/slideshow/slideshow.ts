import { extension } from '../../../domain/media-path.ts';
import type { Span } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type FrameRate, frameRateOf, framesIn, totalFrames } from '../../filtergraph/crossfades.ts';
import { readRate } from '../../values/rate.ts';
import { parseSize } from '../../values/size.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';
import { fileKind } from '../request/file-kind.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readTrim } from '../request/trim-range.ts';
import {
  checkCrossfades,
  rejectCopy,
  rejectCrossfades,
  rejectOtherInput,
  rejectSoundOptions,
} from './slideshow-checks.ts';
import { printSlideshowGraph, type Slide, type SlideshowSpec } from './slideshow-graph.ts';

/** The inputs and options for ffmpeg that replace those of the request. */
export interface Slideshow {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
  readonly span: Span;
}

const DEFAULT_RATE: FrameRate = { frames: 25, per: 1 };

/**
 * Plans a slideshow if inputs have a `duration`: the pictures are shown one after the other, and sounds are played one
 * after the other until the pictures end. Returns undefined if no input has one, or if the client arranges the streams
 * itself by a video filter, a filtergraph, a map or `vn`.
 */
export function planSlideshow(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
  errors: FieldError[],
): Slideshow | undefined {
  const hasPictures = inputs.some(isPicture);
  if (!hasPictures || options.some(arrangesStreams)) {
    rejectCrossfades(inputs, errors);
    return undefined;
  }
  const errorsBefore = errors.length;
  const others = inputs.flatMap((input, index) => (isPicture(input) ? [] : [{ input, index }]));
  for (const { input } of others) rejectOtherInput(input, errors);
  rejectCopy(options, errors);
  const rate = selectRate(inputs, options);
  const slides = createSlides(inputs, rate, errors);
  if (errors.length > errorsBefore) return undefined;

  const subtitles = others.filter(isSubtitles);
  const sounds = others.filter((other) => !isSubtitles(other));
  const joinsSounds = sounds.length > 1 && !options.some(({ key }) => key === 'an');
  if (joinsSounds) rejectSoundOptions(options, errors);
  const graphs = [printSlideshowGraph(createSpec(slides, rate, options, muxer, catalogue))];
  if (joinsSounds)
    graphs.push(`${sounds.map(({ index }) => `[${index}:a:0]`).join('')}concat=n=${sounds.length}:v=0:a=1[a]`);
  const maps = [
    '[v]',
    ...(joinsSounds ? ['[a]'] : sounds.map(({ index }) => `${index}:a:0`)),
    ...subtitles.map(({ index }) => `${index}:s:0`),
  ];
  const seconds = (totalFrames(slides) * rate.per) / rate.frames;
  const trimmed = endWithPictures(seconds, options);
  return {
    inputs: inputs.map(asPicture),
    options: [serviceOption('filter_complex', [graphs.join(';')]), serviceOption('map', maps), ...trimmed],
    span: {
      // Progress is measured against the longest input. A picture is a single frame without a duration of its own, so the
      // first picture gets the duration of the whole slideshow.
      inputs: inputs.map((_input, index) => (index === slides[0]?.input ? { duration: seconds } : {})),
      output: readTrim(trimmed),
      shortest: options.some(({ key }) => key === 'shortest'),
    },
  };
}

const arrangesStreams = ({ key, name }: ArgvOption): boolean =>
  STREAM_OPTIONS.has(name.name) || /^filter(?:$|:[vV0])/.test(key);

const STREAM_OPTIONS: ReadonlySet<string> = new Set(['filter_complex', 'map', 'vn']);

/** Whether an input is one of the pictures. A source is not: only its sound can be part of a slideshow. */
const isPicture = ({ duration, made }: ArgvInput): boolean => duration !== undefined && made === undefined;

const isSubtitles = ({ input }: { readonly input: ArgvInput }): boolean =>
  fileKind(extension(input.source.path)) === 'subtitles';

function createSlides(inputs: readonly ArgvInput[], rate: FrameRate, errors: FieldError[]): readonly Slide[] {
  const toFrames = (seconds: number): number => framesIn(seconds, rate);
  const pictures = inputs.flatMap((input, index) => (isPicture(input) ? [{ ...input, index }] : []));
  // Each picture ends at the frame that is next to its time. If each were rounded by itself, eight of 2.5 s could last 19.88 s.
  const shown = { seconds: 0, frames: 0 };
  const slides = pictures.map(({ duration, crossfade, index }): Slide => {
    const fade = toFrames(crossfade?.seconds ?? 0);
    shown.seconds += Number(duration) - (crossfade?.seconds ?? 0);
    const frames = Math.max(1, toFrames(shown.seconds) - shown.frames + fade);
    shown.frames += frames - fade;
    return { input: index, frames, crossfade: fade };
  });
  checkCrossfades(pictures, slides, errors);
  return slides;
}

function createSpec(
  slides: readonly Slide[],
  rate: FrameRate,
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
): SlideshowSpec {
  const size = parseSize(videoValue(options, 's') ?? '');
  const pixelFormat = selectPixelFormat(options, muxer);
  return {
    slides,
    rate,
    ...(size === undefined ? {} : { size }),
    ...(pixelFormat === undefined ? {} : { pixelFormat }),
    scaleTakesReference: !catalogue.lists.filters.has('scale2ref'),
  };
}

/** Returns the value of an option that applies to the video. */
const videoValue = (options: readonly ArgvOption[], name: string): string | undefined =>
  options.findLast(({ key }) => key === name || key === `${name}:v` || key === `${name}:v:0`)?.values[0];

/** Returns the frame rate as a ratio of whole numbers, from `r` or from the `framerate` of an input. */
function selectRate(inputs: readonly ArgvInput[], options: readonly ArgvOption[]): FrameRate {
  const value = videoValue(options, 'r') ?? inputs.map((input) => videoValue(input.options, 'framerate')).find(Boolean);
  const rate = value === undefined ? undefined : readRate(value);
  return rate === undefined ? DEFAULT_RATE : frameRateOf(rate);
}

/** Encoders whose videos most players can only decode as 4:2:0. */
const PLAYED_AS_420 =
  /^(?:lib(?:x26[45]|vpx|vpx-vp9|aom-av1|svtav1|rav1e|xvid|theora|openh264|kvazaar)|mpeg[124]\w*|h26[345]|hevc|av1|vp[89]|flv|wmv[12]|msmpeg4\w*)$/;

const PICTURE_MUXERS: ReadonlySet<string> = new Set(['gif', 'apng', 'webp', 'image2', 'avif']);

function selectPixelFormat(options: readonly ArgvOption[], muxer: string): string | undefined {
  const sent = videoValue(options, 'pix_fmt');
  if (sent !== undefined) return /^[a-z0-9]+$/.test(sent) ? sent : undefined;
  const encoder = videoValue(options, 'c');
  if (encoder === undefined) return PICTURE_MUXERS.has(muxer) ? undefined : 'yuv420p';
  return PLAYED_AS_420.test(encoder) ? 'yuv420p' : undefined;
}

/** Returns the input without its duration, crossfade and frame rate, which the filtergraph sets. */
function asPicture({ duration, crossfade: _, ...input }: ArgvInput): ArgvInput {
  return duration === undefined ? input : { ...input, options: input.options.filter(({ key }) => key !== 'framerate') };
}

/** Returns the options with an end that is not after the last picture. */
function endWithPictures(seconds: number, options: readonly ArgvOption[]): readonly ArgvOption[] {
  const { start = 0, duration, end } = readTrim(options);
  const sentDuration = duration ?? (end === undefined ? undefined : end - start);
  const remaining = Math.round((seconds - start) * 1e6) / 1e6;
  if (remaining <= 0 || (sentDuration !== undefined && sentDuration <= remaining)) return options;
  return [...options.filter(({ key }) => key !== 't' && key !== 'to'), serviceOption('t', [`${remaining}`])];
}
