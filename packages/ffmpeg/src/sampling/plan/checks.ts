import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { LADDER_RUNGS, type LadderTarget } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric, QualityScale, QualityTarget } from '@telecine/contract/domain/quality.ts';
import type { PlannedLadder } from '@telecine/contract/domain/sampling.ts';
import { returnsDeviceFrames } from '../../allowlist/device-components.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { stabilizes } from '../../filtergraph/stabilizing-passes.ts';
import { SEVERAL_FILES } from '../../plan/argv.ts';
import type { StreamEncoders } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, hasKey, mapsOf, mayBeVideo, sentName } from '../../plan/request/argv-option.ts';
import { rateModeOf } from '../../plan/request/frame-rate-modes.ts';
import type { OutputRequest } from '../../plan/request/parse-request.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { quoted } from '../../values/value-error.ts';
import { QUALITY_SCALES } from '../choosers/scales.ts';
import { checkMetric, METRIC_FILTERS } from './metric.ts';

/** The members of a request that search by samples. */
export type SearchMember = 'quality' | 'ladder' | 'frameSize';

/** What the check of a `SearchMember` reads, and the list of errors that it adds to. */
export interface SearchContext {
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

/** A target that can be searched for. */
export interface SearchedVideo<T = QualityTarget> {
  readonly member: SearchMember;
  readonly target: T;
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
}

/** A ladder that can be searched for. */
export interface SearchedLadder extends SearchedVideo<LadderTarget & { readonly maxRungs: number }> {
  /** The value of `map` for the video. */
  readonly videoMap: string;
  /** `map`: its value for the audio. */
  readonly audio: { readonly found: PlannedLadder['audio']; readonly map: string };
}

/** A video whose frame size the job chooses. */
export interface SizedVideo {
  /** The average bit rate. */
  readonly bitsPerSecond: number;
  /** Why no samples are encoded: the start of a sentence. undefined: they may be. */
  readonly none: string | undefined;
  /** The value of `map` for the video. undefined: ffmpeg chooses the video, as in the passes. */
  readonly videoMap: string | undefined;
}

/** The only encoder whose samples in several sizes have been compared. */
export const SAMPLED_ENCODER = 'libx264';

export const isOfVideo = ({ name: { specifier } }: ArgvOption): boolean =>
  specifier === undefined || /^(?:[vV]|\d)/.test(specifier);

const isOfOthers = (option: ArgvOption): boolean => !isOfVideo(option);

const sentValue = ({ values: [value = ''] }: ArgvOption): string => value;

/** An option that does not go with a member, and the reason. `isAllowed`: whether it does with this value. */
type ExcludedOption = readonly [
  name: RegExp,
  why: string,
  isAllowed?: (option: ArgvOption, context: SearchContext) => boolean,
];

/** The same for a parameter of an encoder library. */
type ExcludedParameter = readonly [name: RegExp, why: string, isAllowed?: (value: string) => boolean];

/** What a member of the request does not go with. */
interface Rules {
  readonly members: readonly ('quality' | 'ladder' | 'join' | 'cut' | 'transcribe')[];
  /** Absent: any encoder of one video. */
  readonly encoders?: readonly string[];
  readonly options: readonly ExcludedOption[];
  readonly parameters: readonly ExcludedParameter[];
}

/** Encoders that accept limits of peaks only with a bit rate. */
const NEED_A_RATE: ReadonlySet<string> = new Set(['libaom-av1', 'libvpx-vp9']);

/** The shortest segments of a ladder, in seconds. */
const LEAST_SEGMENT_SECONDS = 0.1;

/** Options of one video that the plan applies to all rungs. */
const FOR_ALL_RUNGS: ReadonlySet<string> = new Set(['filter', 'r', 's']);

const SETS_QUALITY = 'both would set the quality of the video';
const SETS_NO_RATE = 'it sets a quality, so that the video does not have the bit rate for which the size is chosen';
const GRAPH = 'send the filters of the video as "vf"';
const COMPARED = 'the whole output is compared with its source';
const PEAKS = 'the job limits the peaks of each rung';
const SAME_KEYS = 'all rungs have key frames at the same times';

/** Options that set the quality or the bit rate of a video by themselves. Some encoders need a bit rate of 0 with a quality. */
const QUALITY_OPTION: ExcludedOption = [
  /^(?:crf|crf_max|cq|qp|qp_[ipb]|q|b|global_quality|init_qp[IPB]|lossless|pass|target|rc|rc_mode)$/,
  SETS_QUALITY,
  (option, { encoders }) =>
    isOfOthers(option) ||
    (option.name.name === 'b' && readNumber(sentValue(option)) === 0) ||
    !encoders.of(option.name.specifier).some(({ kind }) => kind === 'video'),
];

const QUALITY_PARAMETER: ExcludedParameter = [
  /^(?:crf|crf-max|qp|bitrate|pass|lossless|tbr|rc|cq-level|target-bitrate|end-usage|b)$/,
  SETS_QUALITY,
];

const isZero = (value: string): boolean => value === '0';

const RULES: Readonly<Record<SearchMember, Rules>> = {
  quality: {
    members: ['join', 'cut', 'transcribe'],
    encoders: Object.keys(QUALITY_SCALES),
    options: [
      QUALITY_OPTION,
      [
        /^(?:maxrate|minrate|bufsize)$/,
        'this encoder needs a bit rate with it. "maxBitrate" in "quality" limits the average',
        (_, { encoders }) => !encoders.of('v').some(({ encoder = '' }) => NEED_A_RATE.has(encoder)),
      ],
      [/^encryption_/, 'an encrypted output cannot be compared with its source'],
      [/^fs$/, `${COMPARED}. "maxSize" in "quality" limits the bytes`],
      [/^frames$/, `${COMPARED}. "t" ends it`, isOfOthers],
      [/^filter_complex$/, GRAPH],
    ],
    parameters: [QUALITY_PARAMETER],
  },
  ladder: {
    members: ['quality', 'join', 'cut', 'transcribe'],
    // Others are not known to have key frames at the same times in all rungs: libx265 may make a forced key frame that later frames refer across, and libsvtav1 ignores `force_key_frames`.
    encoders: ['libx264'],
    options: [
      QUALITY_OPTION,
      [/^(?:maxrate|minrate|bufsize)$/, PEAKS],
      [/^var_stream_map$/, 'the job knows the rungs only after its samples'],
      [/^hls_base_url$/, 'the job measures the segments by their names in the playlists'],
      [/^hls_segment_size$/, 'all rungs have segments of the same times'],
      [
        /^hls_flags$/,
        'with "split_by_time", segments do not begin with a key frame',
        (option) => !/(?:^|\+)split_by_time(?:$|[+-])/.test(sentValue(option)),
      ],
      [
        /^hls_time$/,
        `it must be at least ${LEAST_SEGMENT_SECONDS} seconds, since each segment begins with a key frame`,
        (option) => (parseDuration(sentValue(option)) ?? 1) >= LEAST_SEGMENT_SECONDS,
      ],
      [
        /^sc_threshold$/,
        'it adds key frames at other times in each rung, so players could not switch',
        (option) => readNumber(sentValue(option)) === 0,
      ],
      [
        /^(?:fps_mode|vsync)$/,
        'all rungs have a constant frame rate',
        // For HLS, ffmpeg chooses a constant rate.
        (option) => isOfOthers(option) || ['auto', 'cfr', undefined].includes(rateModeOf(sentValue(option))),
      ],
      [/^(?:fs|frames)$/, 'all rungs have the same length. "t" ends them', isOfOthers],
      [/^filter_complex$/, 'the job makes the sizes of the rungs itself'],
      [
        /./,
        'it is about one video, and a ladder has several. A specifier such as "preset:v" is for all of them',
        ({ name: { name, specifier = '' } }) =>
          !/^(?:[vV]:\d+|\d+)$/.test(specifier) || (FOR_ALL_RUNGS.has(name) && /^[vV]:0$/.test(specifier)),
      ],
    ],
    parameters: [
      QUALITY_PARAMETER,
      [/^(?:vbv-maxrate|vbv-bufsize)$/, PEAKS, isZero],
      [/^(?:scenecut|open-gop|keyint|intra-refresh)$/, SAME_KEYS, isZero],
    ],
  },
  frameSize: {
    members: ['quality', 'ladder', 'join', 'cut'],
    options: [
      [/^s$/, 'both would set the size of the frames', isOfOthers],
      [/^filter_complex$/, GRAPH],
      // A quality below 0 is none.
      [/^(?:crf|qp)$/, SETS_NO_RATE, (option) => isOfOthers(option) || (readNumber(sentValue(option)) ?? 0) < 0],
      [
        /^filter$/,
        'samples have the frames before the first pass detects the motion for "vidstabtransform"',
        ({ checkedGraphs = [] }) => !checkedGraphs.some(stabilizes),
      ],
    ],
    parameters: [[/^(?:crf|qp)$/, SETS_NO_RATE]],
  },
};

/** The parameters of an encoder library in an option. */
function parametersIn({ name, values }: ArgvOption): readonly (readonly [key: string, value: string])[] {
  const params = PARAMS_OPTIONS.get(name.name);
  const found = params === undefined ? [] : values.flatMap((text) => parseParamsString(text, params) ?? []);
  return found.map(([key, value]) => [key.replaceAll('_', '-'), value]);
}

const exclusive = (field: string, message: string): FieldError => ({ field, code: 'EXCLUSIVE', message });

/** The error for an option that does not go with a member. Empty: it does. */
function optionErrors(option: ArgvOption, member: SearchMember, context: SearchContext): readonly FieldError[] {
  const { options, parameters } = RULES[member];
  const sent = sentName(option);
  const rejected = (what: string, why: string) => [
    exclusive(option.field, `${what} does not go with "${member}": ${why}.`),
  ];
  const [, reason] =
    options.find(([name, , isAllowed]) => name.test(option.name.name) && isAllowed?.(option, context) !== true) ?? [];
  if (reason !== undefined) return rejected(`"${sent}"`, reason);
  for (const [key, value] of parametersIn(option)) {
    const [, why] = parameters.find(([name, , isAllowed]) => name.test(key) && isAllowed?.(value) !== true) ?? [];
    if (why !== undefined) return rejected(`"${key}" in "${sent}"`, why);
  }
  const filter = allFilters([option]).find((one) => returnsDeviceFrames(one.name));
  return filter === undefined
    ? []
    : rejected(`The filter "${filter.name}"`, 'it leaves frames on the device, where the job cannot compare them');
}

/** The error for an output whose video this member does not support. Empty: it does, or another error is about the encoder. */
function encoderErrors(context: SearchContext, member: SearchMember): readonly FieldError[] {
  const { options, audioOnly, isImage, errors } = context;
  const { encoders } = RULES[member];
  const hasVideo = !audioOnly && !isImage;
  const videos = context.encoders.of('v').map(({ encoder = 'copy' }) => encoder);
  const [only = 'copy', ...others] = videos;
  if (hasVideo && others.length === 0 && only !== 'copy' && (encoders?.includes(only) ?? true)) return [];
  if (errors.some(({ code }) => /^(?:NEEDS_DEVICE|UNKNOWN_ENCODER)$/.test(code))) return [];
  const copied = options.find(
    (option) => option.name.name === 'c' && isOfVideo(option) && option.values.includes('copy'),
  );
  const found = hasVideo && videos.length > 0 ? quoted([...new Set(videos)].join(', ')) : 'an image or no video';
  return [
    {
      ...exclusive(
        copied?.field ?? `/${member}`,
        `"${member}" needs a video of ${encoders === undefined ? 'one encoder' : 'an encoder that it supports'}, but the output has ${found}.`,
      ),
      ...(encoders && { allowed: encoders }),
    },
  ];
}

/** The errors for options of inputs that cannot be sampled. */
const inputErrors = (inputs: readonly ArgvInput[], member: SearchMember): readonly FieldError[] =>
  ['sseof', 'hwaccel_output_format'].flatMap((name) => {
    const option = inputs.flatMap(({ options }) => options).find(({ key }) => key === name);
    const why =
      name === 'sseof'
        ? 'samples are read by their time from the start'
        : 'it keeps frames on the device, where the job cannot compare them';
    return option === undefined ? [] : [exclusive(option.field, `"${name}" does not go with "${member}": ${why}.`)];
  });

/** Appends the errors for everything that does not go with a member, and returns the encoder of the only video. */
function checkMember(member: SearchMember, context: SearchContext): string | undefined {
  const { request, options, errors, audioOnly, isImage, encoders } = context;
  const other = RULES[member].members.find((name) => request[name] !== undefined);
  if (other !== undefined) errors.push(exclusive(`/${member}`, `"${member}" and "${other}" are both set.`));
  errors.push(...options.flatMap((option) => optionErrors(option, member, context)));
  const mapped = options.find(({ key }) => key === 'map');
  if (mapped !== undefined && mapsOf(options).filter(mayBeVideo).length > 1)
    errors.push(exclusive(mapped.field, `"${member}" is about one video, but "map" selects several.`));
  if (member !== 'frameSize') errors.push(...inputErrors(context.inputs, member));
  errors.push(...encoderErrors(context, member));
  const [only, ...others] = encoders.of('v');
  return others.length > 0 || audioOnly || isImage ? undefined : only?.encoder;
}

/** The metric and the scale of a target. undefined: `context.errors` has the reason. */
function searched<T extends QualityTarget | LadderTarget>(
  member: 'quality' | 'ladder',
  target: T,
  encoder: string | undefined,
  { errors, catalogue }: SearchContext,
): SearchedVideo<T> | undefined {
  const scale = encoder === undefined ? undefined : QUALITY_SCALES[encoder];
  const metric = checkMetric(member, target, catalogue, errors);
  return metric && encoder !== undefined && scale ? { member, target, metric, encoder, scale } : undefined;
}

/** Checks a request with `quality`. undefined: `errors` has the reason. */
export function checkQuality(target: QualityTarget, context: SearchContext): SearchedVideo | undefined {
  const { muxer, audioOnly, twoPass, errors } = context;
  const before = errors.length;
  if (muxer !== undefined && !audioOnly && SEVERAL_FILES.has(muxer))
    errors.push(exclusive('/quality', `"quality" needs an output of one file, but ${quoted(muxer)} writes several.`));
  if (twoPass)
    errors.push(
      exclusive(
        '/parameters/pass',
        '"pass" does not go with "quality": two passes reach a bit rate, "quality" a quality.',
      ),
    );
  const found = searched('quality', target, checkMember('quality', context), context);
  return errors.length > before ? undefined : found;
}

/** Checks a request with `ladder`. undefined: `errors` has the reason. */
export function checkLadder(target: LadderTarget, context: SearchContext): SearchedLadder | undefined {
  const { muxer, errors } = context;
  const before = errors.length;
  if (muxer !== undefined && muxer !== 'hls')
    errors.push(
      exclusive(
        '/ladder',
        `"ladder" makes several rungs for HLS, but the format of the output is ${quoted(muxer)}. "quality" is for one file.`,
      ),
    );
  const found = searched('ladder', target, checkMember('ladder', context), context);
  const streams = mappedStreams(context);
  if (errors.length > before || found === undefined || streams === undefined) return undefined;
  return { ...found, target: { maxRungs: LADDER_RUNGS.max, ...target }, ...streams };
}

const VIDEO_MAP = /^\d+:[vV](?::\d+)?\??$/;
const AUDIO_MAP = /^\d+:a(?::\d+)?\??$/;

/** The video and the audio of the ladder: one of each. undefined: `errors` has the reason. */
function mappedStreams({
  options,
  inputs,
  errors,
}: SearchContext): Pick<SearchedLadder, 'videoMap' | 'audio'> | undefined {
  const maps = mapsOf(options);
  const hasNoAudio = hasKey(options, 'an');
  if (maps.length === 0) {
    if (inputs.length > 1)
      errors.push(
        exclusive('/ladder', '"ladder" needs one video, but the request has several inputs. "map" can select it.'),
      );
    return { videoMap: '0:V:0', audio: { found: hasNoAudio ? 'never' : 'found', map: '0:a:0' } };
  }
  const [video, second] = maps.filter((map) => VIDEO_MAP.test(map));
  const [audio, ...others] = maps.filter((map) => !VIDEO_MAP.test(map));
  if (video === undefined || others.length > 0 || (audio !== undefined && !AUDIO_MAP.test(audio))) {
    const field = options.find(({ key }) => key === 'map')?.field ?? '/parameters/map';
    const message = '"ladder" has one video and at most one audio stream, but "map" selects other streams.';
    if (second === undefined) errors.push(exclusive(field, message));
    return undefined;
  }
  const withNumber = (map: string): string => map.replace(/\?$/, '').replace(/:[vVa]$/, '$&:0');
  return {
    videoMap: withNumber(video),
    audio:
      audio === undefined || hasNoAudio
        ? { found: 'never', map: '0:a:0' }
        : { found: audio.endsWith('?') ? 'found' : 'always', map: withNumber(audio) },
  };
}

/**
 * Checks a request with `frameSize`. undefined: `errors` has the reason, or the recipe asks for a size but the output has no video with a bit rate. What
 * does not go with the size that a recipe asks for is no error: the video then gets the usual size.
 */
export function checkFrameSize(context: SearchContext): SizedVideo | undefined {
  const { request, options } = context;
  const isOptional = request.isFrameSizeOfRecipe === true;
  const errors: FieldError[] = isOptional ? [] : context.errors;
  const before = errors.length;
  const encoder = checkMember('frameSize', { ...context, errors });
  const rates = options.filter(({ name }) => name.name === 'b' && /^(?:[vV](?::0)?)?$/.test(name.specifier ?? ''));
  const bitsPerSecond = Math.max(0, readNumber(rates.at(-1)?.values[0] ?? '') ?? 0);
  if (encoder !== undefined && bitsPerSecond === 0)
    errors.push({
      field: '/frameSize',
      code: 'MISSING',
      message: '"frameSize" chooses a size for the bit rate of the video, but the request has none.',
    });
  const isWrong = errors.length > before;
  if (encoder === undefined || bitsPerSecond === 0 || (isWrong && !isOptional)) return undefined;
  const none = isWrong
    ? 'The request has options for which samples are not compared'
    : withoutSamples(context, encoder);
  return { bitsPerSecond, none, videoMap: videoMapOf(mapsOf(options).find(mayBeVideo)) };
}

/** The value of `map` that selects one video. Covers are none. */
const videoMapOf = (map: string | undefined): string | undefined =>
  map === undefined
    ? undefined
    : /^\d+:[vV]:\d+\??$/.test(map)
      ? map.replace('?', '')
      : `${/^\d+/.exec(map)?.[0] ?? '0'}:V:0`;

/** Why the size is chosen without samples: the start of a sentence. undefined: samples may be encoded. */
function withoutSamples(context: SearchContext, encoder: string): string | undefined {
  const { options, inputs, catalogue } = context;
  if (encoder !== SAMPLED_ENCODER) return `Only samples of ${SAMPLED_ENCODER} are compared`;
  if (!catalogue.lists.filters.has(METRIC_FILTERS.ssim)) return 'The installed ffmpeg cannot measure SSIM';
  if (inputErrors(inputs, 'frameSize').length > 0) return 'Samples of this input cannot be read by their time';
  const isEnding = options.some((option) => /^(?:fs|frames)$/.test(option.name.name) && isOfVideo(option));
  const hasParameters = options.flatMap(parametersIn).some(([key]) => SETS_RATE.test(key));
  return isEnding || hasParameters || (inputs.length > 1 && !mapsOf(options).some(mayBeVideo))
    ? 'Samples are not known to be like the output of these options'
    : undefined;
}

/** Parameters of libx264 that set a bit rate, which samples do not have. */
const SETS_RATE = /^(?:bitrate|vbv-.*|nal-hrd|crf.*|qp|pass|stats)$/;

export const slideshowWith = (member: SearchMember): FieldError =>
  exclusive(`/${member}`, `"${member}" is about one video, but images with a "duration" become a slideshow.`);
