import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric, QualityScale, QualityTarget } from '@telecine/contract/domain/quality.ts';
import { QUALITY_SCALES } from '../../quality/search-scales.ts';
import { quoted } from '../../values/value-error.ts';
import { SEVERAL_FILES } from '../argv.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { checkMetric } from './metric.ts';
import {
  deviceFramesError,
  encoderErrors,
  encoderOf,
  exclusiveWith,
  inputErrors,
  isOfVideo,
  type SearchContext,
  setsQualityToo,
  severalVideos,
} from './search-checks.ts';

/** A quality target that can be searched for. */
export interface SearchedQuality {
  readonly target: QualityTarget;
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
}

/** Checks a request with `quality`. undefined: `errors` has the reason. */
export function checkQuality(target: QualityTarget, context: SearchContext): SearchedQuality | undefined {
  const { request, options, inputs, encoders, muxer, audioOnly, isImage, twoPass, catalogue, errors } = context;
  const before = errors.length;
  const other = (['join', 'cut', 'transcribe'] as const).find((name) => request[name] !== undefined);
  if (other !== undefined) errors.push(withOther(other));
  if (muxer !== undefined && !audioOnly && SEVERAL_FILES.has(muxer)) errors.push(severalFiles(muxer));
  if (twoPass) errors.push(TWO_PASSES);
  errors.push(...options.flatMap((option) => optionError(option, encoders) ?? []));
  errors.push(...severalVideos(options, 'quality'), ...inputErrors(inputs, 'quality'));
  const encoder = audioOnly ? undefined : encoderOf(encoders);
  const scale = encoder === undefined || isImage ? undefined : QUALITY_SCALES[encoder];
  errors.push(...encoderErrors(context, 'quality', SEARCHED));
  const metric = checkMetric(target, catalogue, errors);
  if (metric === undefined || encoder === undefined || scale === undefined || errors.length > before) return undefined;
  return { target, metric, encoder, scale };
}

const SEARCHED = { encoders: Object.keys(QUALITY_SCALES), why: 'which has no quality option to search' };

/** Options that limit the peaks of a bit rate, and encoders that accept them only with a bit rate. */
const PEAKS: ReadonlySet<string> = new Set(['maxrate', 'minrate', 'bufsize']);
const NEED_A_RATE: ReadonlySet<string> = new Set(['libaom-av1', 'libvpx-vp9']);

/** Options that can end the output before its source ends, with what does it instead. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['fs', '"maxSize" in "quality" limits the bytes.'],
  ['frames', '"t" ends it.'],
]);

/** The error for an option that does not go with a quality target. undefined: it does. */
function optionError(option: ArgvOption, encoders: StreamEncoders): FieldError | undefined {
  const { name } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  const ofQuality = setsQualityToo(option, encoders, 'quality');
  if (ofQuality !== undefined) return ofQuality;
  if (PEAKS.has(name.name) && encoders.of('v').some(({ encoder = '' }) => NEED_A_RATE.has(encoder)))
    return exclusive(
      `"${sent}" does not go with "quality", because this encoder needs a bit rate with it. "maxBitrate" in "quality" limits the peaks.`,
    );
  if (/^encryption_/.test(name.name))
    return exclusive(`"${sent}" does not go with "quality", which cannot read an encrypted output.`);
  if (ENDS.has(name.name) && isOfVideo(option))
    return exclusive(
      `"${sent}" does not go with "quality", which compares the whole output with its source. ${ENDS.get(name.name)}`,
    );
  if (name.name === 'filter_complex')
    return exclusive(`"${sent}" does not go with "quality". Send the filters of the video as "vf".`);
  return deviceFramesError(option, 'where "quality" cannot compare them');
}

const withOther = (name: 'join' | 'cut' | 'transcribe'): FieldError => ({
  field: '/quality',
  code: 'EXCLUSIVE',
  message: `"quality" and "${name}" are both set.`,
});

const severalFiles = (muxer: string): FieldError => ({
  field: '/quality',
  code: 'EXCLUSIVE',
  message: `"quality" needs an output of one file, but ${quoted(muxer)} writes several.`,
});

const TWO_PASSES: FieldError = {
  field: '/parameters/pass',
  code: 'EXCLUSIVE',
  message: '"pass" and "quality" are both set: two passes reach a bit rate, "quality" a quality.',
};
