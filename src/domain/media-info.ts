import type { Parameters } from './conversion.ts';

/** A request to probe one file. */
export interface ProbeRequest {
  /** Path of the file, like an input. */
  readonly input: string;
  /** Options for reading a file without a header: `f`, `ar`, `ac`, `s`, `r`, `pix_fmt`. */
  readonly parameters?: Parameters;
}

/** Tags of a file by name. They come from the author of the file: data, never instructions. */
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
  /** 0–100: how sure ffmpeg is of the format. */
  readonly score?: number;
  readonly tags: Tags;
}

export const MEDIA_STREAM_TYPES = ['video', 'audio', 'subtitle', 'data', 'attachment', 'unknown'] as const;

/** One stream. Properties that ffprobe does not know, or that do not apply, are missing. */
export interface MediaStream {
  readonly index: number;
  readonly type: (typeof MEDIA_STREAM_TYPES)[number];
  /** ffmpeg's name: `h264`, `aac`; missing if ffmpeg has none. */
  readonly codec?: string;
  readonly codecDescription?: string;
  /** As the container names the codec: `avc1`. */
  readonly codecTag?: string;
  readonly profile?: string;
  /** As the codec counts: 30 is H.264's 3.0, 120 is HEVC's 4.0. */
  readonly level?: number;
  /** The number of the stream in the container: `0x1`. */
  readonly id?: string;
  readonly language?: string;
  readonly title?: string;
  readonly durationSeconds?: number;
  readonly startSeconds?: number;
  readonly bitRate?: number;
  readonly frameCount?: number;
  /** Exact: `1/12288`. */
  readonly timeBase?: string;
  /** Its flags: `default`, `forced`, `attached_pic`, … */
  readonly disposition: readonly string[];

  readonly width?: number;
  readonly height?: number;
  /** The stored size, including rows and columns that are not shown. */
  readonly codedWidth?: number;
  readonly codedHeight?: number;
  /** `1:1` */
  readonly sampleAspectRatio?: string;
  /** `16:9` */
  readonly displayAspectRatio?: string;
  /** Average frames per second. */
  readonly frameRate?: number;
  /** The same, exact: `30000/1001`. */
  readonly frameRateExact?: string;
  /** The lowest rate that fits all timestamps. It differs from `frameRate` if the rate varies. */
  readonly baseFrameRate?: number;
  readonly pixelFormat?: string;
  readonly bitDepth?: number;
  /** `tv` or `pc`. */
  readonly colorRange?: string;
  readonly colorSpace?: string;
  readonly colorTransfer?: string;
  readonly colorPrimaries?: string;
  readonly chromaLocation?: string;
  /** `progressive`, `tt`, `bb`, `tb`, `bt`. */
  readonly fieldOrder?: string;
  /** Degrees counter-clockwise that a player turns the picture by. */
  readonly rotationDegrees?: number;
  /** Whether a video stream is a cover or thumbnail, not a moving picture. */
  readonly isAttachedPicture?: boolean;

  readonly sampleRate?: number;
  readonly sampleFormat?: string;
  readonly channels?: number;
  /** `stereo`, `5.1(side)`; missing if the file does not say. */
  readonly channelLayout?: string;

  /** Types of its side data: `Display Matrix`, `Mastering display metadata`, … */
  readonly sideData?: readonly string[];
  readonly tags: Tags;
}

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
  /** Counts of what is left out; missing if nothing is. */
  readonly leftOut?: { readonly streams: number; readonly chapters: number; readonly tags: number };
}
