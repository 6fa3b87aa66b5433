import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/conversion.ts';

export const optionText = z.string().max(REQUEST_LIMITS.optionValueLength);

const textOrNumber = z.union([optionText, z.number()]);

/**
 * The value of an option. Numbers become their text, so that a request is the same, whichever the client sent. Booleans stay: only the
 * planner knows what they are for the option.
 */
export const optionValue = z
  .union([optionText, z.number(), z.boolean(), z.array(textOrNumber).min(1)])
  .overwrite((value) => (typeof value === 'boolean' ? value : Array.isArray(value) ? value.map(String) : String(value)))
  .meta({
    id: 'OptionValue',
    description:
      'A string, or a number, which counts as its text: 23 is "23". `true` sets and `false` omits an option of ffmpeg that takes ' +
      'no value; for a boolean option of a codec or a container, they are "1" and "0". A list repeats an option that ffmpeg allows ' +
      'to repeat, such as `map` or `metadata`.',
    examples: ['libx264'],
  });
