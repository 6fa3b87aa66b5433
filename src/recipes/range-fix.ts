import { sendValue } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';

/** What is said of a number out of the range of an argument. */

interface Range {
  readonly type: 'number' | 'time';
  readonly description: string;
  readonly min: number;
  readonly max: number;
  readonly integer?: true;
}

/** How far beyond a limit a number may be, as a share of the limit, to mean the limit. */
const NEAR = 0.5;

/** Units in which people send what an argument takes in another, with the number that is one of its own. */
const OTHER_UNITS: readonly (readonly [own: RegExp, others: readonly (readonly [unit: string, count: number])[]])[] = [
  [
    /megabytes/,
    [
      ['bytes', 1e6],
      ['kilobytes', 1e3],
    ],
  ],
  [/kbit\/s/, [['bit/s', 1000]]],
  [/in seconds|^Seconds/, [['milliseconds', 1000]]],
  [/[Pp]ercent/, [['a share of 1', 0.01]]],
  [/from 0(?:, \w+,)? to 1\b/i, [['percent', 100]]],
];

/** What an argument is, within a sentence. */
export const aboutOf = ({ description }: { readonly description: string }): string =>
  description.charAt(0).toLowerCase() + description.slice(1);

/**
 * The fix for a number out of range. Near the limit, it is the limit. Otherwise the unit is unclear, so the fix asks for it. `wrong`: what
 * the value must be. `about`: what the argument is.
 */
export function rangeFix(
  { type, description, min, max, integer }: Range,
  number: number,
  wrong: string,
): { readonly fix: Hint; readonly about?: string } {
  const limit = number < min ? min : max;
  const isNear = limit !== 0 && number / limit > 0 && Math.abs(number - limit) <= NEAR * Math.abs(limit);
  if (isNear) return { fix: sendValue(limit) };
  const units =
    type === 'time'
      ? [['milliseconds', 1000] as const]
      : (OTHER_UNITS.find(([own]) => own.test(description))?.[1] ?? []);
  const meant = units.flatMap(([unit, count]) => {
    const exact = Number((number / count).toPrecision(6));
    const value = integer === true ? Math.round(exact) : exact;
    return value >= min && value <= max ? [`If ${number} is in ${unit}, send ${value}. `] : [];
  });
  return {
    about: aboutOf({ description }),
    fix: `${meant.join('')}${meant.length > 0 ? 'Else send' : 'Send'} ${wrong}.`,
  };
}
