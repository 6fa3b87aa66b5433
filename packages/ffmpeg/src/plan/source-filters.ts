import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { InputProbe, ProbedInput } from '@telecine/contract/domain/plan.ts';
import { kindOfFormat } from '../allowlist/containers.ts';
import { isReleaseFrom } from '../catalogue/build.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { frameRateOf, rateText } from '../filtergraph/crossfades.ts';
import { linkedChains, serviceChains, surroundGraph } from '../filtergraph/embed-graph.ts';
import {
  changeFilters,
  type Graph,
  type GraphChain,
  OF_SERVICE,
  printGraph,
  TIMES,
  walkOf,
} from '../filtergraph/graph.ts';
import { NOTED_PEAKS } from '../filtergraph/loudness-passes.ts';
import {
  ALPHA_DECODERS,
  hasAlphaLayer,
  isDeep,
  mayBeTransparent,
  ON_NOTED_WHITE,
  onGround,
  RGB_TO_BT709,
  toneMapping,
  WHITE,
} from '../filtergraph/video-colours.ts';
import type { StreamEncoders } from './encoders/stream-encoders.ts';
import { type Clip, type JoinContext, readClip } from './joining/clip.ts';
import { ownRate } from './joining/encoded-parts.ts';
import { fromKeyFrame, heldAudio, heldInput, heldVideo } from './joining/held-clip.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  lastValue,
  mapsOf,
  mayBeAudio,
  mayBeVideo,
  readTrim,
  serviceOption,
} from './request/argv-option.ts';
import { canHave } from './request/file-features.ts';
import { fileKind, isImageFile } from './request/format-names.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';
import { isEndlessInput } from './request/sources.ts';

/** Options with which times of an input are not seconds from its start. */
const OTHER_TIMES = ['seek_timestamp', 'copyts', 'noaccurate_seek', 'itsscale', 'stream_loop', 'loop'];

/** What decides which facts about a file an output needs, and what its content needs. */
interface FilteredOutput {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly catalogue: Catalogue;
  readonly written: ReturnType<typeof writtenVideos>;
}

/** The files and parts of files whose conversion depends on what a probe finds. */
export function seeksOf(
  inputs: readonly ArgvInput[],
  output: FilteredOutput,
  indexOf: (input: ArgvInput) => number,
): readonly InputProbe[] {
  const { options, encoders, muxer, written } = output;
  if (hasKey(options, 'copyts')) return [];
  const hasVideo = !hasKey(options, 'vn');
  const isEncoded = hasVideo && encoders.of('v').every(({ encoder }) => encoder !== undefined);
  const maps = mapsOf(options).filter((map) => !map.startsWith('-'));
  const isForVideo = kindOfFormat(muxer) !== 'audio' && (maps.length === 0 || maps.some(mayBeVideo));
  const copies = inputs.length === 1 && hasVideo && isForVideo && copiesVideo(encoders);
  return inputs.flatMap((input) => {
    const { start: ofOutput = 0 } = inputs.length === 1 ? readTrim(options) : {};
    const { start = ofOutput } = readTrim(input.options);
    const { sequence, path } = input.source;
    const name = extension(path);
    const isFile = input.made === undefined && sequence === undefined && input.format === undefined;
    const needsKey = copies && canHave('noIndex', name) && hasKey(input.options, 'ss');
    const isPart = (isEncoded || needsKey) && start > 0 && fileKind(name) !== 'audio' && !isImageFile(name);
    const needsLength = hasKey(options, 'shortest') && inputs.some(isEndlessInput) && !isImageFile(name);
    const mayCut = canHave('float', name) && cutsPeaks(output);
    const isExamined = isPart || needsLength || mayCut || (isEncoded && mayNeedFilters(name, written));
    return isFile && isExamined && !hasKey(input.options, ...OTHER_TIMES)
      ? [{ input: indexOf(input), start: isPart ? start : 0, needsLength, ...(needsKey && { needsKey }) }]
      : [];
  });
}

const copiesVideo = (encoders: StreamEncoders): boolean =>
  encoders.of('v').some(({ encoder }) => encoder === undefined);

const YUV_ENCODER = /264(?!rgb)|265|hevc|av1|vp[89]|vpx|mpeg[124]|prores|dnxhd|theora|xvid/;

/** True if audio is encoded as it is, and not as floating point numbers. */
const cutsPeaks = ({ options, encoders }: FilteredOutput): boolean =>
  !hasKey(options, 'an', 'filter_complex') &&
  !options.some(isAudioFilter) &&
  encoders.of('a').every(({ encoder = 'pcm_f' }) => !/^(?:pcm_f|wavpack)/.test(encoder));

/** Images, and encoders of 8 bits. Viewers show what they write as ordinary colours, whatever its tags say. */
const FOR_SCREENS =
  /^(?:mjpeg|a?png|gif|libwebp.*|bmp|tiff|targa|libvpx|mpeg[124].*|msmpeg4.*|flv|libxvid|libtheora|wmv\d)$/;

const WITH_ALPHA = /^(?:gif|a?png|libwebp.*|libvpx.*|prores_ks|qtrle|ffv1|tiff|targa)$/;

/** Encoders of images, whose files have the matrix BT.601. */
const BT601_ENCODER = /^(?:mjpeg|libwebp)/;

/** How the videos of an output are written. */
export function writtenVideos(options: readonly ArgvOption[], encoders: StreamEncoders) {
  const names = hasKey(options, 'vn') ? undefined : encoders.of('v').map(({ encoder = '' }) => encoder);
  const areAll = (encoder: RegExp): boolean => names?.every((name) => encoder.test(name)) === true;
  // The pixel format that the client chooses. Empty: the encoder chooses it.
  const pixels = lastValue('pix_fmt', options) ?? lastValue('pix_fmt:v', options) ?? '';
  const isJpeg = areAll(/^mjpeg$/);
  const isYuv = areAll(YUV_ENCODER) && !/^(?:rgb|bgr|gbr)/.test(pixels);
  return {
    isJpeg,
    isDnxhd: areAll(/^dnxhd$/),
    isBt601: areAll(BT601_ENCODER),
    /** True if all are encoded in YUV with a matrix that players choose by tags. */
    isYuv,
    /** True if they also get another size, and perhaps other colours in players, which choose them by the size of a video without tags. */
    isScaled: isYuv && options.some(setsSize),
    /** True if transparency of an input reaches the output, or another video below it. */
    readsAlpha: isJpeg || hasKey(options, 'filter_complex') || (areAll(WITH_ALPHA) && /^$|a/.test(pixels)),
    /** True if the output has no room for HDR. */
    isForScreens: areAll(FOR_SCREENS) || (pixels !== '' && !isDeep(pixels)),
  };
}

const setsSize = ({ name, checkedGraphs = [] }: ArgvOption): boolean =>
  name.name === 's' ||
  checkedGraphs.some((graph) => walkOf(graph).filters.some((filter) => /^(?:scale|crop|pad)$/.test(filter.name)));

/** True if a file with this extension may have what decides about the filters for these videos. */
const mayNeedFilters = (name: string, written: FilteredOutput['written']): boolean =>
  (written.isYuv && canHave('rgb', name)) ||
  (written.readsAlpha && canHave('transparency', name)) ||
  ((written.isForScreens || written.isScaled) && canHave('hdr', name)) ||
  ((written.isBt601 || written.isScaled) && canHave('untagged', name));

/** A JPEG shows the pixels below the transparent parts, which are often black: puts them on white. */
const flatFilters = ({ video, media }: Clip): string | undefined =>
  media !== undefined && (mayBeTransparent(video?.pixelFormat) || alphaDecoder(media) !== undefined)
    ? onGround(WHITE)
    : undefined;

/** The decoder that a transparent video needs. undefined: ffmpeg chooses a right one itself. */
function alphaDecoder(media: ProbedInput | undefined): string | undefined {
  const video = media?.streams.find(isVideoNotCover);
  return video !== undefined && hasAlphaLayer(video) ? ALPHA_DECODERS[video.codec ?? ''] : undefined;
}

/** An input with the decoder that reads its transparency, if the output can hold it. */
function withAlpha(input: ArgvInput, media: ProbedInput | undefined, output: FilteredOutput): ArgvInput {
  const decoder = alphaDecoder(media);
  const isRead = decoder !== undefined && output.catalogue.lists.decoders.has(decoder);
  if (!isRead || !output.written.readsAlpha || input.options.some(({ name }) => name.name === 'c')) return input;
  return { ...input, options: [serviceOption('c:v', [decoder]), ...input.options] };
}

/**
 * The filters that convert HDR to the colours of ordinary screens. Without subsampling: zscale rejects a width or height that the
 * subsampling does not divide. JPEGs have the matrix of BT.601.
 */
function toneFilters({ video }: Clip, output: FilteredOutput): string | undefined {
  const { filters } = output.catalogue.lists;
  if (video?.hdrTransfer === undefined || !output.written.isForScreens) return undefined;
  if (!filters.has('zscale') || !filters.has('tonemap')) return undefined;
  const input = `tin=${video.hdrTransfer}:min=bt2020nc:pin=bt2020:`;
  const matrix = output.written.isJpeg ? 'smpte170m' : 'bt709';
  return `format=pix_fmts=yuv444p12,${toneMapping({ input, matrix, pixelFormat: 'pix_fmts=yuv444p' })}`;
}

/**
 * The filters for encoders whose files have one matrix, whatever their tags say: BT.601 in JPEG and WebP, BT.709 in DNxHD. Other video would be
 * shown with other colours. Video without tags gets those of its size if the size changes.
 */
function toOwnMatrix({ video }: Clip, { encoders, written }: FilteredOutput): string | undefined {
  if (encoders.of('v').length === 0) return undefined;
  // ffmpeg takes BT.601 for each video without tags, and players BT.709 for HD.
  const { isGuessed = false, matrix } = video?.colours ?? {};
  const from = isGuessed && matrix === 'bt709' ? 'in_color_matrix=bt709:' : '';
  if (written.isBt601) return `scale=${from}out_color_matrix=bt601`;
  if (written.isDnxhd) return 'scale=out_color_matrix=bt709,setparams=colorspace=bt709';
  return isGuessed && written.isScaled ? `setparams=colorspace=${matrix}` : undefined;
}

/** The last frame of an animation is shown clearly longer than the others if its delay is so many times the average. */
const LONGER = 1.2;

/** Since this release, the last frame of an animation keeps its duration if filters follow. */
const KEEPS_LAST_DELAY = [6, 0] as const;

/**
 * The filters that make an animation as long as it is: the last frame of a GIF keeps its delay, and an APNG whose times are multiples of
 * 10 µs does not become a video of 100,000 frames per second.
 */
function lengthFilters({ input, media, seconds }: Clip, { release }: Catalogue['build']): string | undefined {
  if (media === undefined) return undefined;
  const { frameCount, baseFrameRate = 0 } = media.streams.find(isVideoNotCover) ?? {};
  const name = extension(input.source.path);
  const isWhole = !isEndlessInput(input) && !hasKey(input.options, ...TRIMS);
  const isAnimation = input.made === undefined && input.source.sequence === undefined && isWhole;
  if (!isAnimation) return undefined;
  if (media.format.names.includes('apng')) return 'fps=fps=min(source_fps\\,60)';
  const isKept = release !== undefined && isReleaseFrom(release, KEEPS_LAST_DELAY);
  if (name !== 'gif' || frameCount === undefined || baseFrameRate === 0 || seconds === undefined || isKept)
    return undefined;
  const last = (seconds - 1 / baseFrameRate).toFixed(3);
  // Repeats the last frame just before the end, if it is shown clearly longer than the others.
  const apart = ((LONGER * seconds) / frameCount - 1 / baseFrameRate).toFixed(3);
  const [isBefore, isLong] = [`lt(n\\,${frameCount})`, `gt(t-prev_selected_t\\,${apart})`];
  return `tpad=stop=1:stop_mode=clone,setpts=if(eq(N\\,${frameCount})\\,${last}/TB\\,PTS),select=${isBefore}+${isLong}`;
}

const RGB_FORMAT = /^(?:0?rgb|0?bgr|x2|gbr|argb|abgr|pal8|mono)/;

/** Options and filters by which the client chooses colours. */
const COLOUR_OPTION = /^(?:colorspace|color_(?:primaries|trc|range))/;
const COLOUR_FILTER = /color_matrix|color_?space|colormatrix|zscale|setparams|tonemap|libplacebo/;

/** The filters that convert the pixels of an input. undefined: it is YUV, or unknown. */
function rgbFilters({ input, video, media }: Clip, options: readonly ArgvOption[]): string | undefined {
  const isImage = input.made === undefined && canHave('onlyRgb', extension(input.source.path));
  // In a complex graph, an image is often drawn over a video, with its transparency.
  if (isImage && hasKey(options, 'filter_complex')) return undefined;
  const isRgb = media === undefined ? isImage : RGB_FORMAT.test(video?.pixelFormat ?? '');
  return isRgb ? RGB_TO_BT709 : undefined;
}

const TRIMS: ReadonlySet<string> = new Set(['ss', 't', 'to']);

/** Makes `ss`, `t` and `to` of a stream without a container options of the output: ffmpeg decodes all frames, and drops frames outside of the part. */
export function decodeUntilStart(inputs: readonly ArgvInput[], options: readonly ArgvOption[]): FilteredSources {
  const [input, ...others] = inputs;
  const isRaw = input !== undefined && input.made === undefined && canHave('noTimes', extension(input.source.path));
  // Beside `ss` of an output, its `to` would be a time of the input.
  const isOther = hasKey(options, 'ss', 'to') || (hasKey(options, 't') && hasKey(input?.options ?? [], 't', 'to'));
  if (!isRaw || others.length > 0 || isOther || !hasKey(input.options, 'ss')) return { inputs, options };
  const moved = input.options.flatMap((one): ArgvOption | [] => (TRIMS.has(one.key) ? { ...one, side: 'output' } : []));
  const rest = input.options.filter(({ key }) => !TRIMS.has(key));
  return { inputs: [{ ...input, options: rest }], options: [...options, ...moved] };
}

function heldFilters(clip: Clip): string | undefined {
  if (clip.holdsStart !== true) return undefined;
  const rate = frameRateOf(ownRate(clip));
  const { before, start, after } = heldVideo(clip, rate);
  return `${before}fps=fps=${rateText(rate)}${start}${after}`;
}

interface FilteredSources {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
}

/** The filters that a plan adds for one input. Each is empty if it is not needed. */
interface SourceChains {
  readonly index: number;
  readonly clip: Clip;
  /** Before the filters of the client. */
  readonly video: Graph['chains'];
  readonly audio: Graph['chains'];
  /** Behind those of the first filters of the client that only choose, cut and scale frames, because they are most of the work. */
  readonly tones: Graph['chains'];
  /** Behind the filters of the client, which may convert the pixels in between. */
  readonly colours: Graph['chains'];
}

/** Adds what the content of the inputs needs: filters, decoders and the end of the output. */
export function filterSources(
  inputs: readonly ArgvInput[],
  output: FilteredOutput,
  mediaOf: JoinContext['mediaOf'],
): FilteredSources {
  const { options, encoders, muxer, catalogue, written } = output;
  const texts = options.flatMap(({ name, values }) => (name.name.startsWith('filter') ? values : []));
  const isOfClient = options.some(({ key }) => COLOUR_OPTION.test(key)) || texts.some((one) => COLOUR_FILTER.test(one));
  const { isYuv } = written;
  const isComplex = hasKey(options, 'filter_complex');
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0 && copiesVideo(encoders))
    return fromKeyFrame(only, mediaOf(only), options);
  const end = endOfShortest(inputs, options, mediaOf);
  const sources: FilteredSources = {
    inputs: inputs.map((input) => withAlpha(input, mediaOf(input), output)),
    options: end === undefined ? options : [...options, end],
  };
  const filtered = inputs.reduce((before, input, index): FilteredSources => {
    const clip = heldClip(input, mediaOf(input), options);
    const length = isComplex || !isYuv ? undefined : lengthFilters(clip, catalogue.build);
    const name = extension(input.source.path);
    const isAnimation = /^(?:gif|apng)$/.test(name) && input.made === undefined;
    const isOnWhite = isAnimation && isYuv && !written.readsAlpha;
    const ground = written.isJpeg ? flatFilters(clip) : isOnWhite ? ON_NOTED_WHITE : undefined;
    const tones = isOfClient ? undefined : toneFilters(clip, output);
    const rgb = !isOfClient && muxer !== 'avif' && isYuv ? rgbFilters(clip, options) : undefined;
    const isFilm = input.made === undefined && input.source.sequence === undefined;
    const isVideo = isFilm && !isImageFile(name) && !isAnimation;
    const mayDiffer = isVideo && !isOfClient && !isComplex && tones === undefined;
    const colours = rgb ?? (mayDiffer ? toOwnMatrix(clip, output) : undefined);
    const chains: SourceChains = {
      ...{ index, clip },
      video: serviceChains(heldFilters(clip) ?? length, ground, ...(isComplex ? [tones, colours] : [])),
      audio: serviceChains(heldAudio(clip).slice(0, -1)),
      tones: serviceChains(isComplex ? undefined : tones),
      colours: serviceChains(isComplex ? undefined : colours),
    };
    if ([chains.video, chains.tones, chains.colours].every(({ length: count }) => count === 0)) return before;
    const chained = withChains(before.options, chains, { inputs, encoders, catalogue });
    return chained === undefined
      ? before
      : {
          inputs: before.inputs.map((one, at) => (at === index ? heldInput({ ...clip, input: one }) : one)),
          options: chained,
        };
  }, sources);
  const bounded = withBounds(inputs, { ...output, options: filtered.options }, mediaOf);
  return { ...filtered, options: withMeter(inputs, { ...output, options: bounded }, mediaOf) };
}

function withMeter(
  [input, ...others]: readonly ArgvInput[],
  output: FilteredOutput,
  mediaOf: JoinContext['mediaOf'],
): readonly ArgvOption[] {
  const { options, catalogue } = output;
  const isAlone = input !== undefined && input.made === undefined && others.length === 0 && cutsPeaks(output);
  const isFloat = isAlone && mediaOf(input)?.streams.some(({ codec }) => codec?.startsWith('pcm_f') === true);
  const meter = { behind: isFloat === true ? serviceChains(NOTED_PEAKS) : [] };
  return withAround(options, isAudioFilter, 'filter:a', meter, catalogue) ?? options;
}

/**
 * The options with the filter that makes the frame rate of `r`. The option alone drops frames only when they are up to two frames late, so
 * that all the video is shown behind its sound. Rates and filters of single streams, and other ways of timing, keep the option alone.
 */
export function withRate({ options, encoders, muxer, catalogue }: FilteredOutput): readonly ArgvOption[] {
  const [rate, ...others] = options.filter(({ name }) => name.name === 'r');
  const isEncoded = encoders.of('v').length > 0 && !copiesVideo(encoders);
  const isFilm = isEncoded && muxer !== 'image2' && kindOfFormat(muxer) !== 'audio' && !hasKey(options, 'frames:v');
  const isOtherwise =
    hasKey(options, 'vn', 'filter_complex', 'fps_mode', 'fps_mode:v', 'vsync') || options.some(filtersOneStream);
  const [value = ''] = rate?.values ?? [];
  const isPlain = /^[\d./]+$/.test(value) && (rate?.name.specifier ?? 'v') === 'v' && others.length === 0;
  if (!isPlain || !isFilm || isOtherwise) return options;
  const filtered = options.some(isVideoFilter) ? options : [...options, serviceOption('filter:v', [])];
  const behind = serviceChains(`fps=fps=${value}`);
  return withAround(filtered, isVideoFilter, 'filter:v', { behind }, catalogue) ?? options;
}

const filtersOneStream = ({ name: { name, specifier = 'v' } }: ArgvOption): boolean =>
  name === 'filter' && /\d/.test(specifier);

/**
 * The options with the bounds of a part. With `ss` 0, ffmpeg drops subtitles that began before the part: Matroska has no times below 0, so that all
 * else would begin later than them. With `t`, it drops chapters behind the part, which would make the file seem longer.
 */
function withBounds(
  [input, ...others]: readonly ArgvInput[],
  { options, muxer }: FilteredOutput,
  mediaOf: JoinContext['mediaOf'],
): readonly ArgvOption[] {
  const media = input && mediaOf(input);
  if (input === undefined || media === undefined || others.length > 0 || hasKey(options, 'ss', 'to')) return options;
  const { start = 0 } = readTrim(input.options);
  const hasSubtitles = !hasKey(options, 'sn') && media.streams.some(({ type }) => type === 'subtitle');
  const isEarly = start > 0 && hasSubtitles && /^(?:matroska|webm)$/.test(muxer);
  const { seconds } = readClip(input, media);
  const graphs = options.flatMap(({ checkedGraphs = [] }) => checkedGraphs);
  const changesTimes = graphs.some((graph) => walkOf(graph).filters.some(({ name }) => TIMES.test(name)));
  const mayBeLate = (media.chapters ?? []).length > 0 && hasKey(input.options, 't', 'to') && !changesTimes;
  const isLate = mayBeLate && seconds !== undefined && !hasKey(options, 't');
  return [
    ...options,
    ...(isEarly ? [serviceOption('ss', ['0'])] : []),
    ...(isLate ? [serviceOption('t', [String(seconds)])] : []),
  ];
}

/** An input, and whether it or the whole output begins within a frame that stays on screen. */
function heldClip(input: ArgvInput, media: ProbedInput | undefined, options: readonly ArgvOption[]): Clip {
  const { start: ofOutput = 0 } = readTrim(options);
  const clip = readClip(input, media, ofOutput);
  // The start of an output may be within the last frame, so that frame is repeated once more.
  const isMore = clip.holdsStart === true && hasKey(options, 'ss') && clip.seconds !== undefined;
  return isMore ? { ...clip, seconds: (clip.seconds ?? 0) + 1 / ownRate(clip) } : clip;
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
  if (!hasKey(options, 'shortest') || hasKey(options, 't', 'to', 'ss') || !inputs.some(isEndlessInput))
    return undefined;
  const lengths = inputs
    .filter((input) => !isEndlessInput(input))
    .map((input) => (input.made === undefined ? readClip(input, mediaOf(input)).seconds : undefined));
  const shortest = Math.min(...lengths.map((one) => one ?? Number.NaN));
  return Number.isFinite(shortest) ? serviceOption('t', [String(shortest)]) : undefined;
}

/** The options with these chains around the filters of each stream of an input. undefined: only ffmpeg knows which streams are filtered. */
function withChains(
  options: readonly ArgvOption[],
  { index, clip, video, audio, tones, colours }: SourceChains,
  { inputs, encoders, catalogue }: Pick<FilteredSources, 'inputs'> & Pick<FilteredOutput, 'encoders' | 'catalogue'>,
): readonly ArgvOption[] | undefined {
  const isComplex = hasKey(options, 'filter_complex');
  const maps = mapsOf(options).filter((map) => !map.startsWith('-'));
  const direct = maps.filter((map) => !map.startsWith('['));
  const isOwn = (map: string): boolean => map.startsWith(`${index}:`) || map === `${index}`;
  const ofVideo = direct.filter((map) => mayBeVideo(map));
  const ofAudio = direct.filter((map) => mayBeAudio(map));
  const isAlone = inputs.length === 1;
  // Without maps, ffmpeg itself chooses among the videos of several inputs.
  if (!isAlone && !isComplex && maps.length === 0) return undefined;
  const isOfOne = (some: readonly string[]): boolean => some.every(isOwn) || !some.some(isOwn);
  if (!isOfOne(ofVideo) || (clip.holdsStart === true && !isOfOne(ofAudio))) return undefined;
  const labelled = options.map((option) =>
    option.key === 'filter_complex' ? withLabels(option, index, { v: video, a: audio }) : option,
  );
  if (!labelled.every((option) => option !== undefined)) return undefined;
  const isDirect = (some: readonly string[]): boolean => (maps.length === 0 ? !isComplex : some.some(isOwn));
  const added = { before: video, tones, behind: colours };
  const filtered = isDirect(ofVideo) ? withAround(labelled, isVideoFilter, 'filter:v', added, catalogue) : labelled;
  if (filtered === undefined || clip.holdsStart !== true) return filtered;
  const isEncoded = !hasKey(options, 'an') && encoders.of('a').every(({ encoder }) => encoder !== undefined);
  const all =
    isDirect(ofAudio) && isEncoded
      ? withAround(filtered, isAudioFilter, 'filter:a', { before: audio }, catalogue)
      : filtered;
  // Copied streams and subtitles have no filters.
  const hasEnd = clip.seconds === undefined || hasKey(options, 't', 'to', 'ss');
  return all === undefined || !isAlone || hasEnd ? all : [...all, serviceOption('t', [String(clip.seconds)])];
}

const isAudioFilter = ({ key }: ArgvOption): boolean => /^filter:a(?::\d+)?$/.test(key);

/** Filters that choose, cut, turn and scale frames, whatever their colours are. */
const FRAMING =
  /^(?:fps|framestep|select|trim|setpts|settb|crop|scale|setsar|setdar|[hv]flip|transpose|yadif|bwdif|null)$/;

/** A graph with the chains `tones` inserted after its first filters that only choose, cut or scale frames. */
function withTones(graph: Graph | undefined, tones: Graph['chains'], catalogue: Catalogue): Graph | undefined {
  const [first = [], ...others] = graph?.chains ?? [];
  const other = first.findIndex(({ name, outputs }) => !FRAMING.test(name) || outputs.length > 0);
  const at = other < 0 ? first.length : other;
  if (at === 0 || tones.length === 0) return surroundGraph(graph, { before: tones }, catalogue);
  return { ...graph, chains: [[...first.slice(0, at), ...tones.flat(), ...first.slice(at)], ...others] };
}

/** Puts chains around the filters of each stream of a kind. undefined: only ffmpeg knows which ends of a graph are open. */
function withAround(
  options: readonly ArgvOption[],
  isFilter: (option: ArgvOption) => boolean,
  key: string,
  { before = [], behind = [], tones = [] }: Partial<Record<'before' | 'behind' | 'tones', Graph['chains']>>,
  catalogue: Catalogue,
): readonly ArgvOption[] | undefined {
  if ([before, behind, tones].every(({ length }) => length === 0)) return options;
  const around = (option: ArgvOption): ArgvOption | undefined => {
    const mapped = withTones(option.checkedGraphs?.[0], tones, catalogue);
    const graph = mapped && surroundGraph(mapped, { before, behind }, catalogue);
    return graph && { ...option, values: [printGraph(graph)], checkedGraphs: [graph] };
  };
  const filters = options.some(isFilter) ? options : [serviceOption(key, []), ...options];
  const all = filters.map((option) => (isFilter(option) ? around(option) : option));
  return all.every((option) => option !== undefined) ? all : undefined;
}

/** Puts a chain before each stream of an input that a complex graph reads. undefined: only ffmpeg knows the kind of a stream. */
function withLabels(
  option: ArgvOption,
  index: number,
  chains: Readonly<Record<'v' | 'a', Graph['chains']>>,
): ArgvOption | undefined {
  const isUnclear = new RegExp(`^${index}(?!\\d|:[vVas](?::|$))`);
  const graphs = option.checkedGraphs ?? [];
  const areClear = !graphs.some((graph) =>
    walkOf(graph).filters.some(({ inputs }) => inputs.some((one) => isUnclear.test(one))),
  );
  if (!areClear || graphs.length !== option.values.length) return undefined;
  const changed = graphs.map((graph): Graph => {
    const heads: GraphChain[] = [];
    const renamed = (label: string): string => {
      const [, kind = ''] = new RegExp(`^${index}:([va])(?::|$)`, 'i').exec(label) ?? [];
      const own = kind === '' ? [] : chains[kind.toLowerCase() as 'v' | 'a'];
      if (own.length === 0) return label;
      const name = `${OF_SERVICE}_${index}_${heads.length}`;
      heads.push(...linkedChains(own, { input: label, output: name }));
      return name;
    };
    const inner = changeFilters(graph, (filter) => [{ ...filter, inputs: filter.inputs.map(renamed) }]);
    return { ...inner, chains: [...heads, ...inner.chains] };
  });
  return { ...option, values: changed.map(printGraph), checkedGraphs: changed };
}
