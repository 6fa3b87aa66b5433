/** A number between bounds. Of ten real values, about one is below `low` and one above `high`. */
export interface EstimatedRange {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/**
 * How the size of an output was found. `bitRate`: by the bit rates that the options or the defaults of encoders set; `copy`: by
 * the streams of the input; `format`: the format has a fixed size per frame or sample; `model`: by encodes that were measured;
 * `limit`: by an option that ends the file at a size.
 */
export const SIZE_BASES = ['bitRate', 'copy', 'format', 'model', 'limit'] as const;
export type SizeBasis = (typeof SIZE_BASES)[number];

/** A stream that an output gets. */
export interface EstimatedStream {
  readonly type: 'video' | 'audio';
  /** The codec of a copied stream, else the encoder: `h264`, `libx264`. */
  readonly codec: string;
  /** Whether the stream of the input is copied. */
  readonly isCopied: boolean;
  /** In pixels, as an encoder gets the picture. */
  readonly width?: number;
  readonly height?: number;
  /** Frames per second. */
  readonly frameRate?: number;
  readonly channels?: number;
}

/** The estimate of one output. */
export interface OutputEstimate {
  /** The length of the output. Absent for pictures, and if it is not known. */
  readonly durationSeconds?: number;
  /** Absent if they are not known. Subtitles are not among them. */
  readonly streams?: readonly EstimatedStream[];
  /** Absent if the size cannot be estimated; `unknown` then says why. */
  readonly sizeBytes?: EstimatedRange;
  readonly basis?: readonly SizeBasis[];
  /** Why there is no size, as a sentence. */
  readonly unknown?: string;
}

/** How long a conversion runs, without the time in the queue. */
export interface TimeEstimate {
  /** Absent if the time cannot be estimated; `unknown` then says why. */
  readonly seconds?: EstimatedRange;
  /** `jobs`: corrected by how fast this service ran similar jobs of the client; `model`: by measured encoders alone. */
  readonly basis?: 'jobs' | 'model';
  readonly unknown?: string;
}

/** What a conversion probably produces, and how long it probably takes. */
export interface ConversionEstimate {
  /** In the order of the outputs. */
  readonly outputs: readonly OutputEstimate[];
  readonly time: TimeEstimate;
}

/** A range around a value: a tenth of real values is below `likely / factor`, a tenth above `likely * factor`. */
export const rangeAround = (likely: number, factor: number): EstimatedRange => ({
  low: likely / factor,
  likely,
  high: likely * factor,
});

/** The range of the sum of two estimates. Their errors are often of one cause, so the bounds add up too. */
export const addRanges = (a: EstimatedRange, b: EstimatedRange): EstimatedRange => ({
  low: a.low + b.low,
  likely: a.likely + b.likely,
  high: a.high + b.high,
});

/** The range with each bound at most `most`. */
export const capRange = ({ low, likely, high }: EstimatedRange, most: number): EstimatedRange => ({
  low: Math.min(low, most),
  likely: Math.min(likely, most),
  high: Math.min(high, most),
});
