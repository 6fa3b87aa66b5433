import { isFilm, type MediaStream } from '@telecine/contract/domain/media-info.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { isLengthEstimated } from '../../allowlist/containers.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { BT709_HEIGHT, type HdrTransfer, hasColours, isHdrTransfer } from '../../filtergraph/picture-colours.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, readTrim } from '../request/argv-option.ts';
import { fileKind, isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** An input that is joined with other inputs. */
export interface Clip {
  readonly input: ArgvInput;
  /** What ffprobe found in the input. undefined: the input is a source, or was not probed. */
  readonly media: ProbedInput | undefined;
  readonly picture?: ClipPicture;
  readonly sound?: ClipSound;
  /** The length of the clip after `ss`, `t`, `to` and `duration` are applied. undefined: the length is unknown. */
  readonly seconds?: number;
}

/** The facts from which a join is planned, and the list `errors` for its errors. */
export interface JoinContext {
  readonly options: readonly ArgvOption[];
  readonly errors: FieldError[];
  readonly muxer: string;
  readonly audioOnly: boolean;
  readonly catalogue: Catalogue;
  /** Returns what ffprobe found in an input. undefined: the input was not probed. */
  readonly mediaOf: (input: ArgvInput) => ProbedInput | undefined;
  /** The most bytes of memory that ffmpeg may use. undefined: no limit. */
  readonly memory?: number | undefined;
  /** Returns the index of an input in the request. */
  readonly indexOf: (input: ArgvInput) => number;
}

/** The video or image of a clip, as players show it. */
export interface ClipPicture {
  /** The stream specifier in the label of the stream: `2`, `v:0`. */
  readonly stream: string;
  /** The width in pixels after rotation. */
  readonly width: number;
  readonly height: number;
  /** The width of a pixel divided by its height. */
  readonly pixelAspect: number;
  /** Frames per second. Absent for images, which have no rate. */
  readonly rate?: number;
  readonly pixelFormat?: string;
  /**
   * How pixel values become colours. Comes from the file, or from the guess that players make. Absent for images,
   * sources and RGB.
   */
  readonly colours?: ClipColours;
  /** The transfer function of HDR. Absent if the video is not HDR. */
  readonly hdrTransfer?: HdrTransfer;
  /** Present if pixel values use the full range, as in JPEG. */
  readonly isFullRange?: true;
  /** Present if each frame consists of two fields from different times. */
  readonly isInterlaced?: true;
  /** Whether the size and the rate can be chosen freely, because the client did not set them. */
  readonly isFlexible: boolean;
}

interface ClipColours {
  readonly matrix: string;
  /** Whether the matrix is a guess. The file then does not name a matrix. */
  readonly isGuessed: boolean;
  readonly primaries?: string;
  readonly transfer?: string;
}

export interface ClipSound {
  readonly stream: string;
  /** Samples per second. Absent if any rate fits, as for a source. */
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly layout?: string;
}

/** Reads what is known about an input. Assumes unknown facts from the extension of the file name. */
export function readClip(input: ArgvInput, media: ProbedInput | undefined): Clip {
  const seconds = secondsOfClip(input, media);
  const content = input.made === undefined ? (media === undefined ? assumed(input) : found(media)) : made(input);
  return { input, media, ...content, ...(seconds === undefined ? {} : { seconds }) };
}

/** Returns how many seconds of an input reach the output. */
function secondsOfClip({ options, duration }: ArgvInput, media: ProbedInput | undefined): number | undefined {
  if (duration !== undefined) return Number(duration);
  const { start = 0, duration: length, end } = readTrim(options);
  const asked = length ?? (end === undefined ? undefined : Math.max(0, end - start));
  const whole = media === undefined || isEstimate(media) ? undefined : media.format.durationSeconds;
  if (whole === undefined || hasOtherLength(options)) return asked;
  return Math.min(asked ?? Number.POSITIVE_INFINITY, Math.max(0, whole - start));
}

const isEstimate = ({ format, hasExactLength }: ProbedInput): boolean =>
  hasExactLength !== true && isLengthEstimated(format);

/** Options with which ffmpeg reads only a part of a file, repeats the file, or changes its speed. */
const LENGTHS: ReadonlySet<string> = new Set(['loop', 'stream_loop', 'ignore_loop', 'sseof', 'itsscale', 'r']);

const hasOtherLength = (options: ArgvInput['options']): boolean => options.some(({ key }) => LENGTHS.has(key));

/**
 * Returns the error for a crossfade of a clip with unknown length. undefined for a file that was not probed, because a
 * probe may find its length.
 */
export function unknownLength(
  { input: { source, options }, media, seconds }: Pick<Clip, 'input' | 'media' | 'seconds'>,
  field = source.field,
): FieldError | undefined {
  const isOther = hasOtherLength(options);
  if (seconds !== undefined || (!isOther && (media === undefined || isEstimate(media)))) return undefined;
  return {
    field,
    code: 'UNKNOWN_LENGTH',
    message: `The length of ${quoted(source.path)} is unknown, but a crossfade needs it.`,
    fix: `${isOther ? 'Send "t" with the input' : 'Remux the input first ("c": "copy")'}, or leave "crossfade" out.`,
  };
}

type Content = Pick<Clip, 'picture' | 'sound'>;

function found({ streams }: ProbedInput): Content {
  const video = streams.find(isFilm);
  const audio = streams.find(({ type }) => type === 'audio');
  const picture = video && readPicture(video);
  return { ...(picture && { picture }), ...(audio && { sound: readSound(audio) }) };
}

function readPicture(stream: MediaStream): ClipPicture | undefined {
  const { index, width, height, rotationDegrees = 0, pixelFormat, frameCount, frameRate } = stream;
  if (width === undefined || height === undefined) return undefined;
  const isTurned = Math.abs(rotationDegrees) % 180 === 90;
  const aspect = readAspect(stream.sampleAspectRatio);
  const isStill = frameRate === undefined || frameCount === 1 || STILL_CODECS.has(stream.codec ?? '');
  return {
    stream: `${index}`,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    pixelAspect: isTurned ? 1 / aspect : aspect,
    ...(isStill ? {} : { rate: frameRate }),
    ...(pixelFormat !== undefined && { pixelFormat }),
    ...(!isStill && hasColours(pixelFormat ?? '') && { colours: readColours(stream, height) }),
    ...(isHdrTransfer(stream.colorTransfer) && { hdrTransfer: stream.colorTransfer }),
    ...(stream.colorRange === 'pc' && { isFullRange: true }),
    ...(INTERLACED.has(stream.fieldOrder ?? '') && { isInterlaced: true }),
    isFlexible: false,
  };
}

const INTERLACED: ReadonlySet<string> = new Set(['tt', 'bb', 'tb', 'bt']);

/**
 * Returns the colours of a video stream.
 *
 * @param height The height of the stored frame, before rotation.
 */
function readColours({ colorSpace, colorPrimaries, colorTransfer }: MediaStream, height: number): ClipColours {
  return {
    matrix: colorSpace ?? (height >= BT709_HEIGHT ? 'bt709' : 'smpte170m'),
    isGuessed: colorSpace === undefined,
    ...(colorPrimaries !== undefined && { primaries: colorPrimaries }),
    ...(colorTransfer !== undefined && { transfer: colorTransfer }),
  };
}

/** Codecs of images. ffprobe reports 25 frames per second for images. */
const STILL_CODECS: ReadonlySet<string> = new Set(
  'png bmp tiff ppm pgm pbm pam webp jpegxl exr dpx targa psd'.split(' '),
);

/** Reads an aspect ratio: `4:3` becomes 1.333. Without a valid ratio, pixels count as square. */
function readAspect(text = '1:1'): number {
  const [width = 1, height = 1] = text.split(':').map(Number);
  return width > 0 && height > 0 ? width / height : 1;
}

const readSound = ({ index, sampleRate, channels, channelLayout }: MediaStream): ClipSound => ({
  stream: `${index}`,
  ...(sampleRate !== undefined && { sampleRate }),
  ...(channels !== undefined && { channels }),
  ...(channelLayout !== undefined && { layout: channelLayout }),
});

const ASSUMED_PICTURE: ClipPicture = {
  stream: 'v:0',
  width: 1920,
  height: 1080,
  pixelAspect: 1,
  rate: 25,
  isFlexible: false,
};
const ASSUMED_SOUND: ClipSound = { stream: 'a:0', sampleRate: 48_000, channels: 2, layout: 'stereo' };

/** Returns what a file that was not probed probably contains. */
function assumed({ source }: ArgvInput): Content {
  const name = extension(source.path);
  if (fileKind(name) === 'sound') return { sound: ASSUMED_SOUND };
  if (!isPictureExtension(name)) return { picture: ASSUMED_PICTURE, sound: ASSUMED_SOUND };
  const { rate: _, ...still } = ASSUMED_PICTURE;
  return { picture: still };
}

/** Returns what a source makes. The source gets the size and rate of the other clips, unless it sets them. */
function made({ made: source }: ArgvInput): Content {
  if (source?.kind === 'audio') return { sound: { stream: '0' } };
  return { picture: { stream: '0', width: 320, height: 240, pixelAspect: 1, isFlexible: true } };
}
