import type { Recipe } from '@telecine/client';

type Argument = Recipe['arguments'][string];

/** The units of arguments that declare none, by their descriptions, and how people write them. */
const UNITS: readonly (readonly [unit: string, names: readonly string[], own: RegExp])[] = [
  ['%', ['%', 'percent'], /\bin percent\b/],
  ['s', ['s', 'sec', 'second', 'seconds'], /^Seconds\b|\bin seconds\b|^How long each/],
  ['px', ['px', 'pixel', 'pixels'], /\bin pixels\b/],
  ['kbit/s', ['kbit/s', 'kbps', 'k'], /\bkbit\/s/],
  ['dB', ['db', 'dbfs', 'dbtp'], /\bdB|^The change: 6 is twice/],
  ['LUFS', ['lufs'], /\bLUFS\b/],
];

const unitRow = (argument: Argument | undefined) =>
  argument?.type === 'number' ? UNITS.find(([, , own]) => own.test(argument.description)) : undefined;

/** The unit of a number: `MB`, `s`, `%`. undefined: it has none, or none is known. */
export const unitOf = (argument: Argument | undefined): string | undefined =>
  argument?.type === 'number' ? (argument.unit ?? unitRow(argument)?.[0]) : undefined;

const NUMBER_AND_UNIT = /^([+-]?\d+(?:[.,]\d+)?) *([a-z%/]*)$/i;
const MEGABYTES: readonly string[] = ['mb', 'megabyte', 'megabytes'];

/**
 * The value that is sent of what a person types: a number without its own unit ("8" of "8 MB"), and with a point instead of a decimal comma
 * ("17.5" of "17,5"). Anything else stays as it is, for the check to judge.
 */
export function plainValue(argument: Argument, typed: string): string {
  const text = typed.trim();
  if (argument.type === 'time') return /^[\d:]+,\d*$/.test(text) ? text.replace(',', '.') : typed;
  if (argument.type !== 'number') return typed;
  const [, number, unit = ''] = NUMBER_AND_UNIT.exec(text) ?? [];
  const names = argument.unit === 'MB' ? MEGABYTES : (unitRow(argument)?.[1] ?? []);
  if (number === undefined || (unit !== '' && !names.includes(unit.toLowerCase()))) return typed;
  // A comma before three digits may separate thousands.
  return /,\d{3}$/.test(number) ? typed : number.replace(',', '.');
}
