import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { PlannedSeek } from '@telecine/contract/domain/plan.ts';
import { isReleaseFrom } from '../catalogue/build.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { frameRateOf, rateText } from '../filtergraph/crossfades.ts';
import { changeFilters, OF_SERVICE, printGraph, walkOf } from '../filtergraph/graph.ts';
import { mayBeTransparent, onGround, RGB_TO_BT709, WHITE } from '../filtergraph/video-colours.ts';
import type { StreamEncoders } from './encoders/stream-encoders.ts';
import { type Clip, type JoinContext, readClip } from './joining/clip.ts';
import { ownRate } from './joining/encoded-parts.ts';
import { heldAudio, heldInput, heldVideo } from './joining/held-clip.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  lastValue,
  mapsOf,
  mayBeVideo,
  readTrim,
  serviceOption,
} from './request/argv-option.ts';
import { fileKind, isImageFile } from './request/format-names.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

/** Options with which times of an input are not seconds from its start. */
const OTHER_TIMES = ['seek_timestamp', 'copyts', 'noaccurate_seek', 'itsscale', 'stream_loop', 'loop'];

/** Containers of videos whose pixels are often RGB, such as captures and renderings. */
const PERHAPS_RGB: ReadonlySet<string> = new Set('apng avi gif mkv mov nut png'.split(' '));

/** Files of images and videos that are often transparent. */
const PERHAPS_TRANSPARENT: ReadonlySet<string> = new Set('png apng gif webp avif tga tif tiff ico dds mov'.split(' '));

/** True if an input never ends. */
const isEndless = ({ options }: ArgvInput): boolean =>
  lastValue('loop', options) === '1' || lastValue('stream_loop', options) === '-1';

/** The parts of files that the plan encodes as video and whose frames depend on what a probe finds. */
export const seeksOf = (
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  indexOf: (input: ArgvInput) => number,
): readonly PlannedSeek[] =>
  hasKey(options, 'vn', 'copyts') || encoders.of('v').some(({ encoder }) => encoder === undefined)
    ? []
    : inputs.flatMap((input) => {
        const { start: ofOutput = 0 } = inputs.length === 1 ? readTrim(options) : {};
        const { start = ofOutput } = readTrim(input.options);
        const { sequence, path } = input.source;
        const name = extension(path);
        const isFile = input.made === undefined && sequence === undefined && input.format === undefined;
        const isPart = start > 0 && fileKind(name) !== 'audio' && !isImageFile(name);
        const needsLength = hasKey(options, 'shortest') && inputs.some(isEndless) && !isImageFile(name);
        const isExamined =
          isPart ||
          needsLength ||
          (PERHAPS_RGB.has(name) && encodesYuv(options, encoders)) ||
          (PERHAPS_TRANSPARENT.has(name) && encodesJpeg(encoders));
        return isFile && isExamined && !hasKey(input.options, ...OTHER_TIMES)
          ? [{ input: indexOf(input), start, needsLength }]
          : [];
      });

const YUV_ENCODER = /264(?!rgb)|265|hevc|av1|vp[89]|vpx|mpeg[124]|prores|dnxhd|theora|xvid/;

/** True if all videos are encoded in YUV with a matrix that players choose by tags. */
const encodesYuv = (options: readonly ArgvOption[], encoders: StreamEncoders): boolean =>
  encoders.of('v').every(({ encoder = '' }) => YUV_ENCODER.test(encoder)) &&
  !/^(?:rgb|bgr|gbr)/.test(lastValue('pix_fmt', options) ?? lastValue('pix_fmt:v', options) ?? '');

const encodesJpeg = (encoders: StreamEncoders): boolean => encoders.of('v').every(({ encoder }) => encoder === 'mjpeg');

/** A JPEG shows the pixels below the transparent parts, which are often black: puts them on white. */
const flatFilters = ({ video, media }: Clip): string | undefined =>
  media !== undefined && mayBeTransparent(video?.pixelFormat) ? onGround(WHITE) : undefined;

/** JPEG and WebP have the matrix BT.601 and no tag that could say another: HD video would be shown with other colours. */
const TO_BT601 = 'scale=out_color_matrix=bt601';
const encodesBt601 = (encoders: StreamEncoders): boolean =>
  encoders.of('v').length > 0 && encoders.of('v').every(({ encoder = '' }) => /^(?:mjpeg|libwebp)/.test(encoder));

/** The last frame of an animation is shown clearly longer than the others if its delay is so many times the average. */
const LONGER = 1.2;

/** Since this release, the last frame of an animation keeps its duration if filters follow. */
const KEEPS_LAST_DELAY = [6, 0] as const;

/**
 * The filters that make an animation as long as it is: the last frame of a GIF keeps its delay, and an APNG whose times are multiples of
 * 10 µs does not become a video of 100,000 frames per second.
 */
function lengthFilters({ input, media, seconds }: Clip, { release }: Catalogue['build']): string | undefined {
  const { frameCount, baseFrameRate = 0 } = media?.streams.find(isVideoNotCover) ?? {};
  const name = extension(input.source.path);
  const isWhole = !isEndless(input) && !hasKey(input.options, ...TRIMS);
  const isAnimation = input.made === undefined && input.source.sequence === undefined && isWhole;
  if (!isAnimation) return undefined;
  if (media?.format.names.includes('apng') === true) return 'fps=fps=min(source_fps\\,60)';
  const isKept = release !== undefined && isReleaseFrom(release, KEEPS_LAST_DELAY);
  if (name !== 'gif' || frameCount === undefined || baseFrameRate === 0 || seconds === undefined || isKept)
    return undefined;
  const last = (seconds - 1 / baseFrameRate).toFixed(3);
  // Repeats the last frame just before the end, if it is shown clearly longer than the others.
  const apart = ((LONGER * seconds) / frameCount - 1 / baseFrameRate).toFixed(3);
  const [isBefore, isLong] = [`lt(n\\,${frameCount})`, `gt(t-prev_selected_t\\,${apart})`];
  return `tpad=stop=1:stop_mode=clone,setpts=if(eq(N\\,${frameCount})\\,${last}/TB\\,PTS),select=${isBefore}+${isLong}`;
}

/** Images whose pixels are RGB or grey. */
const RGB_FILES: ReadonlySet<string> = new Set('png apng gif bmp tga qoi ppm pgm pam pcx'.split(' '));

const RGB_FORMAT = /^(?:0?rgb|0?bgr|x2|gbr|argb|abgr|pal8|mono)/;

/** Options and filters by which the client chooses colours. */
const COLOUR_OPTION = /^(?:colorspace|color_(?:primaries|trc|range))/;
const COLOUR_FILTER = /color_matrix|color_?space|colormatrix|zscale|setparams|tonemap|libplacebo/;

/** The filters that convert the pixels of an input. undefined: it is YUV, or unknown. */
function rgbFilters({ input, video, media }: Clip, options: readonly ArgvOption[]): string | undefined {
  const isImage = input.made === undefined && RGB_FILES.has(extension(input.source.path));
  // In a complex graph, an image is often drawn over a video, with its transparency.
  if (isImage && hasKey(options, 'filter_complex')) return undefined;
  const isRgb = media === undefined ? isImage : RGB_FORMAT.test(video?.pixelFormat ?? '');
  return isRgb ? RGB_TO_BT709 : undefined;
}

/** Extensions of video streams without a container. They have no times, so a seek loses all frames. */
const RAW_STREAMS: ReadonlySet<string> = new Set('264 h264 avc 265 h265 hevc m1v m2v mpv'.split(' '));

const TRIMS: ReadonlySet<string> = new Set(['ss', 't', 'to']);

/** Makes `ss`, `t` and `to` of a stream without a container options of the output: ffmpeg decodes all frames, and drops frames outside of the part. */
export function decodeUntilStart(inputs: readonly ArgvInput[], options: readonly ArgvOption[]): FilteredSources {
  const [input, ...others] = inputs;
  const isRaw = input !== undefined && input.made === undefined && RAW_STREAMS.has(extension(input.source.path));
  if (!isRaw || others.length > 0 || hasKey(options, ...TRIMS) || !hasKey(input.options, 'ss'))
    return { inputs, options };
  const moved = input.options.flatMap((one): ArgvOption | [] => (TRIMS.has(one.key) ? { ...one, side: 'output' } : []));
  const rest = input.options.filter(({ key }) => !TRIMS.has(key));
  return { inputs: [{ ...input, options: rest }], options: [...options, ...moved] };
}

/** The filters as one text, marked as those of the service, so that no rule explains them to the client. */
const marked = (filters: readonly (string | undefined)[]): string =>
  filters
    .filter(Boolean)
    .join(',')
    .replaceAll(/(^|(?<!\\),|\])([a-z]\w*)(?=[=[,]|$)/g, `$1$2@${OF_SERVICE}`);

function heldFilters(clip: Clip): string | undefined {
  const rate = frameRateOf(ownRate(clip));
  const { before, start, after } = heldVideo(clip, rate);
  return clip.holdsStart === true ? `${before}fps=fps=${rateText(rate)}${start}${after}` : undefined;
}

interface FilteredSources {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
}

/** The filters that a plan adds for one input. Each is empty if it is not needed. */
interface SourceChains {
  readonly clip: Clip;
  /** Before the filters of the client. */
  readonly video: string;
  readonly audio: string;
  /** Behind the filters of the client, which may convert the pixels in between. */
  readonly colours: string;
}

/**
 * Adds the filters that the content of the inputs needs. undefined: it needs none, or only ffmpeg knows which streams are filtered.
 *
 * @param mayHold False if parts of the video are encoded and compared at times of their own.
 */
export function filterSources(
  inputs: readonly ArgvInput[],
  { options, mediaOf, muxer, catalogue }: Pick<JoinContext, 'options' | 'mediaOf' | 'muxer' | 'catalogue'>,
  encoders: StreamEncoders,
  mayHold: boolean,
): FilteredSources | undefined {
  const texts = options.flatMap(({ name, values }) => (name.name.startsWith('filter') ? values : []));
  const isOfClient = options.some(({ key }) => COLOUR_OPTION.test(key)) || texts.some((one) => COLOUR_FILTER.test(one));
  const mayConvert = !isOfClient && muxer !== 'avif' && encodesYuv(options, encoders);
  const isComplex = hasKey(options, 'filter_complex');
  const found = inputs.flatMap((input, index) => {
    const { holdsStart, ...clip } = readClip(input, mediaOf(input));
    // The start of an output may be within the last frame, so that frame is repeated once more.
    const more = hasKey(options, 'ss') ? 1 / ownRate(clip) : 0;
    const held: Clip = { ...clip, ...(mayHold && holdsStart && { holdsStart, seconds: (clip.seconds ?? 0) + more }) };
    const length = isComplex || !encodesYuv(options, encoders) ? undefined : lengthFilters(clip, catalogue.build);
    const ground = encodesJpeg(encoders) ? flatFilters(clip) : undefined;
    const name = extension(input.source.path);
    const isFilm = input.made === undefined && input.source.sequence === undefined;
    const isYuv = isFilm && !isImageFile(name) && !RGB_FILES.has(name);
    const bt601 = isYuv && !isOfClient && !isComplex && encodesBt601(encoders) ? TO_BT601 : undefined;
    const colours = (mayConvert ? rgbFilters(clip, options) : undefined) ?? bt601 ?? '';
    const before = marked([heldFilters(held) ?? length, ground, isComplex ? colours : undefined]);
    const audio = marked([heldAudio(held).slice(0, -1)]);
    return before + colours === ''
      ? []
      : [{ index, clip: held, video: before, audio, colours: isComplex ? '' : marked([colours]) }];
  });
  const end = endOfShortest(inputs, options, mediaOf);
  const [chains, ...others] = found;
  if (chains === undefined || others.length > 0) return end && { inputs, options: [...options, end] };
  const ended = end === undefined ? options : [...options, end];
  const filtered = withChains(ended, chains, { index: chains.index, isAlone: inputs.length === 1, encoders });
  return (
    filtered && {
      inputs: inputs.map((one, at) => (at === chains.index ? heldInput(chains.clip) : one)),
      options: filtered,
    }
  );
}

/**
 * The end of an output with `shortest` that shows an image for as long as a file plays. ffmpeg before 6.0 notices the end of the file only
 * after the frames that the encoder holds back, seconds later. undefined: another option ends the output, or the length is unknown.
 */
function endOfShortest(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  mediaOf: JoinContext['mediaOf'],
): ArgvOption | undefined {
  if (!hasKey(options, 'shortest') || hasKey(options, 't', 'to', 'ss') || !inputs.some(isEndless)) return undefined;
  const lengths = inputs
    .filter((input) => !isEndless(input))
    .map((input) => (input.made === undefined ? readClip(input, mediaOf(input)).seconds : undefined));
  const shortest = Math.min(...lengths.map((one) => one ?? Number.NaN));
  return Number.isFinite(shortest) ? serviceOption('t', [String(shortest)]) : undefined;
}

/** The options with these chains before the filters of each stream of the input. */
function withChains(
  options: readonly ArgvOption[],
  { clip, video, audio, colours }: SourceChains,
  {
    index,
    isAlone,
    encoders,
  }: { readonly index: number; readonly isAlone: boolean; readonly encoders: StreamEncoders },
): readonly ArgvOption[] | undefined {
  const complex = options.filter(({ key }) => key === 'filter_complex');
  const direct = mapsOf(options).filter((map) => !map.startsWith('[') && !map.startsWith('-'));
  const ofVideo = direct.filter((map) => mayBeVideo(map));
  const ofOthers = ofVideo.some((map) => !map.startsWith(`${index}:`));
  if (ofOthers || (!isAlone && mapsOf(options).length === 0)) return undefined;
  const labelled = options.map((option) =>
    option.key === 'filter_complex' ? withLabels(option, index, { v: video, a: audio }) : option,
  );
  if (!labelled.every((option) => option !== undefined)) return undefined;
  const isDirect = (kind: 'v' | 'a'): boolean =>
    complex.length === 0 || direct.some((map) => new RegExp(`^${index}:${kind}`, 'i').test(map));
  const filtered = isDirect('v') ? withAround(labelled, isVideoFilter, 'filter:v', [video, colours]) : labelled;
  if (clip.holdsStart !== true) return filtered;
  const isEncoded = !hasKey(options, 'an') && encoders.of('a').every(({ encoder }) => encoder !== undefined);
  if (!isAlone && direct.some((map) => !map.startsWith(`${index}:`))) return undefined;
  const all = isDirect('a') && isEncoded ? withAround(filtered, isAudioFilter, 'filter:a', [audio, '']) : filtered;
  // Copied streams and subtitles have no filters.
  return isAlone && !hasKey(options, 't', 'to', 'ss') ? [...all, serviceOption('t', [String(clip.seconds)])] : all;
}

const isAudioFilter = ({ key }: ArgvOption): boolean => /^filter:a(?::\d+)?$/.test(key);

/** Puts chains before and behind the filters of each stream of a kind. An empty chain adds nothing. */
function withAround(
  options: readonly ArgvOption[],
  isFilter: (option: ArgvOption) => boolean,
  key: string,
  [first, last]: readonly [first: string, last: string],
): readonly ArgvOption[] {
  const around = (filters: string): string => [first, filters, last].filter((one) => one !== '').join(',');
  if (!options.some(isFilter)) return [serviceOption(key, [around('')]), ...options];
  return options.map((option) => (isFilter(option) ? { ...option, values: option.values.map(around) } : option));
}

/** Puts a chain before each stream of an input that a complex graph reads. undefined: only ffmpeg knows the kind of a stream. */
function withLabels(
  option: ArgvOption,
  index: number,
  chains: Readonly<Record<'v' | 'a', string>>,
): ArgvOption | undefined {
  const heads: string[] = [];
  const isUnclear = new RegExp(`^${index}(?!\\d|:[vVas](?::|$))`);
  const renamed = (label: string): string => {
    const [, kind = ''] = new RegExp(`^${index}:([va])(?::|$)`, 'i').exec(label) ?? [];
    const chain = kind === '' ? '' : chains[kind.toLowerCase() as 'v' | 'a'];
    if (chain === '') return label;
    heads.push(`[${label}]${chain}[source${heads.length}]`);
    return `source${heads.length - 1}`;
  };
  const graphs = option.checkedGraphs ?? [];
  const areClear = !graphs.some((graph) =>
    walkOf(graph).filters.some(({ inputs }) => inputs.some((one) => isUnclear.test(one))),
  );
  if (!areClear || graphs.length !== option.values.length) return undefined;
  const texts = graphs.map((graph) =>
    printGraph(changeFilters(graph, (filter) => [{ ...filter, inputs: filter.inputs.map(renamed) }])),
  );
  return heads.length === 0
    ? option
    : { ...option, values: texts.map((text, at) => [...(at === 0 ? heads : []), text].join(';')) };
}
