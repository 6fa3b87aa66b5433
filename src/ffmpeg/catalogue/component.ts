/** The kinds of components that `-h KIND=NAME` describes. */
export type ComponentKind = 'encoder' | 'decoder' | 'muxer' | 'demuxer' | 'filter' | 'bsf';

/** Types of AVOptions, named as in ffmpeg's help. A type that only a newer build has is treated as `string`. */
export type AvType =
  | 'boolean'
  | 'int'
  | 'int64'
  | 'uint'
  | 'uint64'
  | 'float'
  | 'double'
  | 'rational'
  | 'flags'
  | 'duration'
  | 'image_size'
  | 'video_rate'
  | 'color'
  | 'pix_fmt'
  | 'sample_fmt'
  | 'channel_layout'
  | 'string'
  | 'binary'
  | 'dictionary';

/** A named value of an option: a choice, or a flag. */
export interface AvConstant {
  readonly name: string;
  /** The numeric value. ffmpeg's help omits it for flags and for some other constants. */
  readonly value?: number;
  readonly help: string;
}

/** One AVOption of a component or of a generic class, as the help describes it. */
export interface AvOption {
  readonly name: string;
  readonly type: AvType;
  /** Whether it accepts a list of values (since ffmpeg 7). */
  readonly list: boolean;
  readonly encoding: boolean;
  readonly decoding: boolean;
  /**
   * The kinds of streams, one letter each: `V` for video, `A` for audio, `S` for subtitles. Empty for options of
   * containers.
   */
  readonly media: string;
  /** Whether it may change while a filter runs. */
  readonly runtime: boolean;
  readonly deprecated: boolean;
  /** Whether ffmpeg only exports the value, so that it cannot be set. */
  readonly readOnly: boolean;
  readonly help: string;
  /**
   * The bounds as numbers. Names such as `INT_MIN` and `FLT_MAX` are resolved, and infinite bounds are absent. The help
   * rounds to six digits, so a bound that may have been rounded is widened by the possible rounding error.
   */
  readonly min?: number;
  readonly max?: number;
  /** The default as printed in the help, without quotes. */
  readonly fallback?: string;
  readonly constants: readonly AvConstant[];
}

/** Identifies a component. */
export interface ComponentName {
  readonly kind: ComponentKind;
  readonly name: string;
}

/** A pad of a filter. */
export interface Pad {
  readonly name: string;
  readonly media: 'video' | 'audio';
}

/** The input pads or the output pads of a filter. `dynamic` means that their number depends on options. */
export type Pads = readonly Pad[] | 'dynamic';

/** One component with its own options, from `-h KIND=NAME`. Fields that its kind does not have are absent. */
export interface Component extends ComponentName {
  /** Empty for bitstream filters, because ffmpeg prints no description of them. */
  readonly description: string;
  readonly options: readonly AvOption[];
  /**
   * Pixel formats of an encoder or decoder. Absent if it supports any format or does not report them; the same applies
   * to the next four fields.
   */
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  /** Frame rates as ratios: `30000/1001`. */
  readonly frameRates?: readonly string[];
  /** File name extensions of a muxer or demuxer, without dots. */
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** The codecs that ffmpeg uses for a muxer if the request does not name any. */
  readonly defaultCodecs?: { readonly video?: string; readonly audio?: string; readonly subtitle?: string };
  /** The codecs that a bitstream filter supports. Absent if it supports every codec. */
  readonly codecs?: readonly string[];
  /** The input pads of a filter. */
  readonly inputs?: Pads;
  readonly outputs?: Pads;
  /** Whether a filter accepts `enable`. */
  readonly timeline?: boolean;
  /** The options of a filter that positional values set, in order. */
  readonly positions?: readonly string[];
}

/** An option class that every codec or every container accepts, or that of the scaler or the resampler. */
export type GenericClass = 'codec' | 'format' | 'scaler' | 'resampler';
