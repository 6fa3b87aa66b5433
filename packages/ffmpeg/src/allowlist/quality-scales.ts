import { type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';

/**
 * A quality scale of an encoder. A number beyond it is not replaced by the bound: with 60, nobody wants 51, the worst quality of libx264.
 */
export interface QualityScale {
  readonly min: number;
  readonly max: number;
  /** Names for `min` and `max`. Default: `the best quality` and `the worst`. */
  readonly ends?: readonly [atMin: string, atMax: string];
  /** Usual values: `18 to 28`. */
  readonly usual: string;
  /** The value to send: the default of the encoder, or the value that its documentation recommends. */
  readonly send: string;
}

const UPWARDS = ['the worst quality', 'the best'] as const;
const EFFORT = ['the fastest', 'the smallest file'] as const;

const scale = (min: number, max: number, usual: string, send: string, ends?: QualityScale['ends']): QualityScale => ({
  min,
  max,
  usual,
  send,
  ...(ends !== undefined && { ends }),
});

export const X264_QUALITY = scale(0, 51, '18 to 28', '23');
export const X265_QUALITY = scale(0, 51, '20 to 32', '28');
export const AV1_QUALITY = scale(0, 63, '20 to 40', '30');
export const SVTAV1_QUALITY = scale(0, 63, '20 to 45', '35');
const VP8_QUALITY = scale(4, 63, '4 to 20', '10');
const VP9_QUALITY = scale(0, 63, '15 to 35', '31');
/** The quantizer scale of MPEG-4, MPEG-2, JPEG and related codecs. */
export const MPEG_QUANTIZER = scale(2, 31, '2 to 6', '3');

/**
 * The MPEG quantizer for a quality of 32 to 100 percent, as other programs use for JPEG. Measured: the quantizers 2, 3, 4, 5, 6 and 8 give
 * 93, 90, 86, 82, 79 and 71 percent.
 */
export const quantizerOfPercent = (percent: number): number =>
  Math.min(MPEG_QUANTIZER.max, Math.max(MPEG_QUANTIZER.min, Math.round((100 - percent) / 3.55)));

/** The scales by encoder and option (without stream specifier). The numbers are from ffmpeg's wiki and the help of each encoder. */
const SCALES: Readonly<Record<string, Readonly<Record<string, QualityScale>>>> = {
  libx264: { crf: X264_QUALITY, crf_max: X264_QUALITY, qp: scale(0, 69, '18 to 28', '23') },
  libx264rgb: { crf: X264_QUALITY, crf_max: X264_QUALITY, qp: scale(0, 69, '18 to 28', '23') },
  libx265: { crf: X265_QUALITY, qp: X265_QUALITY },
  libvpx: { crf: VP8_QUALITY },
  'libvpx-vp9': { crf: VP9_QUALITY },
  'libaom-av1': { crf: AV1_QUALITY },
  libsvtav1: { crf: SVTAV1_QUALITY, qp: SVTAV1_QUALITY },
  librav1e: { qp: scale(0, 255, '60 to 120', '80') },
  libwebp: { quality: scale(0, 100, '70 to 90', '75', UPWARDS) },
  libwebp_anim: { quality: scale(0, 100, '70 to 90', '75', UPWARDS) },
  libjxl: { distance: scale(0, 15, '0.5 to 3', '1'), effort: scale(1, 9, '3 to 9', '7', EFFORT) },
  libspeex: { cbr_quality: scale(0, 10, '5 to 10', '8', UPWARDS) },
  libmp3lame: { q: scale(0, 9, '0 to 5', '2') },
  flac: { compression_level: scale(0, 12, '5 to 8', '8', EFFORT) },
};

export const qualityScale = (encoder: string, option: string): QualityScale | undefined => SCALES[encoder]?.[option];

/** A scale in words: `0 is the best quality, 51 the worst, and 18 to 28 are usual`. */
export const scaleText = ({
  min,
  max,
  usual,
  ends: [atMin, atMax] = ['the best quality', 'the worst'],
}: QualityScale) => `${min} is ${atMin}, ${max} ${atMax}, and ${usual} are usual`;

/** The quality option that replaces `q` for an encoder that ignores `q`. */
interface ReplacementScale {
  readonly option: 'crf' | 'qp';
  /** The values of the option that match the MPEG quantizers 2 (almost no loss) and 5 (usual). */
  readonly at2: number;
  readonly at5: number;
  readonly max: number;
  /** The "b:v" to send as well: libvpx and libaom follow the quality only if it is set. */
  readonly rate?: string;
}

const replacement = (
  option: ReplacementScale['option'],
  at2: number,
  at5: number,
  max: number,
  rate?: string,
): ReplacementScale => ({
  option,
  at2,
  at5,
  max,
  ...(rate !== undefined && { rate }),
});

/** Each value for quantizer 5 is the default of the encoder, or what its documentation recommends. */
const REPLACEMENTS: ReadonlyMap<string, ReplacementScale> = new Map([
  ['libx264', replacement('crf', 18, 23, 51)],
  ['libx264rgb', replacement('crf', 18, 23, 51)],
  ['libx265', replacement('crf', 22, 28, 51)],
  ['libsvtav1', replacement('crf', 24, 35, 63)],
  ['libvpx', replacement('crf', 6, 10, 63, '2M')],
  ['libvpx-vp9', replacement('crf', 22, 31, 63, '0')],
  ['libaom-av1', replacement('crf', 22, 30, 63, '0')],
  ['librav1e', replacement('qp', 55, 80, 255)],
]);

/** The edits that replace `q`. */
interface InsteadOfQ {
  /** The option that sets the quality. Absent if the fix selects another encoder. */
  readonly option?: string;
  readonly fix: Edits;
}

const BIT_RATE: InsteadOfQ = { option: 'b:a', fix: sendOption('b:a', '192k') };

/** The ProRes encoders without a quality option. (`prores_ks` has a quality option.) */
const PRORES: ReadonlySet<string> = new Set(['prores', 'prores_aw']);

/** What replaces `q` for other encoders that ignore it (tried with ffmpeg 5.1). undefined: lossless, so leave `q` out. */
const OTHERS: ReadonlyMap<string, InsteadOfQ | undefined> = new Map<string, InsteadOfQ | undefined>([
  ...['libopus', 'ac3', 'eac3', 'mp2', 'wmav2'].map((name) => [name, BIT_RATE] as const),
  ...'ffv1 huffyuv utvideo png apng gif rawvideo tiff bmp qtrle flac alac wavpack tta pcm_s16le pcm_s24le pcm_f32le'
    .split(' ')
    .map((name) => [name, undefined] as const),
]);

export const ignoresQ = (encoder: string): boolean =>
  REPLACEMENTS.has(encoder) || PRORES.has(encoder) || OTHERS.has(encoder);

/** The worst quantizer of MPEG encoders. The best is 1. */
const WORST_QUANTIZER = 31;

function quantizerIn(value: string): number | undefined {
  const number = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  return number === undefined || number > WORST_QUANTIZER ? undefined : Math.max(1, number);
}

/**
 * The edits that replace `q` by the quality option of this encoder, with about the same quality as the MPEG quantizer `value`. If `value`
 * is not a quantizer, the edits send the usual quality. undefined: the encoder is lossless.
 *
 * A doubled quantizer costs as much quality as a fixed step of `crf`, because `crf` is logarithmic.
 */
export function qualityInsteadOfQ(encoder: string, value: string): InsteadOfQ | undefined {
  const found = REPLACEMENTS.get(encoder);
  if (PRORES.has(encoder)) return { fix: sendMembers({ 'c:v': 'prores_ks', 'q:v': value }) };
  if (found === undefined) return OTHERS.get(encoder);
  const { option, at2, at5, max, rate } = found;
  const quantizer = quantizerIn(value);
  const quality = Math.round(at2 + ((at5 - at2) * Math.log2((quantizer ?? 5) / 2)) / Math.log2(5 / 2));
  const sent = sendMembers({
    [option]: `${Math.min(max, Math.max(0, quality))}`,
    ...(rate !== undefined && { 'b:v': rate }),
  });
  const why = `it is about as good as ${value} on the scale of "q" (1 to 31)`;
  return { option, fix: quantizer === undefined ? sent : { ...sent, why } };
}
