/** The kinds of components that `-h KIND=NAME` describes. */
export type ComponentKind = 'encoder' | 'decoder' | 'muxer' | 'demuxer' | 'filter' | 'bsf';

/** Types of AVOptions as named in ffmpeg's help. Unknown types of newer builds count as text. */
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
  /** Its number; the help omits it for flags and some others. */
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
  /** Letters V(ideo), A(udio), S(ubtitle); empty for options of containers. */
  readonly media: string;
  /** Whether it may change while a filter runs. */
  readonly runtime: boolean;
  readonly deprecated: boolean;
  /** Whether it is only exported and cannot be set. */
  readonly readOnly: boolean;
  readonly help: string;
  /**
   * Bounds as numbers. Names such as `INT_MIN` and `FLT_MAX` are resolved; infinite bounds are absent. The help rounds
   * to six digits, so a bound that may have been rounded is widened by the possible rounding error.
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

/** The pads of one side of a filter; `dynamic`: their number depends on options. */
export type Pads = readonly Pad[] | 'dynamic';

/** One component with its own options, from `-h KIND=NAME`. Fields that its kind does not have are absent. */
export interface Component extends ComponentName {
  /** Empty for bitstream filters: ffmpeg prints none. */
  readonly description: string;
  readonly options: readonly AvOption[];
  /** Encoders and decoders; absent: any, or unknown. */
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  /** Ratios: `30000/1001`. */
  readonly frameRates?: readonly string[];
  /** Muxers and demuxers. */
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** Muxers: the codecs used if the request names none. */
  readonly defaultCodecs?: { readonly video?: string; readonly audio?: string; readonly subtitle?: string };
  /** Bitstream filters; absent: any codec. */
  readonly codecs?: readonly string[];
  /** Filters. */
  readonly inputs?: Pads;
  readonly outputs?: Pads;
  /** Filters: whether they accept `enable`. */
  readonly timeline?: boolean;
  /** Filters: the options that values without names set, in order. */
  readonly positions?: readonly string[];
}

/** Option classes that every codec or container accepts, and those of the scaler and resampler. */
export type GenericClass = 'codec' | 'format' | 'scaler' | 'resampler';
