import { leaveOut, orElse, sendIn, sendOption } from '@telecine/contract/domain/edit.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric, QualityScale, QualityTarget } from '@telecine/contract/domain/quality.ts';
import { returnsDeviceFrames } from '../../allowlist/device-components.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { QUALITY_SCALES } from '../../quality/search-scales.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { quoted } from '../../values/value-error.ts';
import { SEVERAL_FILES } from '../argv.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, mapsOf, mayBeVideo, sentName } from '../request/argv-option.ts';
import type { OutputRequest } from '../request/parse-request.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { checkMetric } from './metric.ts';

/** What a quality target is checked against. */
export interface QualityContext {
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

/** A quality target that can be searched for. */
export interface SearchedQuality {
  readonly target: QualityTarget;
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
}

/** Checks a request with `quality`. undefined: `errors` has the reason. */
export function checkQuality(target: QualityTarget, context: QualityContext): SearchedQuality | undefined {
  const { request, options, inputs, encoders, muxer, audioOnly, isImage, twoPass, catalogue, errors } = context;
  const before = errors.length;
  const other = (['join', 'cut', 'transcribe'] as const).find((name) => request[name] !== undefined);
  if (other !== undefined) errors.push(withOther(other));
  if (muxer !== undefined && !audioOnly && SEVERAL_FILES.has(muxer)) errors.push(severalFiles(muxer));
  if (twoPass) errors.push(TWO_PASSES);
  errors.push(...options.flatMap((option) => optionError(option, encoders) ?? []));
  const videos = mapsOf(options).filter(mayBeVideo);
  const mapped = options.find(({ key }) => key === 'map');
  if (videos.length > 1 && mapped !== undefined) errors.push(severalVideos(mapped));
  errors.push(...inputErrors(inputs, 'quality'));
  const encoder = audioOnly ? undefined : encoderOf(encoders);
  const scale = encoder === undefined || isImage ? undefined : QUALITY_SCALES[encoder];
  const copied = options.find(({ name, values }) => name.name === 'c' && values.includes('copy'));
  if (scale === undefined && !errors.some(({ code }) => /^(?:NEEDS_DEVICE|UNKNOWN_ENCODER)$/.test(code)))
    errors.push(
      encoders.of('v').some((one) => one.encoder === undefined) && copied !== undefined
        ? copiedVideo(copied, 'quality')
        : encoders.of('v').length === 0 || audioOnly || isImage
          ? NO_VIDEO
          : otherEncoder(encoders.of('v').map((one) => one.encoder ?? 'copy')),
    );
  const metric = checkMetric(target, catalogue, errors);
  if (metric === undefined || encoder === undefined || scale === undefined || errors.length > before) return undefined;
  return { target, metric, encoder, scale };
}

/** The only video encoder of the output. undefined: there is none, or there are several. */
export function encoderOf(encoders: StreamEncoders): string | undefined {
  const [only, ...others] = encoders.of('v');
  return others.length > 0 ? undefined : only?.encoder;
}

/** The end of a fix: the alternative to what is sent. */
export const without = (member: SearchMember): string => `leave "${member}" out of the request`;

const WITHOUT = without('quality');

/** Options that set the quality or the bit rate of a video by themselves. */
const SET_QUALITY: ReadonlySet<string> = new Set(
  'crf crf_max cq qp qp_i qp_p qp_b q b global_quality init_qpI init_qpP init_qpB lossless pass target rc rc_mode'.split(
    ' ',
  ),
);

/** Options that limit the peaks of a bit rate, and encoders that accept them only with a bit rate. */
const PEAKS: ReadonlySet<string> = new Set(['maxrate', 'minrate', 'bufsize']);
const NEED_A_RATE: ReadonlySet<string> = new Set(['libaom-av1', 'libvpx-vp9']);

/** The same as parameters of an encoder library. */
const SET_BY_PARAMETER = /^(?:crf|crf-max|qp|bitrate|pass|lossless|tbr|rc|cq-level|target-bitrate|end-usage|b)$/;

/** Options that can end the output before its source ends, with what to send instead. */
const ENDS: ReadonlyMap<string, FieldError['fix']> = new Map([
  ['fs', 'Send "maxSize" in "quality" instead, in bytes.'],
  ['frames', 'Send "t" instead, in seconds.'],
]);

export const isOfVideo = ({ name: { specifier } }: ArgvOption): boolean =>
  specifier === undefined || /^(?:[vV]|\d)/.test(specifier);

/** The error for an option that does not go with a quality target. undefined: it does. */
function optionError(option: ArgvOption, encoders: StreamEncoders): FieldError | undefined {
  const { name } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  const ofQuality = setsQualityToo(option, encoders, { member: 'quality', instead: 'the job finds the value' });
  if (ofQuality !== undefined) return ofQuality;
  if (PEAKS.has(name.name) && encoders.of('v').some(({ encoder = '' }) => NEED_A_RATE.has(encoder)))
    return exclusive(
      `"${sent}" does not go with "quality", because this encoder needs a bit rate with it.`,
      `Leave "${sent}" out, and send "maxBitrate" in "quality" instead.`,
    );
  if (/^encryption_/.test(name.name))
    return exclusive(
      `"${sent}" does not go with "quality", which cannot read an encrypted output.`,
      orElse(leaveOut(), WITHOUT),
    );
  if (ENDS.has(name.name) && isOfVideo(option))
    return exclusive(
      `"${sent}" does not go with "quality", which compares the whole output with its source.`,
      ENDS.get(name.name),
    );
  if (name.name === 'filter_complex')
    return exclusive(
      `"${sent}" does not go with "quality", which needs the filters of the video in "vf".`,
      'Send the filters in "vf" if they have one input; or first make a video of high quality with this graph ("crf": "12"), and send it in a request with "quality" and "after".',
    );
  return deviceFramesError(
    option,
    'where "quality" cannot compare them',
    ' The service moves the frames to the encoder.',
  );
}

/** The error for a filter that leaves frames on a device. `why`: what the job cannot do there. `more`: a second sentence of the fix. */
export function deviceFramesError(option: ArgvOption, why: string, more = ''): FieldError | undefined {
  const filter = allFilters([option]).find((one) => returnsDeviceFrames(one.name));
  return filter === undefined
    ? undefined
    : exclusiveWith(option)(
        `The filter "${filter.name}" leaves frames on the device, ${why}.`,
        `Send filters that work in normal memory, such as "scale".${more}`,
      );
}

/** Returns a function that makes the error that an option does not go with another member of the request. */
export const exclusiveWith =
  ({ field }: ArgvOption) =>
  (message: string, fix: FieldError['fix']): FieldError => ({ field, code: 'EXCLUSIVE', message, ...(fix && { fix }) });

/** The members of a request that search for a quality. */
export type SearchMember = 'quality' | 'ladder' | 'frameSize';

/** The parameters of an encoder library in an option. */
export function parametersIn({ name, values }: ArgvOption): readonly (readonly [key: string, value: string])[] {
  const params = PARAMS_OPTIONS.get(name.name);
  return params === undefined ? [] : values.flatMap((text) => parseParamsString(text, params) ?? []);
}

/** The error for an option that sets the quality or the bit rate of the video itself. `instead`: what the job does. */
export function setsQualityToo(
  option: ArgvOption,
  encoders: StreamEncoders,
  { member, instead }: { readonly member: SearchMember; readonly instead: string },
): FieldError | undefined {
  const { name, values } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  // Some encoders need a bit rate of 0 with a quality.
  const isNoRate = name.name === 'b' && readNumber(values[0] ?? '') === 0;
  if (SET_QUALITY.has(name.name) && !isNoRate && isOfVideo(option) && setsVideo(option, encoders))
    return exclusive(
      `"${sent}" and "${member}" both set the quality of the video.`,
      orElse(leaveOut(undefined, instead), without(member)),
    );
  const [parameter] = parametersIn(option).find(([key]) => SET_BY_PARAMETER.test(key.replaceAll('_', '-'))) ?? [];
  return parameter === undefined
    ? undefined
    : exclusive(
        `"${parameter}" in "${sent}" and "${member}" both set the quality of the video.`,
        `Leave "${parameter}" out of "${sent}": ${instead}.`,
      );
}

/** Whether an option of any stream, such as `b`, sets something about the video: `q` alone may be for the audio. */
const setsVideo = ({ name }: ArgvOption, encoders: StreamEncoders): boolean =>
  encoders.of(name.specifier).some(({ kind }) => kind === 'video');

const withOther = (name: 'join' | 'cut' | 'transcribe'): FieldError => ({
  field: '/quality',
  code: 'EXCLUSIVE',
  message: `"quality" and "${name}" are both set.`,
  fix: orElse(
    leaveOut(),
    `first send the request with "${name}" and "crf": "12", then its video in a request with "quality" and "after"`,
  ),
});

export const slideshowWith = (member: SearchMember): FieldError => ({
  field: `/${member}`,
  code: 'EXCLUSIVE',
  message: `"${member}" is about one video, but images with a "duration" become a slideshow.`,
  fix: orElse(
    leaveOut(),
    `first make the slideshow with "crf": "12", then send its video in a request with "${member}" and "after"`,
  ),
});

const severalFiles = (muxer: string): FieldError => ({
  field: '/quality',
  code: 'EXCLUSIVE',
  message: `"quality" needs an output of one file, but ${quoted(muxer)} writes several.`,
  fix: orElse(
    leaveOut(),
    'first make "video.mp4" with "quality", then the segments with "c": "copy" in a request with "after"',
  ),
});

const severalVideos = (map: ArgvOption): FieldError => ({
  field: map.field,
  code: 'EXCLUSIVE',
  message: '"quality" is about one video, but "map" selects several.',
  fix: 'Send one video in "map": ["0:v:0", "0:a"].',
});

/** The errors for options of the inputs. */
export function inputErrors(inputs: readonly ArgvInput[], member: SearchMember): readonly FieldError[] {
  const options = inputs.flatMap((input) => input.options);
  const fromEnd = options.find(({ key }) => key === 'sseof');
  const onDevice = options.find(({ key }) => key === 'hwaccel_output_format');
  return [
    ...(fromEnd === undefined
      ? []
      : [
          exclusiveWith(fromEnd)(
            `"sseof" does not go with "${member}", which reads samples by their time from the start.`,
            'Send "ss" instead, the time from the start.',
          ),
        ]),
    ...(onDevice === undefined
      ? []
      : [
          exclusiveWith(onDevice)(
            `"hwaccel_output_format" keeps frames on the device, where "${member}" cannot compare them.`,
            leaveOut(),
          ),
        ]),
  ];
}

export const copiedVideo = (option: ArgvOption, member: SearchMember): FieldError =>
  exclusiveWith(option)(
    `"${member}" needs an encoder, but "${sentName(option)}": "copy" keeps the video as it is.`,
    orElse(
      option.name.specifier === undefined ? sendOption('c:v', 'libx264') : sendOption(sentName(option), 'libx264'),
      without(member),
    ),
  );

const NO_VIDEO: FieldError = {
  field: '/quality',
  code: 'EXCLUSIVE',
  message: '"quality" is about a video, but the output is an image or has none.',
  fix: leaveOut(),
};

const TWO_PASSES: FieldError = {
  field: '/parameters/pass',
  code: 'EXCLUSIVE',
  message: '"pass" and "quality" are both set: two passes reach a bit rate, "quality" a quality.',
  fix: orElse(leaveOut(), WITHOUT),
};

const otherEncoder = (names: readonly string[]): FieldError => ({
  field: '/quality',
  code: 'EXCLUSIVE',
  message: `"quality" does not go with the encoder ${quoted([...new Set(names)].join(', '))}, which has no quality option to search.`,
  allowed: Object.keys(QUALITY_SCALES),
  fix: orElse(sendIn('parameters', 'c:v', 'libx264'), 'another of the allowed encoders in "c:v"'),
});
