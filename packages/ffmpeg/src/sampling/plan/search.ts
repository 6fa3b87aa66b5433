import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  METRIC_NAMES,
  METRIC_SCALES,
  type QualityMetric,
  type QualityScale,
  type QualityTarget,
  USUAL_TARGETS,
} from '@telecine/contract/domain/quality.ts';
import { returnsDeviceFrames } from '../../allowlist/device-components.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { METRIC_FILTERS, reasonWithoutFilter } from '../../catalogue/changed-source.ts';
import { stabilizes } from '../../filtergraph/stabilizing-passes.ts';
import { SEVERAL_FILES } from '../../plan/argv.ts';
import type { StreamEncoders } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, hasKey, mapsOf, mayBeVideo, sentName } from '../../plan/request/argv-option.ts';
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
  /** The encoder of the samples, and the values of its option for the quality. */
  readonly encoder: string;
  readonly scale: QualityScale;
  /** The value of `map` for the video. undefined: ffmpeg chooses the video. */
  readonly videoMap: string | undefined;
  /** The quality that the output, or the best rung, should have. 0: for a frame size. */
  readonly target: number;
  readonly maxRungs: number;
  /** The value of `map` for the audio of a ladder. Absent: none. */
  readonly audio?: { readonly map: string; readonly isOptional: boolean };
  /** The average bit rate for which a frame size is chosen. */
  readonly bitsPerSecond: number;
  /** Why the frame size is chosen without samples: the start of a sentence. */
  readonly none?: string;
}

/** The only encoder whose samples in several sizes were compared. Key frames of a ladder need it too: libx265 may refer across a forced one, and libsvtav1 forces none. */
const SAMPLED_ENCODER = 'libx264';

export const isOfVideo = ({ name: { specifier } }: ArgvOption): boolean =>
  specifier === undefined || /^(?:[vV]|\d)/.test(specifier);

const ALL: readonly SearchMember[] = ['quality', 'ladder', 'frameSize'];
const OF_TARGET: readonly SearchMember[] = ['quality', 'ladder'];
const OF_SIZES: readonly SearchMember[] = ['ladder', 'frameSize'];

const ON_DEVICE = 'it leaves frames on the device, where the job cannot compare them';
const SETS_QUALITY = 'both would set the quality of the video';
const SETS_NO_RATE = 'it sets a quality, so that the video does not have the bit rate for which the size is chosen';
const BEFORE_MOTION = 'samples have the frames before the first pass detects the motion for "vidstabtransform"';
const OF_RUNGS = 'the job sets it itself, for each rung';
const SAME_KEYS = 'all rungs have key frames at the same times';
const NEEDS_RATE = 'this encoder needs a bit rate with it. "maxBitrate" in "quality" limits the average';
const SPLITS = 'with "split_by_time", segments do not begin with a key frame';
const OF_ONE = 'it is about one video, and a ladder has several. A specifier such as "preset:v" is for all of them';

const isZero = (value: string): boolean => readNumber(value) === 0;
const isOfAllRungs = (_value: string, { name: { name, specifier = '' } }: ArgvOption): boolean =>
  !/^(?:[vV]:\d+|\d+)$/.test(specifier) || (name === 'filter' && /^[vV]:0$/.test(specifier));
const needsNoRate = (_value: string, _option: ArgvOption, encoders: StreamEncoders): boolean =>
  !encoders.of('v').some(({ encoder = '' }) => /^lib(?:aom-av1|vpx-vp9)$/.test(encoder));

/** Options of the video, and parameters of encoder libraries, that do not go with some members. `isAllowed`: whether a value goes with them. */
type Conflict = readonly [
  members: readonly SearchMember[],
  name: RegExp,
  why: string,
  isAllowed?: (value: string, option: ArgvOption, encoders: StreamEncoders) => boolean,
];

const CONFLICTS: readonly Conflict[] = [
  [ALL, /^filter_complex$/, 'send the filters of the video as "vf"'],
  [ALL, /^(?:fs|frames)$/, 'the job compares all of the video. "t" ends it'],
  [ALL, /^(?:copyts|sseof)$/, 'samples are read by their time from the start'],
  [ALL, /^hwaccel_output_format$/, ON_DEVICE],
  // Some encoders need a bit rate of 0 with a quality.
  [OF_TARGET, /^b$/, SETS_QUALITY, isZero],
  [OF_TARGET, /^(?:crf|crf[_-]max|cq|qp|qp_[ipb]|q|global_quality|init_qp[IPB]|lossless|pass)$/, SETS_QUALITY],
  [OF_TARGET, /^(?:target|rc|rc_mode|bitrate|tbr|cq-level|target-bitrate|end-usage)$/, SETS_QUALITY],
  [['quality'], /^(?:maxrate|minrate|bufsize)$/, NEEDS_RATE, needsNoRate],
  [['quality'], /^encryption_scheme$/, 'an encrypted output cannot be compared with its source'],
  // A value below 0 means that no quality is set.
  [['frameSize'], /^(?:crf|qp|bitrate)$/, SETS_NO_RATE, (value) => (readNumber(value) ?? 0) < 0],
  [['frameSize'], /^filter$/, BEFORE_MOTION, (_, { checkedGraphs = [] }) => !checkedGraphs.some(stabilizes)],
  [OF_SIZES, /^s$/, 'both would set the size of the frames'],
  [['ladder'], /^(?:maxrate|minrate|bufsize|var_stream_map|hls_segment_size)$/, OF_RUNGS],
  [['ladder'], /^(?:vbv-maxrate|vbv-bufsize)$/, OF_RUNGS, isZero],
  [['ladder'], /^(?:sc_threshold|scenecut|open-gop|keyint|intra-refresh)$/, SAME_KEYS, isZero],
  [['ladder'], /^hls_base_url$/, 'the job measures the segments by their names in the playlists'],
  [['ladder'], /^hls_flags$/, SPLITS, (value) => !value.includes('split_by_time')],
  [['ladder'], /./, OF_ONE, isOfAllRungs],
];

const exclusive = (field: string, message: string): FieldError => ({ field, code: 'EXCLUSIVE', message });

/** The parameters of an encoder library in an option. */
function parametersIn({ name, values }: ArgvOption): readonly (readonly [key: string, value: string])[] {
  const params = PARAMS_OPTIONS.get(name.name);
  const pairs = params === undefined ? [] : values.flatMap((text) => parseParamsString(text, params) ?? []);
  return pairs.map(([key, value]) => [key.replaceAll('_', '-'), value]);
}

/** The error for an option that does not go with a member. Empty: it does. */
function optionErrors(
  option: ArgvOption,
  member: SearchMember,
  encoders: StreamEncoders,
  isOfOther: (option: ArgvOption) => boolean,
): readonly FieldError[] {
  const { name, values } = option;
  const sent = `"${sentName(option)}"`;
  const said = [
    ...(isOfVideo(option) && !isOfOther(option) ? [{ what: sent, key: name.name, value: values[0] ?? '' }] : []),
    ...parametersIn(option).map(([key, value]) => ({ what: `"${key}" in ${sent}`, key, value })),
  ];
  const filter = allFilters([option]).find((one) => returnsDeviceFrames(one.name));
  const [found] = [
    ...said.flatMap(({ what, key, value }) =>
      CONFLICTS.flatMap(([members, of, why, isAllowed]) =>
        members.includes(member) && of.test(key) && isAllowed?.(value, option, encoders) !== true
          ? [`${what} ${DOES_NOT} "${member}": ${why}.`]
          : [],
      ),
    ),
    ...(filter === undefined ? [] : [`The filter "${filter.name}" ${DOES_NOT} "${member}": ${ON_DEVICE}.`]),
  ];
  return found === undefined ? [] : [exclusive(option.field, found)];
}

const DOES_NOT = 'does not go with';

/** The encoder of the only video. Adds an error if this member does not support it, unless another error is about the encoder. */
function encoderOf(member: SearchMember, context: SearchContext, errors: FieldError[]): string | undefined {
  const { options, audioOnly, isImage } = context;
  const supported =
    member === 'quality' ? Object.keys(QUALITY_SCALES) : member === 'ladder' ? [SAMPLED_ENCODER] : undefined;
  const videos = audioOnly || isImage ? [] : context.encoders.of('v').map(({ encoder = 'copy' }) => encoder);
  const [only = 'copy', ...others] = videos;
  if (others.length === 0 && only !== 'copy' && (supported?.includes(only) ?? true)) return only;
  if (context.errors.some(({ code }) => /^(?:NEEDS_DEVICE|UNKNOWN_ENCODER)$/.test(code))) return undefined;
  const copied = options.find(
    (option) => option.name.name === 'c' && isOfVideo(option) && option.values.includes('copy'),
  );
  const found = videos.length > 0 ? quoted([...new Set(videos)].join(', ')) : 'an image or no video';
  const needed = supported === undefined ? 'one encoder' : 'an encoder that it supports';
  errors.push({
    ...exclusive(copied?.field ?? `/${member}`, `"${member}" needs a video of ${needed}, but the output has ${found}.`),
    ...(supported && { allowed: supported }),
  });
  return undefined;
}

/** The metric of `auto` depends only on the target, so that a request means the same on every build. undefined: `errors` has the reason. */
function metricOf(
  member: SearchMember,
  { target, metric: sent = 'auto' }: Pick<QualityTarget, 'target' | 'metric'>,
  { catalogue, errors }: SearchContext,
): QualityMetric | undefined {
  const usual = target <= 1 ? 'ssim' : target <= METRIC_SCALES.xpsnr.max ? 'xpsnr' : 'vmaf';
  const metric = sent === 'auto' ? usual : sent;
  const { min, max } = METRIC_SCALES[metric];
  const filter = METRIC_FILTERS[metric];
  if (target < min || target > max)
    errors.push({
      field: `/${member}/target`,
      code: 'OUT_OF_RANGE',
      message: `"target" is from ${min} to ${max} for ${METRIC_NAMES[metric]}, not ${target}. Usual is ${USUAL_TARGETS[metric]}.`,
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

/** The members of a request that a search does not go with. */
const OTHER_MEMBERS = [...ALL, 'join', 'cut', 'transcribe'] as const;

/** Options of inputs that samples cannot have. The other options only decode. */
const OF_INPUTS = /^(?:sseof|hwaccel_output_format)$/;

/** A value of `map` whose video samples can select too. */
const VIDEO_MAP = /^\d+(?::(?:[vV](?::\d+)?|\d+))?\??$/;

/** Everything that does not go with a member. */
function conflicts(member: SearchMember, { request, options, inputs, encoders, twoPass, muxer }: SearchContext) {
  const ofInputs = inputs.flatMap((input) => input.options).filter(({ name }) => OF_INPUTS.test(name.name));
  const maps = mapsOf(options);
  // If the video is the stream 0, an option such as `b:1` is about another stream. A ladder numbers its streams otherwise.
  const isVideoFirst = member !== 'ladder' && /^(?:$|\d+:[vV]:\d)/.test(maps[0] ?? '');
  const isOfOther = ({ name }: ArgvOption): boolean => isVideoFirst && /^[1-9]/.test(name.specifier ?? '');
  const found = [...options, ...ofInputs].flatMap((one) => optionErrors(one, member, encoders, isOfOther));
  const goesWith = (name: string): boolean =>
    name === member ||
    (name === 'transcribe' && member === 'frameSize') ||
    (name === 'frameSize' && request.isFrameSizeOfRecipe === true);
  const other = OTHER_MEMBERS.find((name) => request[name] !== undefined && !goesWith(name));
  if (other !== undefined) found.push(exclusive(`/${member}`, `"${member}" and "${other}" are both set.`));
  const mapped = options.find(({ key }) => key === 'map');
  const videos = maps.filter(mayBeVideo);
  if (mapped !== undefined && videos.length !== 1)
    found.push(
      exclusive(
        mapped.field,
        `"${member}" is about one video, but "map" selects ${videos.length > 1 ? 'several' : 'none'}.`,
      ),
    );
  const unclear = maps.find((map) => !map.startsWith('[') && mayBeVideo(map.replace(/^-/, '')) && !VIDEO_MAP.test(map));
  if (mapped !== undefined && unclear !== undefined)
    found.push(
      exclusive(
        mapped.field,
        `"${member}" does not know which video ${quoted(unclear)} selects. Select it by its number, such as "0:v:0".`,
      ),
    );
  if (twoPass && member !== 'frameSize')
    found.push(
      exclusive(
        '/parameters/pass',
        `"pass" does not go with "${member}": two passes reach a bit rate, "${member}" a quality.`,
      ),
    );
  const isFormat = member === 'ladder' ? muxer === 'hls' : member === 'frameSize' || !SEVERAL_FILES.has(muxer ?? '');
  const wanted = member === 'ladder' ? 'makes several rungs for HLS' : 'needs an output of one file';
  if (muxer !== undefined && !isFormat)
    found.push(exclusive(`/${member}`, `"${member}" ${wanted}, but the format of the output is ${quoted(muxer)}.`));
  return found;
}

/** The value of `map` that selects one video. Covers are none. */
const videoMapOf = (map: string | undefined): string | undefined =>
  map === undefined
    ? undefined
    : /^\d+:(?:[vV]:)?\d+\??$/.test(map)
      ? map.replace('?', '')
      : `${/^\d+/.exec(map)?.[0] ?? '0'}:V:0`;

/** Checks what a request searches by samples. undefined: nothing, or `context.errors` has the reason. */
export function checkSearch(context: SearchContext): Search | undefined {
  const { request, options, errors } = context;
  const { quality, ladder, isFrameSizeOfRecipe = false } = request;
  const target = ladder ?? quality;
  const member = target === undefined ? 'frameSize' : ladder === undefined ? 'quality' : 'ladder';
  if (request[member] === undefined) return undefined;
  const isOptional = member === 'frameSize' && isFrameSizeOfRecipe;
  const found = conflicts(member, context);
  const encoder = encoderOf(member, context, found);
  const metric = target === undefined ? 'ssim' : metricOf(member, target, context);
  const rates = options.filter(({ name }) => name.name === 'b' && /^(?:[vV](?::0)?)?$/.test(name.specifier ?? ''));
  const bitsPerSecond = Math.max(0, readNumber(rates.at(-1)?.values[0] ?? '') ?? 0);
  if (member === 'frameSize' && encoder !== undefined && bitsPerSecond === 0)
    found.push({
      field: '/frameSize',
      code: 'MISSING',
      message: '"frameSize" chooses a size for the bit rate of the video, but the request has none.',
    });
  const audio = member === 'ladder' ? audioOf(context, found) : undefined;
  if (!isOptional) errors.push(...found);
  const isLeftOut = found.length > 0 && (!isOptional || bitsPerSecond === 0);
  const scale = QUALITY_SCALES[target === undefined ? SAMPLED_ENCODER : (encoder ?? '')];
  if (isLeftOut || encoder === undefined || scale === undefined || metric === undefined) return undefined;
  const none =
    found.length > 0
      ? 'The request has options for which samples are not compared'
      : encoder === SAMPLED_ENCODER
        ? isUnlikeSamples(context)
          ? 'Samples are not known to be like the output of these options'
          : undefined
        : `Only samples of ${SAMPLED_ENCODER} are compared`;
  const map = mapsOf(options).find(mayBeVideo);
  return {
    ...{ target: 0, maxRungs: LADDER_RUNGS.max, bitsPerSecond, ...target },
    ...{ member, metric, scale, encoder: target === undefined ? SAMPLED_ENCODER : encoder },
    videoMap: videoMapOf(member === 'ladder' ? (map ?? '0') : map),
    ...(audio && { audio }),
    ...(target === undefined && none !== undefined && { none }),
  };
}

/** Parameters of libx264 that set a bit rate, which samples do not have. */
const SETS_RATE = /^(?:bitrate|vbv-.*|nal-hrd|crf.*|qp|pass|stats)$/;

/** Whether the quality of samples may differ from that of the output, so that they tell no frame size. */
const isUnlikeSamples = ({ options, inputs }: SearchContext): boolean =>
  options.flatMap(parametersIn).some(([key]) => SETS_RATE.test(key)) ||
  (inputs.length > 1 && !mapsOf(options).some(mayBeVideo));

/** The audio of a ladder. undefined: none, or `errors` has the reason. */
function audioOf({ options, inputs }: SearchContext, errors: FieldError[]): Search['audio'] {
  const maps = mapsOf(options);
  const hasNone = hasKey(options, 'an');
  if (maps.length === 0 && inputs.length > 1)
    errors.push(
      exclusive('/ladder', '"ladder" needs one video, but the request has several inputs. "map" can select it.'),
    );
  if (maps.length === 0) return hasNone ? undefined : { map: '0:a:0', isOptional: true };
  const [audio, ...others] = maps.filter((map) => !/^\d+:[vV](?::\d+)?\??$/.test(map));
  const isAudio = audio === undefined || /^\d+:a(?::\d+)?\??$/.test(audio);
  if (!isAudio || others.length > 0) {
    const field = options.find(({ key }) => key === 'map')?.field ?? '/parameters/map';
    const message = '"ladder" has one video and at most one audio stream, but "map" selects other streams.';
    errors.push(exclusive(field, message));
  }
  if (audio === undefined || hasNone) return undefined;
  return { map: audio.replace(/\?$/, '').replace(/:a$/, ':a:0'), isOptional: audio.endsWith('?') };
}

export const slideshowWith = (member: SearchMember): FieldError =>
  exclusive(`/${member}`, `"${member}" is about one video, but images with a "duration" become a slideshow.`);
