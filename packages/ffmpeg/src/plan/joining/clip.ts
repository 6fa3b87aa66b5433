import { isVideoNotCover, type MediaStream } from '@telecine/contract/domain/media-info.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { isLengthEstimated } from '../../allowlist/containers.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { BT709_HEIGHT, type HdrTransfer, hasColours, isHdrTransfer } from '../../filtergraph/video-colours.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, readTrim } from '../request/argv-option.ts';
import { fileKind, isImageExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** An input to join with others, or to cut. */
export interface Clip {
  readonly input: ArgvInput;
  /** What ffprobe found. undefined: the input has a `source`, or was not probed. */
  readonly media: ProbedInput | undefined;
  readonly video?: ClipVideo;
  readonly audio?: ClipAudio;
  /** The length in seconds that remains after `ss`, `t`, `to` and `duration`. undefined: unknown. */
  readonly seconds?: number;
  /** Present if the clip begins with a frame that began before its `ss`; see `heldInput`. */
  readonly holdsStart?: true;
}

/** What planning a join or a cut needs. Errors are added to `errors`. */
export interface JoinContext {
  readonly options: readonly ArgvOption[];
  readonly errors: FieldError[];
  readonly muxer: string;
  readonly audioOnly: boolean;
  readonly catalogue: Catalogue;
  /** What ffprobe found in an input. undefined: it was not probed. */
  readonly mediaOf: (input: ArgvInput) => ProbedInput | undefined;
  /** The maximum memory of ffmpeg in bytes. undefined: no limit. */
  readonly memory?: number | undefined;
  readonly indexOf: (input: ArgvInput) => number;
}

/** The video or image of a clip, as players show it. */
export interface ClipVideo {
  /** The stream specifier in the label of this stream: `2`, `v:0`. */
  readonly stream: string;
  /** In pixels, after rotation. */
  readonly width: number;
  readonly height: number;
  /** The width of a pixel divided by its height. */
  readonly pixelAspect: number;
  /** Frames per second. Absent for an image. */
  readonly rate?: number;
  readonly pixelFormat?: string;
  /** How pixel values become colours, by the file or by the guess that players make. Absent for images, generated videos and RGB. */
  readonly colours?: ClipColours;
  /** The transfer function of HDR. Absent if the video is not HDR. */
  readonly hdrTransfer?: HdrTransfer;
  /** Present if pixel values use the full range, as in JPEG. */
  readonly isFullRange?: true;
  /** Present if each frame has two fields of different times. */
  readonly isInterlaced?: true;
  /** True if the service may choose the size and the rate: a filtergraph generates the video and sets neither. */
  readonly isFlexible: boolean;
}

interface ClipColours {
  readonly matrix: string;
  /** True if the matrix is a guess, because the file names none. */
  readonly isGuessed: boolean;
  readonly primaries?: string;
  readonly transfer?: string;
}

export interface ClipAudio {
  readonly stream: string;
  /** Samples per second. Absent: any rate fits, because a filtergraph generates the audio. */
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly layout?: string;
  /** Where the audio ends, in seconds of the clip. Absent if the container does not say it exactly. */
  readonly end?: number;
}

/**
 * Reads what is known about an input. Its streams are assumed from the extension if it was not probed.
 *
 * @param from The start of an input without `ss`, in seconds.
 */
export function readClip(input: ArgvInput, media: ProbedInput | undefined, from = 0): Clip {
  const seconds = secondsOfClip(input, media);
  const content = input.made === undefined ? (media === undefined ? assumed(input) : found(media)) : made(input);
  const { start = from } = readTrim(input.options);
  const holdsStart = media?.heldStarts?.includes(start) === true && content.video !== undefined && seconds !== 0;
  const end = soundEnd(input, media);
  return {
    ...{ input, media, ...content },
    ...(seconds !== undefined && { seconds }),
    ...(content.audio !== undefined && end !== undefined && { audio: { ...content.audio, end } }),
    ...(holdsStart && { holdsStart }),
  };
}

/** The edit list of an MP4 says where its audio ends. ffmpeg also decodes what the encoder added, up to 21 ms. */
function soundEnd({ options }: ArgvInput, media: ProbedInput | undefined): number | undefined {
  const audio = media?.streams.find(({ type }) => type === 'audio');
  if (audio?.durationSeconds === undefined || media?.format.names.includes('mov') !== true) return undefined;
  const late = (audio.startSeconds ?? 0) - (media.format.startSeconds ?? 0);
  const end = late + audio.durationSeconds - (readTrim(options).start ?? 0);
  return end > 0 && !hasOtherLength(options) ? end : undefined;
}

/** How many seconds of an input reach the output. undefined: unknown. */
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

/** Options with which ffmpeg reads a part of a file, repeats it, or changes its speed. */
const LENGTHS: ReadonlySet<string> = new Set(['loop', 'stream_loop', 'ignore_loop', 'sseof', 'itsscale', 'r']);

const hasOtherLength = (options: ArgvInput['options']): boolean => options.some(({ key }) => LENGTHS.has(key));

/** The error for a crossfade of a clip whose length is unknown. undefined: it is known, or a probe may still show it. */
export function unknownLength(
  { input: { source, options }, media, seconds }: Pick<Clip, 'input' | 'media' | 'seconds'>,
  field = source.field,
): FieldError | undefined {
  const isOther = hasOtherLength(options);
  if (seconds !== undefined || (!isOther && (media === undefined || isEstimate(media)))) return undefined;
  return {
    field,
    code: 'UNKNOWN_LENGTH',
    message: `The length of ${quoted(source.path)} is unknown, but a crossfade needs it: ${isOther ? '"t" in the parameters of the input sets it' : 'a copy of the file ("c": "copy") has one'}.`,
  };
}

type Content = Pick<Clip, 'video' | 'audio'>;

function found({ streams }: ProbedInput): Content {
  const videoStream = streams.find(isVideoNotCover);
  const audioStream = streams.find(({ type }) => type === 'audio');
  const video = videoStream && readVideo(videoStream);
  return { ...(video && { video }), ...(audioStream && { audio: readAudio(audioStream) }) };
}

function readVideo(stream: MediaStream): ClipVideo | undefined {
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
 * The colours of a video stream.
 *
 * @param height The height of the stored frame, before rotation.
 */
function readColours({ codec, colorPrimaries, colorTransfer, ...stream }: MediaStream, height: number): ClipColours {
  // VP8 has no other colours, which its decoder notes.
  const { colorSpace = codec === 'vp8' ? 'bt470bg' : undefined } = stream;
  return {
    matrix: colorSpace ?? (height >= BT709_HEIGHT ? 'bt709' : 'smpte170m'),
    // The frames of ProRes name a matrix that ffprobe 7.1 does not show.
    isGuessed: colorSpace === undefined && codec !== 'prores',
    ...(colorPrimaries !== undefined && { primaries: colorPrimaries }),
    ...(colorTransfer !== undefined && { transfer: colorTransfer }),
  };
}

/** Codecs of images, for which ffprobe reports 25 frames per second. */
const STILL_CODECS: ReadonlySet<string> = new Set(
  'png bmp tiff ppm pgm pbm pam webp jpegxl exr dpx targa psd'.split(' '),
);

/** Reads an aspect ratio: `4:3` is 1.333. Without a valid ratio, pixels are square. */
function readAspect(text = '1:1'): number {
  const [width = 1, height = 1] = text.split(':').map(Number);
  return width > 0 && height > 0 ? width / height : 1;
}

const readAudio = ({ index, sampleRate, channels, channelLayout }: MediaStream): ClipAudio => ({
  stream: `${index}`,
  ...(sampleRate !== undefined && { sampleRate }),
  ...(channels !== undefined && { channels }),
  ...(channelLayout !== undefined && { layout: channelLayout }),
});

const ASSUMED_VIDEO: ClipVideo = {
  stream: 'v:0',
  width: 1920,
  height: 1080,
  pixelAspect: 1,
  rate: 25,
  isFlexible: false,
};
const ASSUMED_AUDIO: ClipAudio = { stream: 'a:0', sampleRate: 48_000, channels: 2, layout: 'stereo' };

/** The streams that a file probably has if it was not probed. */
function assumed({ source }: ArgvInput): Content {
  const name = extension(source.path);
  if (fileKind(name) === 'audio') return { audio: ASSUMED_AUDIO };
  if (!isImageExtension(name)) return { video: ASSUMED_VIDEO, audio: ASSUMED_AUDIO };
  const { rate: _, ...still } = ASSUMED_VIDEO;
  return { video: still };
}

/** The streams that a `source` generates. Its video gets the size and the rate of the other clips, unless it sets them. */
function made({ made: source }: ArgvInput): Content {
  if (source?.kind === 'audio') return { audio: { stream: '0' } };
  return { video: { stream: '0', width: 320, height: 240, pixelAspect: 1, isFlexible: true } };
}
