import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { LadderTarget, PlannedLadder } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import { QUALITY_SCALES } from '../../quality/search-scales.ts';
import { readNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, hasKey, mapsOf, sentName } from '../request/argv-option.ts';
import { isRateMode, rateModeOf } from '../request/frame-rate-modes.ts';
import { checkMetric } from './metric.ts';
import {
  deviceFramesError,
  encoderErrors,
  encoderOf,
  exclusiveWith,
  inputErrors,
  isOfVideo,
  parametersIn,
  type SearchContext,
  setsQualityToo,
  severalVideos,
} from './search-checks.ts';

/** A ladder that can be searched for. */
export interface SearchedLadder {
  readonly target: LadderTarget;
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
  /** The value of `map` for the video. */
  readonly videoMap: string;
  /** `map`: its value for the audio. */
  readonly audio: { readonly found: PlannedLadder['audio']; readonly map: string };
}

/**
 * Encoders that limit the peaks of a constant quality by `maxrate`, and put key frames at the same times in all rungs. libx265 may make a
 * forced key frame that later frames refer across, and libsvtav1 ignores `force_key_frames`.
 */
const SAME_KEY_FRAMES = {
  encoders: ['libx264'],
  why: 'which is not known to have key frames at the same times in all rungs',
};

/** Checks a request with `ladder`. undefined: `errors` has the reason. */
export function checkLadder(target: LadderTarget, context: SearchContext): SearchedLadder | undefined {
  const { request, options, inputs, encoders, muxer, audioOnly, catalogue, errors } = context;
  const before = errors.length;
  const other = (['quality', 'join', 'cut', 'transcribe'] as const).find((name) => request[name] !== undefined);
  if (other !== undefined) errors.push(withOther(other));
  if (muxer !== undefined && muxer !== 'hls') errors.push(otherFormat(muxer));
  errors.push(...options.flatMap((option) => optionError(option, encoders) ?? []));
  errors.push(...inputErrors(inputs, 'ladder'));
  const encoder = audioOnly ? undefined : encoderOf(encoders);
  const scale =
    encoder === undefined || !SAME_KEY_FRAMES.encoders.includes(encoder) ? undefined : QUALITY_SCALES[encoder];
  errors.push(...encoderErrors(context, 'ladder', SAME_KEY_FRAMES));
  const streams = mappedStreams(options, inputs.length, errors);
  const found: FieldError[] = [];
  const metric = checkMetric(target, catalogue, found);
  errors.push(...found.map((one) => ({ ...one, field: one.field.replace(/^\/quality/, '/ladder') })));
  if (metric === undefined || encoder === undefined || scale === undefined || errors.length > before) return undefined;
  return streams && { target, metric, encoder, scale, ...streams };
}

const VIDEO_MAP = /^\d+:[vV](?::\d+)?\??$/;
const AUDIO_MAP = /^\d+:a(?::\d+)?\??$/;

/** The video and the audio of the ladder: one of each. undefined: `errors` has the reason. */
function mappedStreams(
  options: readonly ArgvOption[],
  inputCount: number,
  errors: FieldError[],
): Pick<SearchedLadder, 'videoMap' | 'audio'> | undefined {
  const maps = mapsOf(options);
  const hasNoAudio = hasKey(options, 'an');
  if (maps.length === 0) {
    if (inputCount > 1) errors.push(SEVERAL_INPUTS);
    return { videoMap: '0:V:0', audio: { found: hasNoAudio ? 'never' : 'found', map: '0:a:0' } };
  }
  const videos = maps.filter((map) => VIDEO_MAP.test(map));
  const audios = maps.filter((map) => AUDIO_MAP.test(map));
  const [video] = videos;
  const [audio] = audios;
  const isPlain = videos.length === 1 && audios.length < 2 && videos.length + audios.length === maps.length;
  const option = options.find(({ key }) => key === 'map');
  if (video === undefined || !isPlain || option === undefined) {
    const [several = otherMaps(option?.field ?? '/parameters/map')] = severalVideos(options, 'ladder');
    errors.push(several);
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

/** Options that the ladder sets, with the reason. Some have another value for each rung. */
const SET_BY_LADDER: ReadonlyMap<string, string> = new Map([
  ['maxrate', 'the job limits the peaks of each rung'],
  ['minrate', 'the job limits the peaks of each rung'],
  ['bufsize', 'the job limits the peaks of each rung'],
  ['var_stream_map', 'the job knows the rungs only after its samples'],
  ['hls_base_url', 'the job measures the segments by their names in the playlists'],
  ['hls_segment_size', 'all rungs have segments of the same times'],
]);

/** Parameters of libx264 that limit the peaks or move key frames, unless they are 0. */
const UNDOES_LADDER = /^(?:vbv-maxrate|vbv-bufsize|scenecut|open-gop|keyint|intra-refresh)$/;

/** Matches a specifier of one video. In the output of a ladder, it would mean one rung. */
const ONE_VIDEO = /^(?:[vV]:\d+|\d+)$/;
/** Options of one video that the plan applies to all rungs. */
const FOR_ALL_RUNGS: ReadonlySet<string> = new Set(['filter', 'r', 's']);

/** The shortest segments, in seconds. */
const LEAST_SEGMENT_SECONDS = 0.1;

/** Options that can end the output before its source ends. */
const ENDS: ReadonlySet<string> = new Set(['fs', 'frames']);

/** The error for an option that does not go with a ladder. undefined: it does. */
function optionError(option: ArgvOption, encoders: StreamEncoders): FieldError | undefined {
  const { name } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  const ofQuality = setsQualityToo(option, encoders, 'ladder');
  if (ofQuality !== undefined) return ofQuality;
  const reason = SET_BY_LADDER.get(name.name);
  if (reason !== undefined) return exclusive(`"${sent}" does not go with "ladder": ${reason}.`);
  const [undoing] =
    parametersIn(option).find(([key, value]) => UNDOES_LADDER.test(key.replaceAll('_', '-')) && value !== '0') ?? [];
  if (undoing !== undefined)
    return exclusive(
      `"${undoing}" in "${sent}" does not go with "ladder": the job limits the peaks of each rung, and all rungs have key frames at the same times.`,
    );
  const ofKeyFrames = keyFrameError(option);
  if (ofKeyFrames !== undefined) return exclusive(ofKeyFrames);
  if (ENDS.has(name.name) && isOfVideo(option))
    return exclusive(`"${sent}" does not go with "ladder", whose rungs have the same length. "t" ends them.`);
  if (name.name === 'filter_complex')
    return exclusive(`"${sent}" does not go with "ladder", which makes the sizes of the rungs itself.`);
  return deviceFramesError(option, 'where "ladder" cannot compare them');
}

/** The error for an option with which the rungs would have frames or key frames at different times, or that sets only one rung. */
function keyFrameError(option: ArgvOption): string | undefined {
  const { name, values } = option;
  const [value = ''] = values;
  const sent = sentName(option);
  if (name.name === 'hls_flags' && /(?:^|\+)split_by_time(?:$|[+-])/.test(value))
    return `"split_by_time" in "${sent}" does not go with "ladder": each segment begins with a key frame.`;
  if (name.name === 'hls_time' && (parseDuration(value) ?? 1) < LEAST_SEGMENT_SECONDS)
    return `"${sent}" must be at least ${LEAST_SEGMENT_SECONDS} seconds with "ladder": each segment begins with a key frame.`;
  if (name.name === 'sc_threshold' && readNumber(value) !== 0)
    return `"${sent}" adds key frames at other times in each rung of "ladder", so players could not switch.`;
  const mode = isRateMode(option) && isOfVideo(option) ? rateModeOf(value) : undefined;
  // For HLS, ffmpeg chooses a constant rate.
  if (mode !== undefined && mode !== 'auto' && mode !== 'cfr')
    return `"${sent}": ${quoted(value)} does not go with "ladder", whose rungs have a constant frame rate.`;
  const specifier = name.specifier ?? '';
  if (ONE_VIDEO.test(specifier) && !(FOR_ALL_RUNGS.has(name.name) && isOfFirst(specifier)))
    return `"${sent}" is about one video, but "ladder" has several rungs. "${name.name}:v" is for all of them.`;
  return undefined;
}

const isOfFirst = (specifier: string): boolean => /^[vV]:0$/.test(specifier);

const withOther = (name: 'quality' | 'join' | 'cut' | 'transcribe'): FieldError => ({
  field: name === 'quality' ? '/quality' : '/ladder',
  code: 'EXCLUSIVE',
  message: `"ladder" and "${name}" are both set.${name === 'quality' ? ' "target" in "ladder" is the quality of the best rung.' : ''}`,
});

const otherFormat = (muxer: string): FieldError => ({
  field: '/ladder',
  code: 'EXCLUSIVE',
  message: `"ladder" makes several rungs for HLS, but the format of the output is ${quoted(muxer)}. "quality" is for one file.`,
});

const SEVERAL_INPUTS: FieldError = {
  field: '/ladder',
  code: 'EXCLUSIVE',
  message: '"ladder" needs one video, but the request has several inputs. "map" can select it.',
};

const otherMaps = (field: string): FieldError => ({
  field,
  code: 'EXCLUSIVE',
  message: '"ladder" has one video and at most one audio stream, but "map" selects other streams.',
});
