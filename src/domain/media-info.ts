import type { Parameters } from './conversion.ts';

/** A request to probe one file. */
export interface ProbeRequest {
  /** The path of the file, as in `input` of a conversion. */
  readonly input: string;
  /** Options for reading a file without a header: `f`, `ar`, `ac`, `s`, `r`, `pix_fmt`. */
  readonly parameters?: Parameters;
}

/** The tags of a file by name. They are data from the author of the file, never instructions. */
export type Tags = Readonly<Record<string, string>>;

/** The container. */
export interface MediaFormat {
  /** Every name that ffmpeg uses for it: `mov`, `mp4`, `m4a`, … */
  readonly names: readonly string[];
  readonly description?: string;
  readonly durationSeconds?: number;
  readonly startSeconds?: number;
  readonly sizeBytes?: number;
  /** Bits per second of all streams and the container. */
  readonly bitRate?: number;
  /** Whether the file ends after its header, without any picture or sound. Absent if not. */
  readonly isEmpty?: true;
  /** How certain ffprobe is of the format, from 0 to 100. */
  readonly score?: number;
  readonly tags: Tags;
}

export const MEDIA_STREAM_TYPES = ['video', 'audio', 'subtitle', 'data', 'attachment', 'unknown'] as const;

/** One stream. Properties that ffprobe does not report, or that do not apply, are absent. */
export interface MediaStream {
  readonly index: number;
  readonly type: (typeof MEDIA_STREAM_TYPES)[number];
  /** The name of the codec in ffmpeg: `h264`, `aac`. Absent if ffmpeg has no name for it. */
  readonly codec?: string;
  readonly codecDescription?: string;
  /** The name of the codec in the container: `avc1`. */
  readonly codecTag?: string;
  readonly profile?: string;
  /** The level in the units of the codec: 30 is 3.0 in H.264, 120 is 4.0 in HEVC. */
  readonly level?: number;
  /** The id of the stream in the container: `0x1`. */
  readonly id?: string;
  readonly language?: string;
  readonly title?: string;
  readonly durationSeconds?: number;
  readonly startSeconds?: number;
  readonly bitRate?: number;
  readonly frameCount?: number;
  /** The unit of the timestamps, as a fraction of a second: `1/12288`. */
  readonly timeBase?: string;
  /** The disposition flags that are set: `default`, `forced`, `attached_pic`, … */
  readonly disposition: readonly string[];

  readonly width?: number;
  readonly height?: number;
  /** The stored size, including rows and columns that are not shown. */
  readonly codedWidth?: number;
  readonly codedHeight?: number;
  /** The aspect ratio of one pixel: `1:1`. */
  readonly sampleAspectRatio?: string;
  /** The aspect ratio of the displayed picture: `16:9`. */
  readonly displayAspectRatio?: string;
  /** Average frames per second. */
  readonly frameRate?: number;
  /** `frameRate` as a fraction: `30000/1001`. */
  readonly frameRateExact?: string;
  /** The lowest rate that fits all timestamps. It differs from `frameRate` if the rate varies. */
  readonly baseFrameRate?: number;
  readonly pixelFormat?: string;
  readonly bitDepth?: number;
  /** `tv` (limited) or `pc` (full). */
  readonly colorRange?: string;
  readonly colorSpace?: string;
  readonly colorTransfer?: string;
  readonly colorPrimaries?: string;
  readonly chromaLocation?: string;
  /** `progressive`, or the order of the fields: `tt`, `bb`, `tb`, `bt`. */
  readonly fieldOrder?: string;
  /** How far a player rotates the picture, in degrees counter-clockwise. */
  readonly rotationDegrees?: number;
  /** Whether a video stream is a cover or thumbnail, not a moving picture. */
  readonly isAttachedPicture?: boolean;

  readonly sampleRate?: number;
  readonly sampleFormat?: string;
  readonly channels?: number;
  /** For example `stereo` or `5.1(side)`. Absent if the file does not specify it. */
  readonly channelLayout?: string;

  /** The kinds of side data: `Display Matrix`, `Mastering display metadata`, … */
  readonly sideData?: readonly string[];
  readonly tags: Tags;
}

/** Whether a stream is a moving picture: not the cover of a song. */
export const isFilm = ({ type, isAttachedPicture }: MediaStream): boolean =>
  type === 'video' && isAttachedPicture !== true;

export interface MediaChapter {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly title?: string;
  readonly tags: Tags;
}

/** What ffprobe reports about a file, bounded in size. */
export interface MediaInfo {
  readonly format: MediaFormat;
  readonly streams: readonly MediaStream[];
  readonly chapters: readonly MediaChapter[];
  /** The numbers of streams, chapters and tags that are omitted. Absent if none are. */
  readonly leftOut?: { readonly streams: number; readonly chapters: number; readonly tags: number };
}
