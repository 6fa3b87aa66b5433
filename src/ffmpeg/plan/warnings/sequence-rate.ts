import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { readRate } from '../../values/rate.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** ffmpeg reads pictures at this rate, unless "framerate" sets another. */
const DEFAULT_RATE = 25;

/** Warns about `r` for the pictures of a sequence: it only leaves pictures out, or repeats them. */
export function sequenceRate(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const [only, ...others] = inputs;
  const rate = options.find(({ key }) => key === 'r');
  const value = rate?.values[0] ?? '';
  const number = readRate(value);
  if (only?.source.sequence === undefined || others.length > 0 || rate === undefined || number === undefined) return [];
  const hasRate = only.options.some(({ name }) => name.name === 'framerate' || name.name === 'r');
  if (hasRate || Math.abs(number - DEFAULT_RATE) < 0.1) return [];
  return [
    {
      field: rate.field,
      code: 'UNUSUAL_VALUE',
      message: `"r" is the frame rate of the output: the pictures are read at ${DEFAULT_RATE} per second, and most are ${number < DEFAULT_RATE ? 'left out' : 'repeated'}.`,
      fix: sendOption('framerate', value),
    },
  ];
}
