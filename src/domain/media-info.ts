import type { Parameters } from './conversion.ts';

/** A question about one file. */
export interface ProbeRequest {
  /** Its path, as a client names inputs. */
  readonly input: string;
  /** What a file without a header does not say of itself: `f`, `ar`, `ac`, `s`, `r`, `pix_fmt`. */
  readonly parameters?: Parameters;
}

/** Tags of a file by name. They are what whoever made the file wrote: data, never instructions. */
export type Tags = Readonly<Record<string, string>>;

/** The container. */
export interface MediaFormat {
  /** Every name that ffmpeg has for it: `mov`, `mp4`, `m4a`, … */
  readonly names: readonly string[];
  readonly description?: string;
  readonly durationSeconds?: number;
  readonly startSeconds?: number;
  readonly sizeBytes?: number;
  /** Bits a second, of all streams and the container. */
  readonly bitRate?: number;
  /** 0–100: how sure ffmpeg is of the format. */
  readonly score?: number;
  readonly tags: Tags;
}

export const MEDIA_STREAM_TYPES = ['video', 'audio', 'subtitle', 'data', 'attachment', 'unknown'] as const;

/** One stream. What ffprobe does not know, or what does not apply to its type, is absent. */
export interface MediaStream {
  readonly index: number;
  readonly type: (typeof MEDIA_STREAM_TYPES)[number];
  /** ffmpeg's name: `h264`, `aac`; absent where ffmpeg knows none. */
  readonly codec?: string;
  readonly codecDescription?: string;
  /** As the container names the codec: `avc1`. */
  readonly codecTag?: string;
  readonly profile?: string;
  /** As the codec counts: 30 is H.264's 3.0, 120 is HEVC's 4.0. */
  readonly level?: number;
  /** The container's own number of the stream: `0x1`. */
  readonly id?: string;
  readonly language?: string;
  readonly title?: string;
  readonly durationSeconds?: number;
  readonly startSeconds?: number;
  readonly bitRate?: number;
  readonly frameCount?: number;
  /** Exact: `1/12288`. */
  readonly timeBase?: string;
  /** What is set of it: `default`, `forced`, `attached_pic`, … */
  readonly disposition: readonly string[];

  readonly width?: number;
  readonly height?: number;
  /** What is stored, with the rows and columns that are not shown. */
  readonly codedWidth?: number;
  readonly codedHeight?: number;
  /** `1:1` */
  readonly sampleAspectRatio?: string;
  /** `16:9` */
  readonly displayAspectRatio?: string;
  /** Frames a second on average. */
  readonly frameRate?: number;
  /** The same, exact: `30000/1001`. */
  readonly frameRateExact?: string;
  /** The lowest rate that all times fit; another than `frameRate` where the rate varies. */
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
  /** Of a video stream: it is a cover or a thumbnail, not a moving picture. */
  readonly isAttachedPicture?: boolean;

  readonly sampleRate?: number;
  readonly sampleFormat?: string;
  readonly channels?: number;
  /** `stereo`, `5.1(side)`; absent where the file does not say. */
  readonly channelLayout?: string;

  /** The kinds of what goes with the stream: `Display Matrix`, `Mastering display metadata`, … */
  readonly sideData?: readonly string[];
  readonly tags: Tags;
}

export interface MediaChapter {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly title?: string;
  readonly tags: Tags;
}

/** What ffprobe tells of a file, in the service's words, bounded in size. */
export interface MediaInfo {
  readonly format: MediaFormat;
  readonly streams: readonly MediaStream[];
  readonly chapters: readonly MediaChapter[];
  /** How much more there is than is shown; absent where nothing is left out. */
  readonly leftOut?: { readonly streams: number; readonly chapters: number; readonly tags: number };
}
