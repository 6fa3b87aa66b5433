/** Codecs of sound that keep every sample. In the lines of others, the sample format is that of their decoder. */
const LOSSLESS = /: Audio: (?:pcm_[sf]\d\d[bl]e(?:_planar)?|flac|alac|tta|wavpack|ape|truehd|mlp)[ ,]/;
/** `s32 (24 bit)`, `s16`, `fltp`. */
const FORMAT = /, (s16|s32|s64|flt|dbl)p?(?: \((\d\d) bit\))?(?=,| \(|$)/;

/** The samples of a sound without loss. */
export interface SampleBits {
  readonly bits: number;
  readonly isFloat: boolean;
}

const BITS: Readonly<Record<string, number>> = { s16: 16, s32: 32, s64: 64, flt: 32, dbl: 64 };

/** Reads the samples from the line of a stream. undefined for any other line, and for a codec that loses something. */
export function readSampleBits(line: string): SampleBits | undefined {
  const [, format, bits] = LOSSLESS.test(line) ? (FORMAT.exec(line) ?? []) : [];
  if (format === undefined) return undefined;
  return { bits: Number(bits ?? BITS[format]), isFloat: format === 'flt' || format === 'dbl' };
}
