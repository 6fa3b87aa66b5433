import { isFilm, type MediaStream } from '../../../domain/media-info.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { ProbedInput } from '../../../domain/probed-input.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { Clip } from './clip.ts';
import { encodeInstead } from './join-checks.ts';

/** What must be the same in all clips whose packets are joined, with the words for a message. */
const TRAITS: readonly ((stream: MediaStream) => string | undefined)[] = [
  ({ codec }) => codec,
  // High and Main of H.264 play together. Profiles of sound are other codecs in fact.
  ({ type, profile }) => (type === 'audio' ? profile : undefined),
  ({ width, height }) => (width === undefined || height === undefined ? undefined : `${width}x${height}`),
  ({ sampleAspectRatio = '1:1', type }) =>
    type === 'video' && sampleAspectRatio !== '1:1' ? `pixels of ${sampleAspectRatio}` : undefined,
  ({ pixelFormat }) => pixelFormat,
  ({ rotationDegrees }) => (rotationDegrees ? `turned by ${rotationDegrees}°` : undefined),
  // Players stop where FLAC goes from 16 to 24 bits.
  ({ sampleFormat, type }) =>
    type === 'audio' && sampleFormat !== undefined ? `samples in ${sampleFormat}` : undefined,
  ({ sampleRate }) => (sampleRate === undefined ? undefined : `${sampleRate} Hz`),
  ({ channels, channelLayout }) => channelLayout ?? (channels === undefined ? undefined : `${channels} channels`),
  ({ timeBase }) => (timeBase === undefined ? undefined : `time base ${timeBase}`),
];

/** The most clips that an error names. */
const MAX_NAMED = 5;

/**
 * Finds clips whose packets do not fit to those of the first: ffmpeg describes all of them by the header of the first, so players
 * would show garbage, or the wrong speed.
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
      message: `${nameOf(clip)} cannot follow ${nameOf(first)} without encoding: it has ${difference.second}, and the first has ${difference.first}.`,
      fix: encodeInstead('it fits them together'),
    });
  }
}

const nameOf = ({ input }: Clip): string => quoted(input.source.path);

const PLAYED: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle']);

/** What differs between the streams of two files. Data, such as time codes, and covers do not matter. */
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
 * Codecs whose packets can be decoded without the header of their encoder, because key frames or all frames repeat what is in it, or
 * because it only says what `TRAITS` compare. Others, such as Vorbis and HEVC, have it in the header of the file alone. H.264 is among
 * them because ffmpeg puts its headers between the packets.
 */
const SELF_CONTAINED: ReadonlySet<string> = new Set(
  (
    'h264 av1 vp8 vp9 mpeg1video mpeg2video h261 h263 flv1 mjpeg prores dnxhd dvvideo cfhd jpeg2000 ' +
    'mp1 mp2 mp3 aac aac_latm ac3 eac3 dts truehd mlp opus flac tta ' +
    // Texts, with styles at most.
    'subrip text mov_text webvtt ass ssa dvb_subtitle dvb_teletext hdmv_pgs_subtitle eia_608'
  ).split(' '),
);

const isSelfContained = (codec: string): boolean => SELF_CONTAINED.has(codec) || codec.startsWith('pcm_');

/** Codecs whose header these containers repeat between packets. */
const REPEATED: ReadonlySet<string> = new Set(['hevc', 'vvc', 'mpeg4', 'vc1']);
const REPEATING: ReadonlySet<string> = new Set(['mpegts', 'hevc', 'vvc', 'm4v', 'avi']);

/** Clips of one codec whose encoders had other settings. */
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
  PLAYED.has(stream.type) && (stream.type !== 'video' || isFilm(stream));

const listStreams = (streams: readonly MediaStream[]): string =>
  streams.length === 0
    ? 'no streams'
    : `the streams ${streams.map(({ type, index }) => `${index} (${type})`).join(', ')}`;

/** The part by which rates may differ: recordings of one phone do. */
const RATE_TOLERANCE = 0.02;

/** Warns about clips of other frame rates. They play, but the rate of the joined film varies. */
export function rateWarnings(clips: readonly Clip[]): readonly Warning[] {
  const rated = clips.flatMap(({ picture, input }) =>
    picture?.rate === undefined ? [] : [{ rate: picture.rate, source: input.source }],
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
      message: `${quoted(other.source.path)} has ${print(other.rate)} frames a second, and ${quoted(first.source.path)} ${print(first.rate)}. The joined film keeps both, which some players and editors do not like.`,
      fix: encodeInstead('the film then has one rate'),
    },
  ];
}

const print = (rate: number): string => String(Math.round(rate * 100) / 100);
