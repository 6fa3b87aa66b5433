import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { returnsDeviceFrames } from '../../allowlist/device-components.ts';
import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { quoted } from '../../values/value-error.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, mapsOf, mayBeVideo, sentName } from '../request/argv-option.ts';
import type { OutputRequest } from '../request/parse-request.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** The members of a request that search for a quality. */
export type SearchMember = 'quality' | 'ladder' | 'frameSize';

/** What a member of the request that searches is checked against. */
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

/** The only video encoder of the output. undefined: there is none, or there are several. */
export function encoderOf(encoders: StreamEncoders): string | undefined {
  const [only, ...others] = encoders.of('v');
  return others.length > 0 ? undefined : only?.encoder;
}

/** The error for a `map` of several videos. Empty: it has one at most. */
export function severalVideos(options: readonly ArgvOption[], member: SearchMember): readonly FieldError[] {
  const mapped = options.find(({ key }) => key === 'map');
  if (mapped === undefined || mapsOf(options).filter(mayBeVideo).length < 2) return [];
  return [exclusiveWith(mapped)(`"${member}" is about one video, but "map" selects several.`)];
}

/** The encoders of a member of the request. */
interface SupportedEncoders {
  /** Absent: any encoder of one video. */
  readonly encoders?: readonly string[];
  /** Why another encoder is not supported: the end of a sentence. */
  readonly why: string;
}

/** The error for an output whose video this member does not support. Empty: it does, or another error is about the encoder. */
export function encoderErrors(
  context: SearchContext,
  member: SearchMember,
  { encoders, why }: SupportedEncoders,
): readonly FieldError[] {
  const { options, audioOnly, isImage, errors } = context;
  const videos = context.encoders.of('v').map(({ encoder }) => encoder);
  const [only] = videos;
  const isKnown = videos.length === 1 && only !== undefined && (encoders?.includes(only) ?? true);
  if (isKnown && !audioOnly && !isImage) return [];
  if (errors.some(({ code }) => /^(?:NEEDS_DEVICE|UNKNOWN_ENCODER)$/.test(code))) return [];
  const copied = options.find(({ name, values }) => name.name === 'c' && values.includes('copy'));
  if (videos.includes(undefined) && copied !== undefined) return [copiedVideo(copied, member)];
  const rejected = { field: `/${member}`, code: 'EXCLUSIVE' } as const;
  if (videos.length === 0 || audioOnly || isImage)
    return [
      {
        ...rejected,
        message: `"${member}" is about a video, but the output is an image or has none.`,
      },
    ];
  const names = [...new Set(videos.map((encoder) => encoder ?? 'copy'))].join(', ');
  return [
    {
      ...rejected,
      message: `"${member}" does not go with the encoder ${quoted(names)}, ${why}.`,
      ...(encoders && { allowed: encoders }),
    },
  ];
}

const copiedVideo = (option: ArgvOption, member: SearchMember): FieldError =>
  exclusiveWith(option)(`"${member}" needs an encoder, but "${sentName(option)}": "copy" keeps the video as it is.`);

/** Options that set the quality or the bit rate of a video by themselves. */
const SET_QUALITY: ReadonlySet<string> = new Set(
  'crf crf_max cq qp qp_i qp_p qp_b q b global_quality init_qpI init_qpP init_qpB lossless pass target rc rc_mode'.split(
    ' ',
  ),
);

/** The same as parameters of an encoder library. */
const SET_BY_PARAMETER = /^(?:crf|crf-max|qp|bitrate|pass|lossless|tbr|rc|cq-level|target-bitrate|end-usage|b)$/;

export const isOfVideo = ({ name: { specifier } }: ArgvOption): boolean =>
  specifier === undefined || /^(?:[vV]|\d)/.test(specifier);

/** The parameters of an encoder library in an option. */
export function parametersIn({ name, values }: ArgvOption): readonly (readonly [key: string, value: string])[] {
  const params = PARAMS_OPTIONS.get(name.name);
  return params === undefined ? [] : values.flatMap((text) => parseParamsString(text, params) ?? []);
}

/** The error for an option that sets the quality or the bit rate of the video itself. */
export function setsQualityToo(
  option: ArgvOption,
  encoders: StreamEncoders,
  member: SearchMember,
): FieldError | undefined {
  const { name, values } = option;
  const sent = sentName(option);
  const exclusive = exclusiveWith(option);
  // Some encoders need a bit rate of 0 with a quality.
  const isNoRate = name.name === 'b' && readNumber(values[0] ?? '') === 0;
  if (SET_QUALITY.has(name.name) && !isNoRate && isOfVideo(option) && setsVideo(option, encoders))
    return exclusive(`"${sent}" and "${member}" both set the quality of the video.`);
  const [parameter] = parametersIn(option).find(([key]) => SET_BY_PARAMETER.test(key.replaceAll('_', '-'))) ?? [];
  return parameter === undefined
    ? undefined
    : exclusive(`"${parameter}" in "${sent}" and "${member}" both set the quality of the video.`);
}

/** Whether an option of any stream, such as `b`, sets something about the video: `q` alone may be for the audio. */
const setsVideo = ({ name }: ArgvOption, encoders: StreamEncoders): boolean =>
  encoders.of(name.specifier).some(({ kind }) => kind === 'video');

/** The error for a filter that leaves frames on a device. `why`: what the job cannot do there. */
export function deviceFramesError(option: ArgvOption, why: string): FieldError | undefined {
  const filter = allFilters([option]).find((one) => returnsDeviceFrames(one.name));
  return filter === undefined
    ? undefined
    : exclusiveWith(option)(`The filter "${filter.name}" leaves frames on the device, ${why}.`);
}

/** Returns a function that makes the error that an option does not go with another member of the request. */
export const exclusiveWith =
  ({ field }: ArgvOption) =>
  (message: string): FieldError => ({ field, code: 'EXCLUSIVE', message });

export const slideshowWith = (member: SearchMember): FieldError => ({
  field: `/${member}`,
  code: 'EXCLUSIVE',
  message: `"${member}" is about one video, but images with a "duration" become a slideshow.`,
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
          ),
        ]),
    ...(onDevice === undefined
      ? []
      : [
          exclusiveWith(onDevice)(
            `"hwaccel_output_format" keeps frames on the device, where "${member}" cannot compare them.`,
          ),
        ]),
  ];
}
