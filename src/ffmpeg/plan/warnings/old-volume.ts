import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** The volume that leaves the sound unchanged. */
const UNCHANGED = 256;
/** Values up to this are percentages, except fractions of 256 that people send. */
const MAX_PERCENTAGE = 200;
const FRACTIONS: ReadonlySet<number> = new Set([0, 32, 64, 96, 128, 192]);

/** Warns about `vol` as a percentage: 256 is the original volume. */
export const oldVolume = (options: readonly ArgvOption[]): readonly Warning[] =>
  options.flatMap((option) => {
    const value = Number(option.values[0]);
    if (option.name.name !== 'vol' || !(value <= MAX_PERCENTAGE) || FRACTIONS.has(value)) return [];
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: `"${sentName(option)}" is not a percentage: ${UNCHANGED} is the original volume, and ${value} is ${Math.round((100 * value) / UNCHANGED)} %.`,
        fix: sendOption('vol', String(Math.round((UNCHANGED * value) / 100))),
      },
    ];
  });
