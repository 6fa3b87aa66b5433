import { type Edits, sendMembers, sendOption } from '../../domain/edit.ts';

/** The quality that an encoder has instead of `q`. */
interface Scale {
  readonly option: 'crf' | 'qp';
  /** What is about as good as the MPEG quantizers 2 (hardly worse than the source) and 5 (usual). */
  readonly at2: number;
  readonly at5: number;
  readonly max: number;
  /** The "b:v" with which the encoder regards the quality. */
  readonly rate?: string;
}

const scale = (option: Scale['option'], at2: number, at5: number, max: number, rate?: string): Scale => ({
  option,
  at2,
  at5,
  max,
  ...(rate !== undefined && { rate }),
});

/** The values at 5 are the defaults of the encoders, or what their documentation recommends. */
const SCALES: ReadonlyMap<string, Scale> = new Map([
  ['libx264', scale('crf', 18, 23, 51)],
  ['libx264rgb', scale('crf', 18, 23, 51)],
  ['libx265', scale('crf', 22, 28, 51)],
  ['libsvtav1', scale('crf', 24, 35, 63)],
  ['libvpx', scale('crf', 6, 10, 63, '2M')],
  ['libvpx-vp9', scale('crf', 22, 31, 63, '0')],
  ['libaom-av1', scale('crf', 22, 30, 63, '0')],
  ['librav1e', scale('qp', 55, 80, 255)],
]);

/** What to send instead of `q`. */
export interface InsteadOfQ {
  /** The option that sets the quality. Absent if another encoder does. */
  readonly option?: string;
  readonly fix: Edits;
}

const BIT_RATE: InsteadOfQ = { option: 'b:a', fix: sendOption('b:a', '192k') };

/** Encoders of ProRes beside "prores_ks", which has a quality. */
const PRORES: ReadonlySet<string> = new Set(['prores', 'prores_aw']);

/** The same for other encoders that ignore `q`, as tried with ffmpeg 5.1. undefined for lossless ones. */
const OTHERS: ReadonlyMap<string, InsteadOfQ | undefined> = new Map<string, InsteadOfQ | undefined>([
  ...['libopus', 'ac3', 'eac3', 'mp2', 'wmav2'].map((name) => [name, BIT_RATE] as const),
  ...'ffv1 huffyuv utvideo png apng gif rawvideo tiff bmp qtrle flac alac wavpack tta pcm_s16le pcm_s24le pcm_f32le'
    .split(' ')
    .map((name) => [name, undefined] as const),
]);

/** Whether an encoder ignores the option `q`. */
export const ignoresQ = (encoder: string): boolean => SCALES.has(encoder) || PRORES.has(encoder) || OTHERS.has(encoder);

/** The quantizer of MPEG encoders goes from 1, the best, to 31. */
const WORST_QUANTIZER = 31;

function quantizerIn(value: string): number | undefined {
  const number = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  return number === undefined || number > WORST_QUANTIZER ? undefined : Math.max(1, number);
}

/**
 * The fix that sends another option instead of `q`: the quality that is about as good as this quantizer of MPEG encoders, or the
 * usual one if `value` is not a quantizer. undefined for lossless encoders.
 *
 * Each doubling of a quantizer makes the picture as much worse as a fixed step of `crf`, which is logarithmic.
 */
export function qualityInsteadOfQ(encoder: string, value: string): InsteadOfQ | undefined {
  const found = SCALES.get(encoder);
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
