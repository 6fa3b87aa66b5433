import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  METRIC_NAMES,
  METRIC_SCALES,
  type QualityMetric,
  type QualityScale,
  type QualityTarget,
} from '@telecine/contract/domain/quality.ts';
import { returnsDeviceFrames } from '../../allowlist/device-components.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { METRIC_FILTERS, reasonWithoutFilter } from '../../catalogue/changed-catalogue.ts';
import { stabilizes } from '../../filtergraph/stabilizing-passes.ts';
import { SEVERAL_FILES } from '../../plan/argv.ts';
import type { StreamEncoders } from '../../plan/encoders/stream-encoders.ts';
import {
  type ArgvOption,
  allFilters,
  hasKey,
  mapsOf,
  mayBeVideo,
  sentName,
  videoValue,
} from '../../plan/request/argv-option.ts';
import type { OutputRequest } from '../../plan/request/parse-request.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { quoted } from '../../values/value-error.ts';
import { QUALITY_SCALES } from '../choosers/scales.ts';

/** The members of a request that search by samples. */
export type SearchMember = 'quality' | 'ladder' | 'frameSize';

/** What the check of a `SearchMember` reads, and the list of errors that it adds to. */
interface SearchContext {
  readonly request: OutputRequest;
  readonly options: readonly ArgvOption[];
  readonly inputs: readonly ArgvInput[];
  readonly encoders: StreamEncoders;
  /** undefined: the request has no valid format. */
  readonly muxer: string | undefined;
  readonly audioOnly: boolean;
  /** True if the output is an image. */
  readonly isImage: boolean;
  readonly twoPass: boolean;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/** What a request searches by samples. */
export interface Search extends Partial<Pick<QualityTarget, 'maxBitrate' | 'maxSize'>> {
  readonly member: SearchMember;
  readonly metric: QualityMetric;
  /** The values of the option for the quality of the samples. */
  readonly scale: QualityScale;
  /** The value of `map` for the video. undefined: ffmpeg chooses the video. */
  readonly videoMap: string | undefined;
  /** The quality that the output, or the best rung, should have. 0: for a frame size. */
  readonly target: number;
  readonly maxRungs: number;
  /** See `LadderPass`. Absent: none, or not a ladder. */
  readonly audio?: string;
  /** The average bit rate for which a frame size is chosen. */
  readonly bitsPerSecond: number;
  /** Why the frame size is chosen without samples: the start of a sentence. */
  readonly none?: string;
}

/** The only encoder whose samples in several sizes were compared. Key frames of a ladder need it too: libx265 may refer across a forced one, and libsvtav1 forces none. */
const SAMPLED_ENCODER = 'libx264';

/** True if an option may be about a video. A number may be that of a video. */
export const isOfVideo = ({ name: { specifier = 'v' } }: ArgvOption): boolean => /^[vV\d]/.test(specifier);

/** A part of a request that may not go with a search. `what`: how messages name it. `key`: the name of an option, or another part in parentheses. */
interface RequestPart {
  readonly field: string;
  readonly what: string;
  readonly key: string;
  readonly value: string;
  readonly option?: ArgvOption;
}

/** Parts of a request, by their keys, that some members do not allow. `isAllowed`: whether they allow this part nevertheless. */
type Conflict = readonly [
  members: readonly SearchMember[],
  key: RegExp,
  why: string,
  isAllowed?: (part: RequestPart, context: SearchContext) => boolean,
];

const ALL: readonly SearchMember[] = ['quality', 'ladder', 'frameSize'];
const OF_TARGET: readonly SearchMember[] = ['quality', 'ladder'];
const OF_SIZES: readonly SearchMember[] = ['ladder', 'frameSize'];

const SETS_QUALITY = 'both would set the quality of the video';
const SETS_NO_RATE = 'it sets a quality, so that the video does not have the bit rate for which the size is chosen';
const BEFORE_MOTION = 'samples have the frames before the first pass detects the motion for "vidstabtransform"';
const OF_RUNGS = 'the job sets it itself, for each rung';
const SAME_KEYS = 'all rungs have key frames at the same times';
const NEEDS_RATE = 'this encoder needs a bit rate with it. "maxBitrate" in "quality" limits the average';
const OF_ONE = 'it is about one video, and a ladder has several. A specifier such as "preset:v" is for all of them';
const ONE_OF_THEM = 'send one of them';
const ONE_VIDEO = 'it has to select one video by its number, such as "0:v:0"';
const ONE_AUDIO = 'a ladder has one video and at most one audio stream';

/** The encoders that a member supports. undefined: any. */
const SUPPORTED = { quality: Object.keys(QUALITY_SCALES), ladder: [SAMPLED_ENCODER], frameSize: undefined };

const isZero = ({ value }: RequestPart): boolean => readNumber(value) === 0;
/** True unless an encoder needs a bit rate besides the limits of the bit rate. */
const needsNoRate = (_part: RequestPart, { encoders }: SearchContext): boolean =>
  !encoders.of('v').some(({ encoder = '' }) => /^lib(?:aom-av1|vpx-vp9)$/.test(encoder));
const isOnScale = ({ value }: RequestPart): boolean => Object.hasOwn(QUALITY_SCALES, value);
const isOfAllRungs = ({ option }: RequestPart): boolean => {
  const { name, specifier = '' } = option?.name ?? { name: '' };
  return !/^(?:[vV]:\d+|\d+)$/.test(specifier) || (name === 'filter' && /^[vV]:0$/.test(specifier));
};
/** A `map` whose only video samples can select too. Videos that a graph makes have an error of their own. */
const selectsOne = ({ value }: RequestPart): boolean => {
  const [video = '', ...others] = value.split(' ').filter((map) => mayBeVideo(map.replace(/^-/, '')));
  return others.length === 0 && /^(?:\[|\d+(?::(?:[vV](?::\d+)?|\d+))?\??$)/.test(video);
};
const hasOneAudio = ({ value }: RequestPart): boolean => {
  const [audio = '0:a', ...others] = value.split(' ').filter((map) => !/^\d+:[vV](?::\d+)?\??$/.test(map));
  return others.length === 0 && /^\d+:a(?::\d+)?\??$/.test(audio);
};

const CONFLICTS: readonly Conflict[] = [
  [ALL, /^filter_complex$/, 'send the filters of the video as "vf"'],
  [ALL, /^(?:fs|frames)$/, 'the job compares all of the video. "t" ends it'],
  [ALL, /^(?:copyts|sseof)$/, 'samples are read by their time from the start'],
  [ALL, /^hwaccel_output_format$/, 'it leaves frames on the device, where the job cannot compare them'],
  [ALL, /^\((?:quality|ladder|join|cut)\)$/, ONE_OF_THEM],
  [OF_TARGET, /^\(transcribe\)$/, ONE_OF_THEM],
  [OF_TARGET, /^\(frameSize\)$/, ONE_OF_THEM, (_, { request }) => request.isFrameSizeOfRecipe === true],
  [ALL, /^map$/, ONE_VIDEO, selectsOne],
  // Some encoders need a bit rate of 0 with a quality.
  [OF_TARGET, /^b$/, SETS_QUALITY, isZero],
  [OF_TARGET, /^(?:crf|crf[_-]max|cq|qp|qp_[ipb]|q|global_quality|init_qp[IPB]|lossless)$/, SETS_QUALITY],
  [OF_TARGET, /^(?:target|rc|rc_mode|bitrate|tbr|cq-level|target-bitrate|end-usage)$/, SETS_QUALITY],
  [OF_TARGET, /^pass$/, 'two passes reach a bit rate, and the target is a quality'],
  [['quality'], /^(?:maxrate|minrate|bufsize)$/, NEEDS_RATE, needsNoRate],
  [['quality'], /^encryption_scheme$/, 'an encrypted output cannot be compared with its source'],
  [['quality'], /^\(format\)$/, 'the output has to be one file', ({ value }) => !SEVERAL_FILES.has(value)],
  [['quality'], /^\(encoder\)$/, `it supports ${SUPPORTED.quality.join(', ')}`, isOnScale],
  // A value below 0 means that no quality is set.
  [['frameSize'], /^(?:crf|qp|bitrate)$/, SETS_NO_RATE, ({ value }) => (readNumber(value) ?? 0) < 0],
  [['frameSize'], /^filter$/, BEFORE_MOTION, ({ option }) => option?.checkedGraphs?.some(stabilizes) !== true],
  [['frameSize'], /^\(encoder\)$/, 'it needs one encoded video', ({ value }) => /^(?!copy$)[\w-]+$/.test(value)],
  [OF_SIZES, /^s$/, 'both would set the size of the frames'],
  [['ladder'], /^(?:maxrate|minrate|bufsize|var_stream_map|hls_segment_size)$/, OF_RUNGS],
  [['ladder'], /^(?:vbv-maxrate|vbv-bufsize)$/, OF_RUNGS, isZero],
  [['ladder'], /^(?:sc_threshold|scenecut|open-gop|keyint|intra-refresh)$/, SAME_KEYS, isZero],
  [['ladder'], /^hls_base_url$/, 'the job measures the segments by their names in the playlists'],
  [['ladder'], /^hls_flags$/, 'segments do not begin with a key frame', ({ value }) => !/split_by_time/.test(value)],
  [['ladder'], /^\(format\)$/, 'its rungs are for HLS', ({ value }) => value === 'hls'],
  [['ladder'], /^\(encoder\)$/, `it supports ${SAMPLED_ENCODER}`, ({ value }) => value === SAMPLED_ENCODER],
  [['ladder'], /^\(inputs\)$/, '"map" has to select its video', ({ value }) => value === '1'],
  [['ladder'], /^map$/, ONE_AUDIO, hasOneAudio],
  [['ladder'], /./, OF_ONE, isOfAllRungs],
];

const exclusive = (field: string, message: string): FieldError => ({ field, code: 'EXCLUSIVE', message });

/** The parameters of an encoder library in an option. */
function parametersIn({ name, values }: ArgvOption): readonly (readonly [key: string, value: string])[] {
  const params = PARAMS_OPTIONS.get(name.name);
  const pairs = params === undefined ? [] : values.flatMap((text) => parseParamsString(text, params) ?? []);
  return pairs.map(([key, value]) => [key.replaceAll('_', '-'), value]);
}

/** The encoders of the videos of the output: `libx264`. Empty: an image, or no video. */
const encodersOf = ({ encoders, audioOnly, isImage }: SearchContext): string =>
  (audioOnly || isImage ? [] : encoders.of('v').map(({ encoder = 'copy' }) => encoder)).join(', ');

/** The parts of a request that may not go with a search. */
function partsOf(member: SearchMember, context: SearchContext): readonly RequestPart[] {
  const { request, options, inputs, muxer, twoPass, errors } = context;
  const parts: RequestPart[] = [];
  // If the video is the stream 0, `b:1` is about another stream. A ladder numbers its streams otherwise.
  const isVideoFirst = member !== 'ladder' && /^(?:$|\d+:[vV]:\d)/.test(mapsOf(options)[0] ?? '');
  // The other options of inputs only decode.
  const ofInputs = inputs.flatMap((input) => input.options).filter(({ key }) => /^(?:sseof|hwaccel_out.*)$/.test(key));
  for (const option of [...options, ...ofInputs]) {
    const { field, name, values } = option;
    const sent = name.name === 'map' ? `"map" with ${quoted(values.join(', '))}` : `"${sentName(option)}"`;
    if (isOfVideo(option) && !(isVideoFirst && /^[1-9]/.test(name.specifier ?? '')))
      parts.push({ field, what: sent, key: name.name, value: values.join(' '), option });
    for (const [key, value] of parametersIn(option)) parts.push({ field, what: `"${key}" in ${sent}`, key, value });
    const filter = allFilters([option]).find((one) => returnsDeviceFrames(one.name));
    if (filter !== undefined)
      parts.push({ field, what: `The filter "${filter.name}"`, key: 'hwaccel_output_format', value: '' });
  }
  const field = `/${member}`;
  for (const key of [...ALL, 'join', 'cut', 'transcribe'] as const)
    if (key !== member && request[key] !== undefined)
      parts.push({ field, what: `"${key}"`, key: `(${key})`, value: '' });
  if (twoPass) parts.push({ field: '/parameters/pass', what: '"pass"', key: 'pass', value: '2' });
  if (muxer !== undefined) parts.push({ field, what: `The format ${quoted(muxer)}`, key: '(format)', value: muxer });
  const value = encodersOf(context);
  const copied = options.find(({ key, values }) => /^c(?::[vV].*)?$/.test(key) && values.includes('copy'));
  const what = value === '' ? 'An image, or an output without a video,' : `A video of ${quoted(value)}`;
  // Another error may be about the encoder.
  if (!errors.some(({ code }) => /^(?:NEEDS_DEVICE|UNKNOWN_ENCODER)$/.test(code)))
    parts.push({ field: copied?.field ?? field, what, key: '(encoder)', value });
  if (!hasKey(options, 'map'))
    parts.push({ field, what: 'A request of several inputs', key: '(inputs)', value: `${inputs.length}` });
  return parts;
}

/** Everything that does not go with a member: one error for each part of the request. */
function conflicts(member: SearchMember, context: SearchContext): FieldError[] {
  const found = partsOf(member, context).flatMap((part) => {
    const { field, what, key } = part;
    const conflict = CONFLICTS.find(
      ([members, of, _, isAllowed]) => members.includes(member) && of.test(key) && isAllowed?.(part, context) !== true,
    );
    if (conflict === undefined) return [];
    const allowed = key === '(encoder)' ? SUPPORTED[member] : undefined;
    return {
      ...exclusive(field, `${what} does not go with "${member}": ${conflict[2]}.`),
      ...(allowed && { allowed }),
    };
  });
  return [...new Map(found.map((error) => [`${error.field} ${error.message}`, error])).values()];
}

/** The metric of `auto` depends only on the target, so that a request means the same on every build. undefined: `errors` has the reason. */
function metricOf(
  member: SearchMember,
  { target, metric: sent = 'auto' }: Pick<QualityTarget, 'target' | 'metric'>,
  { catalogue, errors }: SearchContext,
): QualityMetric | undefined {
  const usual = target <= 1 ? 'ssim' : target <= METRIC_SCALES.xpsnr.max ? 'xpsnr' : 'vmaf';
  const metric = sent === 'auto' ? usual : sent;
  const { min, max, usual: proposed } = METRIC_SCALES[metric];
  const filter = METRIC_FILTERS[metric];
  if (target < min || target > max)
    errors.push({
      field: `/${member}/target`,
      code: 'OUT_OF_RANGE',
      message: `"target" is from ${min} to ${max} for ${METRIC_NAMES[metric]}, not ${target}. Usual is ${proposed}.`,
    });
  else if (catalogue.lists.filters.has(filter)) return metric;
  else
    errors.push({
      field: `/${member}/${sent === 'auto' ? 'target' : 'metric'}`,
      code: 'UNKNOWN_FILTER',
      message: `The installed ffmpeg cannot measure ${METRIC_NAMES[metric]}: ${reasonWithoutFilter(catalogue, filter)}.`,
    });
  return undefined;
}

/** The value of `map` that selects one video. Covers are none. */
const videoMapOf = (map: string): string =>
  /^\d+:(?:[vV]:)?\d+\??$/.test(map) ? map.replace('?', '') : `${Number.parseInt(map, 10) || 0}:V:0`;

/** Parameters of libx264 that would limit the bit rate of samples too, or set their quality. */
const LIMITS_RATE = /^(?:vbv-|nal-hrd|crf)/;

/** Checks what a request searches by samples. undefined: nothing, or `context.errors` has the reason. */
export function checkSearch(context: SearchContext): Search | undefined {
  const { request, options, inputs, errors } = context;
  const { quality, ladder } = request;
  const target = ladder ?? quality;
  const member = target === undefined ? 'frameSize' : ladder === undefined ? 'quality' : 'ladder';
  if (request[member] === undefined) return undefined;
  const found = conflicts(member, context);
  const encoder = encodersOf(context);
  const metric = target === undefined ? 'ssim' : metricOf(member, target, context);
  const bitsPerSecond = Math.max(0, readNumber(videoValue(options, 'b') ?? '') ?? 0);
  const isEncoded = encoder !== '' && encoder !== 'copy';
  if (member === 'frameSize' && bitsPerSecond === 0 && isEncoded)
    found.push({
      field: '/frameSize',
      code: 'MISSING',
      message: '"frameSize" chooses a size for the bit rate of the video, but the request has none.',
    });
  // The recipe can do without samples: the usual size needs only a bit rate.
  const isOptional = member === 'frameSize' && request.isFrameSizeOfRecipe === true;
  if (!isOptional) errors.push(...found);
  const isLeftOut = found.length > 0 && (!isOptional || bitsPerSecond === 0);
  const scale = QUALITY_SCALES[target === undefined ? SAMPLED_ENCODER : encoder];
  if (isLeftOut || !isEncoded || scale === undefined || metric === undefined) return undefined;
  const map = mapsOf(options).find(mayBeVideo) ?? (member === 'ladder' ? '0' : undefined);
  const none =
    encoder !== SAMPLED_ENCODER
      ? `Only samples of ${SAMPLED_ENCODER} are compared`
      : found.length > 0 || options.flatMap(parametersIn).some(([key]) => LIMITS_RATE.test(key))
        ? 'The request has options for which samples are not compared'
        : inputs.length > 1 && map === undefined
          ? 'The request has several inputs and no "map" for the video'
          : undefined;
  const audio = member === 'ladder' ? audioOf(options) : undefined;
  return {
    ...{ target: 0, maxRungs: LADDER_RUNGS.max, bitsPerSecond, ...target },
    ...{ member, metric, scale, videoMap: map && videoMapOf(map) },
    ...(audio && { audio }),
    ...(member === 'frameSize' && none !== undefined && { none }),
  };
}

/** The value of `map` for the audio of a ladder. undefined: none. */
function audioOf(options: readonly ArgvOption[]): string | undefined {
  if (hasKey(options, 'an')) return undefined;
  if (!hasKey(options, 'map')) return '0:a:0?';
  return mapsOf(options)
    .find((map) => !mayBeVideo(map))
    ?.replace(/:a(?=\??$)/, ':a:0');
}

export const slideshowWith = (member: SearchMember): FieldError =>
  exclusive(`/${member}`, `"${member}" is about one video, but images with a "duration" become a slideshow.`);
