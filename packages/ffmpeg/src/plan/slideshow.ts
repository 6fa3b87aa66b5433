import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { type FrameRate, frameRateOf, framesIn, joinVideo, rateText, totalFrames } from '../filtergraph/crossfades.ts';
import { BT709, hasColours, scaledTo, taggedAs } from '../filtergraph/video-colours.ts';
import { readRate } from '../values/rate.ts';
import { parseSize } from '../values/size.ts';
import type { ValueError } from '../values/value-error.ts';
import type { JoinContext } from './joining/clip.ts';
import { type ArgvOption, hasKey, readTrim, serviceOption, videoValue } from './request/argv-option.ts';
import { longCrossfade } from './request/duration-field.ts';
import { fileKind, hasCounter, isImageExtension } from './request/format-names.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

/** The inputs and options with which ffmpeg makes the slideshow, instead of those of the request. */
export interface Slideshow {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
  readonly span: Span;
}

const DEFAULT_RATE: FrameRate = { frames: 25, per: 1 };

/**
 * Plans a slideshow if inputs have a `duration`: it shows the images one after the other, and all audio plays until they end. undefined: no
 * input has a `duration`, or the client arranges the streams with a video filter, a filtergraph, `map` or `vn`.
 */
export function planSlideshow(
  inputs: readonly ArgvInput[],
  context: Pick<JoinContext, 'options' | 'muxer' | 'catalogue' | 'errors'>,
): Slideshow | undefined {
  const { options, errors } = context;
  const hasImages = inputs.some(isImage);
  if (!hasImages || options.some(arrangesStreams)) {
    rejectCrossfades(inputs, errors);
    return undefined;
  }
  const errorsBefore = errors.length;
  const others = inputs.flatMap((input, index) => (isImage(input) ? [] : [{ input, index }]));
  for (const { input } of others) rejectOtherInput(input, errors);
  rejectCopy(options, errors);
  const rate = selectRate(inputs, options);
  const slides = createSlides(inputs, rate, errors);
  if (errors.length > errorsBefore) return undefined;

  const subtitles = others.filter(isSubtitles);
  const audioInputs = others.filter((other) => !isSubtitles(other));
  const joinsAudio = audioInputs.length > 1 && !hasKey(options, 'an');
  if (joinsAudio) rejectAudioOptions(options, errors);
  const graphs = [printSlideshowGraph(createSpec(slides, rate, context))];
  if (joinsAudio)
    graphs.push(
      `${audioInputs.map(({ index }) => `[${index}:a:0]`).join('')}concat=n=${audioInputs.length}:v=0:a=1[a]`,
    );
  const maps = [
    '[v]',
    ...(joinsAudio ? ['[a]'] : audioInputs.map(({ index }) => `${index}:a:0`)),
    ...subtitles.map(({ index }) => `${index}:s:0`),
  ];
  const seconds = (totalFrames(slides) * rate.per) / rate.frames;
  const trimmed = endWithImages(seconds, options);
  return {
    inputs: inputs.map(asImage),
    options: [serviceOption('filter_complex', [graphs.join(';')]), serviceOption('map', maps), ...trimmed],
    span: {
      // Progress is measured against the longest input. Images have no duration, so the first image gets the duration of the slideshow.
      inputs: inputs.map((_input, index) => (index === slides[0]?.input ? { duration: seconds } : {})),
      output: readTrim(trimmed),
      shortest: hasKey(options, 'shortest'),
    },
  };
}

const arrangesStreams = ({ key, name }: ArgvOption): boolean =>
  STREAM_OPTIONS.has(name.name) || /^filter(?:$|:[vV0])/.test(key);

const STREAM_OPTIONS: ReadonlySet<string> = new Set(['filter_complex', 'map', 'vn']);

/** True if an input is an image of the slideshow. An input with a `source` can only add audio. */
const isImage = ({ duration, made }: ArgvInput): boolean => duration !== undefined && made === undefined;

const isSubtitles = ({ input }: { readonly input: ArgvInput }): boolean =>
  fileKind(extension(input.source.path)) === 'subtitles';

function createSlides(inputs: readonly ArgvInput[], rate: FrameRate, errors: FieldError[]): readonly Slide[] {
  const toFrames = (seconds: number): number => framesIn(seconds, rate);
  const images = inputs.flatMap((input, index) => (isImage(input) ? [{ ...input, index }] : []));
  // Each image ends at the frame nearest to its end time. With each duration rounded by itself, eight images of 2.5 s could last 19.88 s.
  const shown = { seconds: 0, frames: 0 };
  const slides = images.map(({ duration, crossfade, index }): Slide => {
    const fade = toFrames(crossfade?.seconds ?? 0);
    shown.seconds += Number(duration) - (crossfade?.seconds ?? 0);
    const frames = Math.max(1, toFrames(shown.seconds) - shown.frames + fade);
    shown.frames += frames - fade;
    return { input: index, frames, crossfade: fade };
  });
  checkCrossfades(images, slides, errors);
  return slides;
}

function createSpec(
  slides: readonly Slide[],
  rate: FrameRate,
  { options, muxer, catalogue }: Pick<JoinContext, 'options' | 'muxer' | 'catalogue'>,
): SlideshowSpec {
  return {
    slides,
    rate,
    size: parseSize(videoValue(options, 's') ?? ''),
    pixelFormat: selectPixelFormat(options, muxer),
    scaleTakesReference: !catalogue.lists.filters.has('scale2ref'),
  };
}

/** Returns the frame rate: `r`, or else the `framerate` of an input. */
function selectRate(inputs: readonly ArgvInput[], options: readonly ArgvOption[]): FrameRate {
  const value = videoValue(options, 'r') ?? inputs.map((input) => videoValue(input.options, 'framerate')).find(Boolean);
  const rate = value === undefined ? undefined : readRate(value);
  return rate === undefined ? DEFAULT_RATE : frameRateOf(rate);
}

/** Encoders whose videos most players can decode only as 4:2:0. */
const PLAYED_AS_420 =
  /^(?:lib(?:x26[45]|vpx|vpx-vp9|aom-av1|svtav1|rav1e|xvid|theora|openh264|kvazaar)|mpeg[124]\w*|h26[345]|hevc|av1|vp[89]|flv|wmv[12]|msmpeg4\w*)$/;

const IMAGE_MUXERS: ReadonlySet<string> = new Set(['gif', 'apng', 'webp', 'image2', 'avif']);

function selectPixelFormat(options: readonly ArgvOption[], muxer: string): string | undefined {
  const sent = videoValue(options, 'pix_fmt');
  if (sent !== undefined) return /^[a-z0-9]+$/.test(sent) ? sent : undefined;
  const encoder = videoValue(options, 'c');
  if (encoder === undefined) return IMAGE_MUXERS.has(muxer) ? undefined : 'yuv420p';
  return PLAYED_AS_420.test(encoder) ? 'yuv420p' : undefined;
}

/** Returns an image without its duration, crossfade and frame rate, because the filtergraph sets them. */
function asImage({ duration, crossfade: _, ...input }: ArgvInput): ArgvInput {
  return duration === undefined ? input : { ...input, options: input.options.filter(({ key }) => key !== 'framerate') };
}

/** Sets `t` so that the output ends with the last image. An earlier end that the client sent stays. */
function endWithImages(seconds: number, options: readonly ArgvOption[]): readonly ArgvOption[] {
  const { start = 0, duration, end } = readTrim(options);
  const sentDuration = duration ?? (end === undefined ? undefined : end - start);
  const remaining = Math.round((seconds - start) * 1e6) / 1e6;
  if (remaining <= 0 || (sentDuration !== undefined && sentDuration <= remaining)) return options;
  return [...options.filter(({ key }) => key !== 't' && key !== 'to'), serviceOption('t', [`${remaining}`])];
}

/** Rejects crossfades in a request that is not a slideshow. */
function rejectCrossfades(inputs: readonly Pick<ArgvInput, 'crossfade'>[], errors: FieldError[]): void {
  for (const { crossfade } of inputs)
    if (crossfade !== undefined)
      errors.push({
        field: crossfade.field,
        code: 'NO_SLIDESHOW',
        message:
          '"crossfade" works only with "join": "encode", or in a slideshow, in which every image has a "duration" and no "map" or video filter is sent.',
      });
}

const VIDEO_SOURCE: ValueError = {
  code: 'NOT_A_STILL',
  message:
    'A slideshow shows only images that are files, but this source makes a video. "join": "encode" plays sources, images and videos one after the other.',
};

/** Rejects an input without `duration`, unless it is audio or subtitles, which a slideshow can have. */
function rejectOtherInput({ source, crossfade, made }: ArgvInput, errors: FieldError[]): void {
  const { path, field, url } = source;
  if (crossfade !== undefined) rejectCrossfades([{ crossfade }], errors);
  if (made?.kind === 'audio') return;
  if (made !== undefined) errors.push({ field, ...VIDEO_SOURCE });
  else if (isImageExtension(extension(path)) || (url === undefined && hasCounter(path)))
    errors.push({
      field,
      code: 'NEEDS_DURATION',
      message: 'This image has no "duration". Other images have one, which makes the request a slideshow.',
    });
  else if (fileKind(extension(path)) === 'video')
    errors.push({
      field,
      code: 'NOT_A_STILL',
      message: 'A slideshow cannot contain a video. Images with a "duration", audio files and subtitles are allowed.',
    });
}

function rejectCopy(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (/^c(?:$|:[vV0])/.test(key) && values.includes('copy'))
      errors.push({
        field,
        code: 'NEEDS_ENCODER',
        message: 'The images of a slideshow are re-encoded, so "copy" is allowed only for the audio ("c:a").',
      });
}

/** Rejects options that cannot apply to several audio inputs. */
function rejectAudioOptions(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (key.startsWith('filter:a') || (key.startsWith('c:a') && values.includes('copy')))
      errors.push({
        field,
        code: 'SEVERAL_SOUNDS',
        message:
          'The audio files of a slideshow are joined into one stream, so they cannot be copied or filtered one by one.',
      });
}

/** Checks that each crossfade fits between its two images. `slides`: one entry per image. */
function checkCrossfades(images: readonly ArgvInput[], slides: readonly Slide[], errors: FieldError[]): void {
  for (const [i, { crossfade }] of images.entries()) {
    if (crossfade === undefined) continue;
    const fail = (message: string): void =>
      void errors.push({ field: crossfade.field, code: 'BAD_CROSSFADE', message });
    const previous = slides[i - 1];
    const slide = slides[i];
    const tooLong = longCrossfade(crossfade.seconds, crossfade.field);
    if (previous === undefined || slide === undefined)
      fail('The first image cannot have a crossfade: there is no image before it.');
    else if (tooLong !== undefined) errors.push(tooLong);
    else if (slide.crossfade > slide.frames || previous.crossfade + slide.crossfade > previous.frames)
      fail('The crossfades of an image are longer than its duration.');
  }
}

/** An image of a slideshow, with its times in frames. */
interface Slide {
  /** Its index among ffmpeg's inputs. */
  readonly input: number;
  readonly frames: number;
  /** In how many frames the image fades in over the previous image. 0: no crossfade. */
  readonly crossfade: number;
}

interface SlideshowSpec {
  readonly slides: readonly Slide[];
  readonly rate: FrameRate;
  /** The frame size. undefined: the size of the first image, rounded down to even numbers. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** undefined: the encoder chooses. */
  readonly pixelFormat: string | undefined;
  /** True if the filter `scale` can take a second input as its reference (since ffmpeg 7.1). Older versions need `scale2ref`. */
  readonly scaleTakesReference: boolean;
}

const FIT_INTO = (width: string, height: string, aspect: string): string =>
  `w=max(2\\,2*trunc(min(${width}\\,${height}*${aspect})/2)):h=max(2\\,2*trunc(min(${height}\\,${width}/${aspect})/2))`;

/**
 * The filtergraph of a slideshow, with the output `[v]`. The size of the first image is unknown, so the graph turns this image into a black
 * canvas. Then it scales every image and overlays it on the canvas. Transparent parts become black. Each image is read, scaled and overlaid
 * once, then repeated.
 */
function printSlideshowGraph(spec: SlideshowSpec): string {
  const { slides, scaleTakesReference, pixelFormat } = spec;
  const rate = rateText(spec.rate);
  const conversion = toPixelFormat(spec);
  const chains = [canvasChain(spec)];
  for (const [i, { input, frames }] of slides.entries())
    chains.push(
      scaleTakesReference
        ? `[${input}:v:0][r${i}]scale=${FIT_INTO('rw', 'rh', 'dar')},setsar=1,format=rgba[s${i}]`
        : `[${input}:v:0][r${i}]scale2ref=${FIT_INTO('iw', 'ih', 'main_dar')}[u${i}][c${i}];[u${i}]setsar=1,format=rgba[s${i}]`,
      `[c${i}][s${i}]overlay=x=(W-w)/2:y=(H-h)/2:format=rgb,setsar=1,${conversion},settb=1/(${rate}),` +
        `loop=loop=-1:size=1,setpts=N,fps=${rate},trim=end_frame=${frames}[p${i}]`,
    );
  const parts = slides.map(({ frames, crossfade }, i) => ({ label: `p${i}`, frames, crossfade }));
  const joined = joinVideo(parts, spec.rate, chains);
  // Convert the pixel format back after crossfades: xfade outputs only 4:4:4 and RGB, which encoders would keep.
  const hasCrossfade = slides.some(({ crossfade }) => crossfade > 0);
  const restored = hasCrossfade && pixelFormat !== undefined ? `,format=${pixelFormat}` : '';
  // xfade of ffmpeg 5.1 may end one frame late.
  chains.push(`[${joined}]trim=end_frame=${totalFrames(slides)}${restored}[v]`);
  return chains.join(';');
}

/** Makes a canvas `[c0]`, `[c1]`, … for each image and, if `scale` takes a reference, also a reference `[r0]`, `[r1]`, …. */
function canvasChain({ slides, size, scaleTakesReference }: SlideshowSpec): string {
  const [first] = slides;
  const source =
    size === undefined
      ? `[${first?.input ?? 0}:v:0]scale=w=max(2\\,2*trunc(iw*sar/2)):h=max(2\\,2*trunc(ih/2)),setsar=1,format=rgb24,lutrgb=r=0:g=0:b=0`
      : `color=c=black:s=${size.width}x${size.height},trim=end_frame=1,format=rgb24`;
  const labels = slides.map((_slide, i) => (scaleTakesReference ? `[r${i}][c${i}]` : `[r${i}]`));
  return `${source},split=${slides.length * (scaleTakesReference ? 2 : 1)}${labels.join('')}`;
}

/**
 * The filters that convert an image to the pixel format. They run before the image is repeated, so that it is converted once, and 4:2:0
 * needs half the memory of RGB.
 */
function toPixelFormat({ pixelFormat }: SlideshowSpec): string {
  if (pixelFormat === undefined) return 'format=rgb24';
  if (!hasColours(pixelFormat)) return `format=${pixelFormat}`;
  return `scale=${scaledTo(BT709)},format=${pixelFormat},${taggedAs(BT709)}`;
}
