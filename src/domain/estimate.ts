import type { estimateSchema } from '../wire/dry-run.ts';
import type { Shape } from '../wire/shape.ts';

/**
 * How the size of an output was found. `bitRate`: by the bit rates that the options or the defaults of encoders set; `copy`: by
 * the streams of the input; `format`: the format has a fixed size per frame or sample; `model`: by encodes that were measured;
 * `limit`: by an option that ends the file at a size.
 */
export const SIZE_BASES = ['bitRate', 'copy', 'format', 'model', 'limit'] as const;
export type SizeBasis = (typeof SIZE_BASES)[number];

/** What a conversion probably produces, and how long it probably takes, without the time in the queue. */
export type ConversionEstimate = Shape<typeof estimateSchema>;

/** The estimate of one output. Without a size, `unknown` says why, as a sentence. */
export type OutputEstimate = ConversionEstimate['outputs'][number];

/** A stream that an output gets. Its picture has the size that an encoder gets. */
export type EstimatedStream = NonNullable<OutputEstimate['streams']>[number];

export type TimeEstimate = ConversionEstimate['time'];

/** A number between bounds. Of ten real values, about one is below `low` and one above `high`. */
export type EstimatedRange = NonNullable<OutputEstimate['sizeBytes']>;

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
