import { type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';

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
