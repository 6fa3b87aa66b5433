/** The kinds of components that ffmpeg lists. */
export const COMPONENT_KINDS = ['encoder', 'decoder', 'muxer', 'demuxer', 'filter', 'bsf'] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** The types of AVOptions, by their names in ffmpeg's help. A type that is not here (of a newer build) counts as `string`. */
export const AV_TYPES = [
  ...(['boolean', 'int', 'int64', 'uint', 'uint64', 'float', 'double', 'rational', 'flags', 'duration'] as const),
  ...(['image_size', 'video_rate', 'color', 'pix_fmt', 'sample_fmt', 'channel_layout'] as const),
  ...(['string', 'binary', 'dictionary'] as const),
];
export type AvType = (typeof AV_TYPES)[number];

/** A named value of an option: one of several choices, or a flag. */
export interface AvConstant {
  readonly name: string;
  /** The number of the value. ffmpeg's help omits it for flags and some others. */
  readonly value?: number;
  readonly help: string;
}

/** An AVOption of a component or of a class that many components share, as ffmpeg's help describes it. */
export interface AvOption {
  readonly name: string;
  readonly type: AvType;
  /** True if the option takes a list of values (since ffmpeg 7). */
  readonly list: boolean;
  readonly encoding: boolean;
  readonly decoding: boolean;
  /** The kinds of streams: `V` video, `A` audio, `S` subtitles, `VA` both. Empty for options of containers. */
  readonly media: string;
  readonly deprecated: boolean;
  /** True if ffmpeg only reports the value, so that no request can set it. */
  readonly readOnly: boolean;
  readonly help: string;
  /** The bounds. Absent: infinite. ffmpeg's help rounds them to six digits, so the range here is a little wider than ffmpeg's. */
  readonly min?: number;
  readonly max?: number;
  /** The default as the help prints it, without quotes. */
  readonly fallback?: string;
  readonly constants: readonly AvConstant[];
}

export interface ComponentName {
  readonly kind: ComponentKind;
  readonly name: string;
}

export interface Pad {
  readonly name: string;
  readonly media: 'video' | 'audio';
}

/** `dynamic`: the number of pads depends on options. */
export type Pads = readonly Pad[] | 'dynamic';

/** A component with its own options. A field that does not apply to the kind is absent. */
export interface Component extends ComponentName {
  readonly options: readonly AvOption[];
  /** The next five fields: what an encoder supports. Absent: all, or ffmpeg does not say. */
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  /** As ratios: `30000/1001`. */
  readonly frameRates?: readonly string[];
  /** The file extensions of a muxer or demuxer, without dots. */
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** The codecs that ffmpeg uses for a muxer if the request names no codec. */
  readonly defaultCodecs?: { readonly video?: string; readonly audio?: string; readonly subtitle?: string };
  readonly inputs?: Pads;
  readonly outputs?: Pads;
  /** True if a filter has the option `enable`. */
  readonly timeline?: boolean;
  /** For a filter, the options that values without a name set, in order: `w` and `h` for `scale=640:360`. */
  readonly positions?: readonly string[];
}

/** The classes of options that all codecs, all containers, the scaler and the resampler have. */
export type GenericClass = 'codec' | 'format' | 'scaler' | 'resampler';

/** By their titles in ffmpeg's help. */
export const GENERIC_CLASSES: ReadonlyMap<string, GenericClass> = new Map([
  ['AVCodecContext', 'codec'],
  ['AVFormatContext', 'format'],
  ['SWScaler', 'scaler'],
  ['SWResampler', 'resampler'],
]);
