import type { Join } from '@telecine/contract/domain/join.ts';
import { isVideoNotCover, type MediaStream } from '@telecine/contract/domain/media-info.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { ProbedInput, Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, sentName } from '../request/argv-option.ts';
import { longCrossfade } from '../request/duration-field.ts';
import { isImageExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { Clip, JoinContext } from './clip.ts';

/** Checks joined inputs by the request alone, before any probe. Appends the errors, and returns whether there are none. */
export function checkClips(
  mode: Join,
  inputs: readonly ArgvInput[],
  { options, errors }: Pick<JoinContext, 'options' | 'errors'>,
): boolean {
  const errorsBefore = errors.length;
  if (inputs.length < 2) errors.push(TOO_FEW);
  for (const [index, input] of inputs.entries()) {
    const wrongFade = mode === 'encode' && input.crossfade && fadeError(input.crossfade, index);
    if (wrongFade) errors.push(wrongFade);
    const error = mode === 'copy' ? copyError(input) : encodeError(input);
    if (error !== undefined) errors.push(error);
  }
  errors.push(...(mode === 'copy' ? copiedFilters(options) : arrangedStreams(options)));
  return errors.length === errorsBefore;
}

const TOO_FEW: FieldError = {
  field: '/join',
  code: 'TOO_FEW',
  message:
    'One input alone cannot be joined. "inputs" needs at least two paths without wildcards, in the order in which they play.',
};

/** The fix of warnings about copied clips. */
export const encodeInstead = (why: string): string => `Send "join": "encode": ${why}.`;

/** The error for a crossfade, as far as the request alone shows it. */
function fadeError({ seconds, field }: NonNullable<ArgvInput['crossfade']>, index: number): FieldError | undefined {
  if (index === 0)
    return {
      field,
      code: 'BAD_CROSSFADE',
      message: 'The first input cannot have a "crossfade": there is no input before it.',
    };
  return longCrossfade(seconds, field);
}

/** Options for the start and the end of a copied clip. */
const TRIMS: ReadonlySet<string> = new Set(['ss', 't', 'to']);

function copyError({ source, options, format, duration, crossfade }: ArgvInput): FieldError | undefined {
  const { field, path } = source;
  if (crossfade !== undefined)
    return {
      field: crossfade.field,
      code: 'NEEDS_ENCODER',
      message: '"crossfade" needs "join": "encode": "copy" copies the streams.',
    };
  if (source.isSource === true)
    return {
      field,
      code: 'NEEDS_ENCODER',
      message: `The source ${quoted(path)} has no packets to copy, so it needs "join": "encode".`,
    };
  if (duration !== undefined || isImageExtension(extension(path)))
    return {
      field,
      code: 'NEEDS_ENCODER',
      message: `The image ${quoted(path)} cannot be copied as a video, so it needs "join": "encode".`,
    };
  if (source.sequence !== undefined) return sequenceError(source);
  const other = options.find(({ key }) => !TRIMS.has(key));
  if (other === undefined && format === undefined) return undefined;
  const name = other === undefined ? 'f' : sentName(other);
  return {
    field: other?.field ?? field,
    code: 'WRONG_SIDE',
    message: `With "join": "copy", an input can have "ss", "t" and "to", but not "${name}".`,
  };
}

function encodeError({ source, options, duration }: ArgvInput): FieldError | undefined {
  const { field, path } = source;
  if (source.sequence !== undefined) return sequenceError(source);
  const isImage = source.isSource !== true && isImageExtension(extension(path));
  const end = options.findLast(({ key }) => key === 't' || key === 'to');
  // These options repeat the image, or set for how long it is shown.
  const isRepeated = hasKey(options, 'loop', 'stream_loop', 'framerate');
  if (isImage && end !== undefined && !isRepeated)
    return {
      field: end.field,
      code: 'NEEDS_DURATION',
      message: `"${end.key}" does not repeat the image ${quoted(path)}, so the video would show it for one frame. "duration" beside "input" sets how long it shows.`,
    };
  const ends = duration !== undefined || end !== undefined;
  if (ends || (source.isSource !== true && !isImage)) return undefined;
  return {
    field,
    code: 'NEEDS_DURATION',
    message: `${source.isSource === true ? 'The source' : 'The image'} ${quoted(path)} needs a "duration" in seconds: without one, it is unknown when it ends.`,
  };
}

const sequenceError = ({ field, path }: ArgvInput['source']): FieldError => ({
  field,
  code: 'NO_SEQUENCE',
  message: `${quoted(path)} is a file name pattern: numbered images cannot be joined with other inputs. A request of its own can convert them to a video.`,
});

/** The errors for filters of copied streams. */
const copiedFilters = (options: readonly ArgvOption[]): readonly FieldError[] => {
  const copies = options.some(({ key, field }) => key === 'c' && field === '/join');
  return options
    .filter(({ key }) => copies && /^filter(?:$|[:_])/.test(key))
    .map((option) => ({
      field: option.field,
      code: 'COPY_AND_FILTER',
      message: `"${sentName(option)}" needs "join": "encode": "copy" copies the streams.`,
    }));
};

/** The errors for options that arrange streams, which a join does itself. */
const arrangedStreams = (options: readonly ArgvOption[]): readonly FieldError[] =>
  options.flatMap((option): FieldError | readonly FieldError[] => {
    const { key, name, field, values } = option;
    if (name.name === 'c' && values.includes('copy'))
      return {
        field,
        code: 'NEEDS_ENCODER',
        message: `"join": "encode" re-encodes the streams, but "${sentName(option)}": "copy" copies them.`,
      };
    const isFilter = /^filter(?::|$)/.test(key) && !/^filter:[vVa](?::0)?$/.test(key);
    if (!ARRANGING.has(name.name) && !isFilter) return [];
    return {
      field,
      code: 'EXCLUSIVE',
      message: `"${sentName(option)}" and "join": "encode" both arrange the streams: a joined output has one video and one audio stream. "vf" and "af" filter them.`,
    };
  });

/** Options with which a client arranges streams. A joined or cut output cannot have them. */
export const ARRANGING: ReadonlySet<string> = new Set(['map', 'filter_complex', 'map_channel', 'shortest']);

/** What must be equal in all clips whose packets are joined, in the words of a message. */
const TRAITS: readonly ((stream: MediaStream) => string | undefined)[] = [
  ({ codec }) => codec,
  // Profiles of audio are like different codecs. Profiles of video can be joined, such as High and Main of H.264.
  ({ type, profile }) => (type === 'audio' ? profile : undefined),
  ({ width, height }) => (width === undefined || height === undefined ? undefined : `${width}x${height}`),
  ({ sampleAspectRatio = '1:1', type }) =>
    type === 'video' && sampleAspectRatio !== '1:1' ? `pixels of ${sampleAspectRatio}` : undefined,
  ({ pixelFormat }) => pixelFormat,
  ({ rotationDegrees }) => (rotationDegrees ? `turned by ${rotationDegrees}°` : undefined),
  // Players stop where FLAC changes from 16 to 24 bits.
  ({ sampleFormat, type }) =>
    type === 'audio' && sampleFormat !== undefined ? `samples in ${sampleFormat}` : undefined,
  ({ sampleRate }) => (sampleRate === undefined ? undefined : `${sampleRate} Hz`),
  ({ channels, channelLayout }) => channelLayout ?? (channels === undefined ? undefined : `${channels} channels`),
  ({ timeBase }) => (timeBase === undefined ? undefined : `time base ${timeBase}`),
];

/** The maximum number of clips that an error names. */
const MAX_NAMED = 5;

/**
 * Rejects clips whose packets do not fit the first clip. ffmpeg writes only the header of the first clip, so players would show garbage or
 * play other clips at a wrong speed.
 */
export function checkFit(clips: readonly Clip[], errors: FieldError[]): void {
  const [first, ...others] = clips;
  if (first?.media === undefined) return;
  for (const clip of others) {
    if (errors.length >= MAX_NAMED) return;
    const difference =
      clip.media &&
      (differenceOf(first.media.streams, clip.media.streams) ?? headerDifference(first.media, clip.media));
    if (difference === undefined) continue;
    errors.push({
      field: clip.input.source.field,
      code: 'DIFFERENT_INPUTS',
      message: `${nameOf(clip)} cannot follow ${nameOf(first)} without encoding: it has ${difference.second}, but the first has ${difference.first}. "join": "encode" fits them together.`,
    });
  }
}

const nameOf = ({ input }: Clip): string => quoted(input.source.path);

const PLAYED: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle']);

/** The difference between the streams of two files, except covers and data streams such as time codes. undefined: no difference. */
function differenceOf(
  first: readonly MediaStream[],
  second: readonly MediaStream[],
): { readonly first: string; readonly second: string } | undefined {
  const [ours, theirs] = [first, second].map((streams) => streams.filter(isPlayed));
  if (ours === undefined || theirs === undefined) return undefined;
  const orders = [ours, theirs].map((streams) => streams.map(({ type, index }) => `${index} ${type}`).join(', '));
  if (orders[0] !== orders[1]) return { first: listStreams(ours), second: listStreams(theirs) };
  for (const [at, stream] of ours.entries()) {
    const other = theirs[at];
    const differing = TRAITS.filter((trait) => other !== undefined && trait(stream) !== trait(other));
    if (other === undefined || differing.length === 0) continue;
    const describe = (one: MediaStream): string =>
      `${one.type} of ${differing.map((trait) => trait(one) ?? 'another kind').join(', ')}`;
    return { first: describe(stream), second: describe(other) };
  }
  return undefined;
}

/**
 * Codecs whose packets can be decoded without the header of the file: frames repeat the header, `TRAITS` compares what is in it, or (H.264)
 * ffmpeg writes it between the packets. For other codecs, such as Vorbis and HEVC, a decoder finds what it needs only in the header.
 */
const SELF_CONTAINED: ReadonlySet<string> = new Set(
  (
    'h264 av1 vp8 vp9 mpeg1video mpeg2video h261 h263 flv1 mjpeg prores dnxhd dvvideo cfhd jpeg2000 ' +
    'mp1 mp2 mp3 aac aac_latm ac3 eac3 dts truehd mlp opus flac tta ' +
    // Subtitles: text, with or without styles, and images.
    'subrip text mov_text webvtt ass ssa dvb_subtitle dvb_teletext hdmv_pgs_subtitle eia_608'
  ).split(' '),
);

const isSelfContained = (codec: string): boolean => SELF_CONTAINED.has(codec) || codec.startsWith('pcm_');

/** The containers in `REPEATING` repeat the headers of the codecs in `REPEATED` between packets. */
const REPEATED: ReadonlySet<string> = new Set(['hevc', 'vvc', 'mpeg4', 'vc1']);
const REPEATING: ReadonlySet<string> = new Set(['mpegts', 'hevc', 'vvc', 'm4v', 'avi']);

/** The difference between two clips of the same codecs that were encoded with different settings. undefined: the headers are equal. */
function headerDifference(first: ProbedInput, second: ProbedInput): ReturnType<typeof differenceOf> {
  const isRepeating = first.format.names.some((name) => REPEATING.has(name));
  const other = first.streams
    .filter(isPlayed)
    .find(
      ({ index, codec = '' }) =>
        !isSelfContained(codec) &&
        !(isRepeating && REPEATED.has(codec)) &&
        first.headers?.has(index) === true &&
        second.headers?.has(index) === true &&
        first.headers.get(index) !== second.headers.get(index),
    );
  return (
    other && {
      first: `others (${other.codec} in stream ${other.index})`,
      second: 'other settings of its encoder',
    }
  );
}

const isPlayed = (stream: MediaStream): boolean =>
  PLAYED.has(stream.type) && (stream.type !== 'video' || isVideoNotCover(stream));

const listStreams = (streams: readonly MediaStream[]): string =>
  streams.length === 0
    ? 'no streams'
    : `the streams ${streams.map(({ type, index }) => `${index} (${type})`).join(', ')}`;

/** By which fraction frame rates may differ, because recordings of one phone differ that much. */
const RATE_TOLERANCE = 0.02;

/** Warns about clips with different frame rates. Players play them, but the rate of the output varies. */
export function rateWarnings(clips: readonly Clip[]): readonly Warning[] {
  const rated = clips.flatMap(({ video, input }) =>
    video?.rate === undefined ? [] : [{ rate: video.rate, source: input.source }],
  );
  const [first, ...others] = rated;
  const other = others.find(
    ({ rate }) => first !== undefined && Math.abs(rate - first.rate) > first.rate * RATE_TOLERANCE,
  );
  if (first === undefined || other === undefined) return [];
  return [
    {
      field: other.source.field,
      code: 'VARYING_RATE',
      message: `${quoted(other.source.path)} has ${print(other.rate)} frames per second, but ${quoted(first.source.path)} has ${print(first.rate)}. The joined video keeps both rates, which some players and editors cannot handle.`,
      fix: encodeInstead('the video then has one rate'),
    },
  ];
}

const print = (rate: number): string => String(Math.round(rate * 100) / 100);
