import type { Recipe } from '@telecine/client';

type Argument = Recipe['arguments'][string];

/** Units, how people write them, and descriptions of arguments that declare no unit and have this one. */
const UNITS: readonly (readonly [unit: string, typed: RegExp, own?: RegExp])[] = [
  ['MB', /^(mb|megabytes?)$/i],
  ['%', /^(%|percent)$/i, /in percent/],
  ['s', /^(s|sec|seconds?)$/i, /^Seconds|in seconds|^How long each/],
  ['px', /^(px|pixels?)$/i, /in pixels/],
  ['kbit/s', /^(kbit\/s|kbps|k)$/i, /kbit\/s/],
  ['dB', /^(db|dbfs|dbtp)$/i, /dB|: 6 is twice/],
  ['LUFS', /^lufs$/i, /LUFS/],
];

const rowOf = (argument: Argument) =>
  argument.type === 'number'
    ? UNITS.find(([unit, , own]) => unit === argument.unit || own?.test(argument.description))
    : undefined;

/** The unit of a number: `MB`, `s`, `%`. undefined: it has none, or none is known. */
export const unitOf = (argument: Argument): string | undefined => rowOf(argument)?.[0];

/** Whether a comma may separate thousands: "1,500" is 1500 or 1.5. */
const isAmbiguous = (number: string): boolean => /^[+-]?\d+,\d{3}$/.test(number);

/**
 * The value that is sent of what a person types: a number without its own unit ("8" of "8 MB"), and with a point instead of a decimal comma
 * ("17.5" of "17,5"). Anything else stays as it is, for the check to judge.
 */
export function plainValue(argument: Argument, typed: string): string {
  const text = typed.trim();
  if (argument.type === 'time') return /^[\d:]+,\d*$/.test(text) && !isAmbiguous(text) ? text.replace(',', '.') : typed;
  const [, number = '', unit = ''] = (argument.type === 'number' && /^([+-]?\d+(?:[.,]\d+)?) *(\D*)$/.exec(text)) || [];
  if (number === '' || isAmbiguous(number) || (unit !== '' && !rowOf(argument)?.[1].test(unit))) return typed;
  return number.replace(',', '.');
}
