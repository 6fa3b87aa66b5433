import { readNumber } from '../../values/number.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { StreamEncoders } from './stream-encoders.ts';

/** By which factor LAME scales the sound before it encodes it, by bit rate in kbit/s (presets.c of 3.100). With a quality, by none. */
const LAME_SCALES: readonly (readonly [kbits: number, scale: number])[] = [
  [160, 0.95],
  [192, 0.97],
  [224, 0.98],
  [256, 1],
];

/** The bit rate of LAME without one, in bit/s. */
const DEFAULT_RATE = 128_000;

/**
 * The gain that makes up for an encoder that writes the sound softer than it got it, in dB. 0 if none does, or if different streams
 * have different ones.
 */
export function encoderGainOf(options: readonly ArgvOption[], encoders: StreamEncoders): number {
  const sounds = encoders.of('a');
  if (sounds.length === 0 || sounds.some(({ encoder }) => encoder !== 'libmp3lame')) return 0;
  const ofSound = options.filter(({ name: { specifier } }) => specifier === undefined || specifier.startsWith('a'));
  if (ofSound.some(({ name }) => name.name === 'q')) return 0;
  const rates = ofSound.filter(({ name }) => name.name === 'b').map(({ values }) => readNumber(values[0] ?? ''));
  if (rates.length > 1) return 0;
  const kbits = (rates[0] ?? DEFAULT_RATE) / 1000;
  // LAME takes the nearest row, and the higher one in the middle.
  const [, scale = 1] =
    LAME_SCALES.findLast(([row], at) => kbits >= ((LAME_SCALES[at - 1]?.[0] ?? 0) + row) / 2) ?? LAME_SCALES[0] ?? [];
  return Number((-20 * Math.log10(scale)).toFixed(2));
}
