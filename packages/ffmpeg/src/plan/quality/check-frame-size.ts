import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { stabilizes } from '../../filtergraph/stabilizing-passes.ts';
import { readNumber } from '../../values/number.ts';
import { type ArgvOption, mapsOf, mayBeVideo, sentName } from '../request/argv-option.ts';
import { METRIC_FILTERS } from './metric.ts';
import {
  deviceFramesError,
  encoderErrors,
  encoderOf,
  exclusiveWith,
  isOfVideo,
  parametersIn,
  type SearchContext,
  severalVideos,
} from './search-checks.ts';

/** A video whose frame size the job chooses. */
export interface SizedVideo {
  /** The average bit rate. */
  readonly bitsPerSecond: number;
  /** Why no samples are encoded: the start of a sentence. undefined: they may be. */
  readonly none: string | undefined;
  /** The value of `map` for the video. undefined: ffmpeg chooses the video, as in the passes. */
  readonly videoMap: string | undefined;
}

/** The only encoder whose samples have been compared. */
export const SAMPLED_ENCODER = 'libx264';

const ANY_ENCODER = { why: 'which is set for several videos' };

/**
 * Checks a request with `frameSize`. undefined: `errors` has the reason, or the recipe asks for a size but the output has no video with a bit rate. What
 * does not go with the size that a recipe asks for is no error: the video then gets the usual size.
 */
export function checkFrameSize(context: SearchContext): SizedVideo | undefined {
  const { request, options, encoders, audioOnly, isImage } = context;
  const errors: FieldError[] = [];
  const other = (['quality', 'ladder', 'join', 'cut'] as const).find((name) => request[name] !== undefined);
  if (other !== undefined)
    errors.push({
      field: '/frameSize',
      code: 'EXCLUSIVE',
      message: `"frameSize" and "${other}" are both set.`,
    });
  errors.push(...options.flatMap((option) => optionError(option) ?? []));
  errors.push(...severalVideos(options, 'frameSize'), ...encoderErrors(context, 'frameSize', ANY_ENCODER));
  const encoder = audioOnly || isImage ? undefined : encoderOf(encoders);
  const bitsPerSecond = bitRateOf(options);
  if (encoder !== undefined && bitsPerSecond === 0)
    errors.push({
      field: '/frameSize',
      code: 'MISSING',
      message: '"frameSize" chooses a size for the bit rate of the video, but the request has none.',
    });
  const isOptional = request.isFrameSizeOfRecipe === true;
  if (!isOptional) context.errors.push(...errors);
  if (encoder === undefined || bitsPerSecond === 0 || (!isOptional && errors.length > 0)) return undefined;
  const none = errors.length > 0 ? 'The request has options for which samples are not compared' : undefined;
  const videoMap = videoMapOf(mapsOf(options).find(mayBeVideo));
  return { bitsPerSecond, none: none ?? withoutSamples(context, encoder), videoMap };
}

/** The average bit rate of the video. 0: there is none. */
const bitRateOf = (options: readonly ArgvOption[]): number => {
  const rates = options.filter(({ name }) => name.name === 'b' && /^(?:[vV](?::0)?)?$/.test(name.specifier ?? ''));
  return Math.max(0, readNumber(rates.at(-1)?.values[0] ?? '') ?? 0);
};

/** A map that selects one video. Covers are none. */
const videoMapOf = (map: string | undefined): string | undefined =>
  map === undefined
    ? undefined
    : /^\d+:[vV]:\d+\??$/.test(map)
      ? map.replace('?', '')
      : `${/^\d+/.exec(map)?.[0] ?? '0'}:V:0`;

/** Why the size is chosen without samples: the start of a sentence. undefined: samples may be encoded. */
function withoutSamples({ options, inputs, catalogue }: SearchContext, encoder: string): string | undefined {
  if (encoder !== SAMPLED_ENCODER) return `Only samples of ${SAMPLED_ENCODER} are compared`;
  if (!catalogue.lists.filters.has(METRIC_FILTERS.ssim)) return 'The installed ffmpeg cannot measure SSIM';
  const ofInput = inputs.flatMap((input) => input.options);
  if (ofInput.some(({ key }) => key === 'sseof' || key === 'hwaccel_output_format'))
    return 'Samples of this input cannot be read by their time';
  const isEnding = options.some((option) => ENDS.has(option.name.name) && isOfVideo(option));
  const hasParameters = options.flatMap(parametersIn).some(([key]) => SETS_RATE.test(key.replaceAll('_', '-')));
  return isEnding || hasParameters || (inputs.length > 1 && !mapsOf(options).some(mayBeVideo))
    ? 'Samples are not known to be like the output of these options'
    : undefined;
}

/** Options that end the output before its source ends. */
const ENDS: ReadonlySet<string> = new Set(['fs', 'frames']);

/** Parameters of libx264 that set a bit rate, which samples do not have. */
const SETS_RATE = /^(?:bitrate|vbv-.*|nal-hrd|crf.*|qp|pass|stats)$/;

/** Options and parameters of libraries that set a quality, with which encoders do not keep to the bit rate. */
const SETS_QUALITY: ReadonlySet<string> = new Set(['crf', 'qp']);

/** A quality below 0 is none. */
const isUnset = ({ values }: ArgvOption): boolean => (readNumber(values[0] ?? '') ?? 0) < 0;

/** The error for an option that does not go with a chosen frame size. undefined: it does. */
function optionError(option: ArgvOption): FieldError | undefined {
  const { name } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  if (name.name === 's' && isOfVideo(option))
    return exclusive(`"${sent}" and "frameSize" both set the size of the frames.`);
  if (name.name === 'filter_complex')
    return exclusive(`"${sent}" does not go with "frameSize". Send the filters of the video as "vf".`);
  const [parameter] = parametersIn(option).find(([key]) => SETS_QUALITY.has(key)) ?? [];
  const isQuality = SETS_QUALITY.has(name.name) && isOfVideo(option) && !isUnset(option);
  if (isQuality || parameter !== undefined)
    return exclusive(
      `"${parameter ?? sent}" sets a quality, so that the video does not have the bit rate for which "frameSize" chooses a size.`,
    );
  const { checkedGraphs = [] } = option;
  if (checkedGraphs.some(stabilizes))
    return exclusive(
      '"vidstabtransform" does not go with "frameSize", which looks at the frames before the first pass detects the motion.',
    );
  return deviceFramesError(option, 'where "frameSize" cannot scale them');
}
