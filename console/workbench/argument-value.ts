import type { Recipe } from '@telecine/client';
import { isUnit } from '../../packages/contract/src/domain/recipe.ts';

type Argument = Recipe['arguments'][string];

/** The unit of a number: `MB`, `s`, `%`. undefined: it has none. */
export const unitOf = (argument: Argument) => (argument.type === 'number' ? argument.unit : undefined);

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
  if (number === '' || isAmbiguous(number)) return typed;
  const own = unitOf(argument);
  if (unit !== '' && (own === undefined || !isUnit(own, unit))) return typed;
  return number.replace(',', '.');
}
