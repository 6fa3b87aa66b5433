/** The kinds of components that `-h KIND=NAME` describes. */
export type ComponentKind = 'encoder' | 'decoder' | 'muxer' | 'demuxer' | 'filter' | 'bsf';

/** The types of AVOptions, with their names in ffmpeg's help. A type of a newer build that is not in the list counts as `string`. */
export const AV_TYPES = [
  ...(['boolean', 'int', 'int64', 'uint', 'uint64', 'float', 'double', 'rational', 'flags', 'duration'] as const),
  ...(['image_size', 'video_rate', 'color', 'pix_fmt', 'sample_fmt', 'channel_layout'] as const),
  ...(['string', 'binary', 'dictionary'] as const),
];
export type AvType = (typeof AV_TYPES)[number];

/** A named value of an option: one of several choices, or a flag. */
export interface AvConstant {
  readonly name: string;
  /** The number of the value. ffmpeg's help omits it for flags and for some other constants. */
  readonly value?: number;
  readonly help: string;
}

/** An AVOption of a component or of a generic class, as ffmpeg's help describes it. */
export interface AvOption {
  readonly name: string;
  readonly type: AvType;
  /** Whether the option accepts a list of values (since ffmpeg 7). */
  readonly list: boolean;
  readonly encoding: boolean;
  readonly decoding: boolean;
  /** The kinds of streams: `V` for video, `A` for audio, `S` for subtitles. Empty for options of containers. */
  readonly media: string;
  /** Whether the option may change while a filter runs. */
  readonly runtime: boolean;
  readonly deprecated: boolean;
  /** Whether ffmpeg only reports the value. A request cannot set such an option. */
  readonly readOnly: boolean;
  readonly help: string;
  /** The bounds. Absent if infinite. The help rounds them to six digits, so each bound is widened by the rounding error. */
  readonly min?: number;
  readonly max?: number;
  /** The default value as the help prints it, without quotes. */
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

/** The input pads or the output pads of a filter. `dynamic`: their number depends on options. */
export type Pads = readonly Pad[] | 'dynamic';

/** A component with its own options, from `-h KIND=NAME`. Fields that do not apply to its kind are absent. */
export interface Component extends ComponentName {
  /** Empty for bitstream filters, because ffmpeg does not describe them. */
  readonly description: string;
  readonly options: readonly AvOption[];
  /** This field and the next four: what an encoder or decoder supports. Absent: it supports all, or ffmpeg does not say. */
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  /** Frame rates as ratios: `30000/1001`. */
  readonly frameRates?: readonly string[];
  /** File name extensions of a muxer or demuxer, without dots. */
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** The codecs that ffmpeg uses for a muxer by default. */
  readonly defaultCodecs?: { readonly video?: string; readonly audio?: string; readonly subtitle?: string };
  /** The codecs that a bitstream filter supports. Absent: it supports every codec. */
  readonly codecs?: readonly string[];
  /** The input pads of a filter. */
  readonly inputs?: Pads;
  readonly outputs?: Pads;
  /** Whether a filter accepts the option `enable`. */
  readonly timeline?: boolean;
  /** The options that positional values of a filter set, in order. */
  readonly positions?: readonly string[];
}

/** The option classes of all codecs, all containers, the scaler and the resampler. */
export const GENERIC_CLASSES = ['codec', 'format', 'scaler', 'resampler'] as const;
export type GenericClass = (typeof GENERIC_CLASSES)[number];

/** Creates a record with a value for each generic class. */
export const byGenericClass = <T>(valueFor: (name: GenericClass) => T): Record<GenericClass, T> => ({
  codec: valueFor('codec'),
  format: valueFor('format'),
  scaler: valueFor('scaler'),
  resampler: valueFor('resampler'),
});
