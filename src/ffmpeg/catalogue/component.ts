/** The kinds of parts that ffmpeg describes by `-h KIND=NAME`. */
export type ComponentKind = 'encoder' | 'decoder' | 'muxer' | 'demuxer' | 'filter' | 'bsf';

/** Types of AVOptions as ffmpeg's help names them; a newer build may have others, which are taken for text. */
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

/** A word that an option takes: a choice, or one flag of several. */
export interface AvConstant {
  readonly name: string;
  /** What it stands for; flags and some others are listed without it. */
  readonly value?: number;
  readonly help: string;
}

/** One AVOption of a component or of a generic class, as the help describes it. */
export interface AvOption {
  readonly name: string;
  readonly type: AvType;
  /** Takes several values in a list (since ffmpeg 7). */
  readonly list: boolean;
  readonly encoding: boolean;
  readonly decoding: boolean;
  /** Letters of V(ideo), A(udio), S(ubtitle); empty for options of containers. */
  readonly media: string;
  /** May be set while a filter runs. */
  readonly runtime: boolean;
  readonly deprecated: boolean;
  /** Tells something and cannot be set. */
  readonly readOnly: boolean;
  readonly help: string;
  /**
   * Bounds as numbers; `INT_MIN`, `FLT_MAX` and their kind are resolved, infinite ones left out. The help rounds to
   * six digits, so a bound that may have been rounded is widened by what the rounding can have taken.
   */
  readonly min?: number;
  readonly max?: number;
  /** The default as the help words it, without quotes. */
  readonly fallback?: string;
  readonly constants: readonly AvConstant[];
}

/** Which component is meant. */
export interface ComponentName {
  readonly kind: ComponentKind;
  readonly name: string;
}

/** A pad of a filter. */
export interface Pad {
  readonly name: string;
  readonly media: 'video' | 'audio';
}

/** The pads of one side of a filter; `dynamic`: as many as its options say. */
export type Pads = readonly Pad[] | 'dynamic';

/** One component with its own options, from `-h KIND=NAME`. What its kind does not have is left out. */
export interface Component extends ComponentName {
  /** Empty for bitstream filters, which ffmpeg does not describe. */
  readonly description: string;
  readonly options: readonly AvOption[];
  /** Encoders and decoders; absent: any, or not told. */
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  /** Ratios: `30000/1001`. */
  readonly frameRates?: readonly string[];
  /** Muxers and demuxers. */
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** Muxers: what they hold when the caller names no codec. */
  readonly defaultCodecs?: { readonly video?: string; readonly audio?: string; readonly subtitle?: string };
  /** Bitstream filters; absent: any codec. */
  readonly codecs?: readonly string[];
  /** Filters. */
  readonly inputs?: Pads;
  readonly outputs?: Pads;
  /** Filters: take `enable`. */
  readonly timeline?: boolean;
  /** Filters: the options that values without names are for, in their order. */
  readonly positions?: readonly string[];
}

/** The classes whose options every codec or container takes, and the scaler's and resampler's. */
export type GenericClass = 'codec' | 'format' | 'scaler' | 'resampler';
