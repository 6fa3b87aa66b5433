import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { MAX_CROSSFADE_SECONDS } from '../../filtergraph/crossfades.ts';
import type { ValueError } from '../../values/value-error.ts';

const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/;

/** True for a positive number of seconds below 1000000, which is less than twelve days. */
export const isDuration = (text: string): boolean => SECONDS.test(text) && Number(text) > 0;

/** The error for an invalid duration. `what`: its field, such as `crossfade`. */
export const badDuration = (what: string): ValueError => ({
  code: 'BAD_DURATION',
  message: `The ${what} must be a number of seconds above 0 and below 1000000, with at most 6 decimals.`,
});

/** The error for `duration` together with an option that sets the same length. `what`: the end of a message (`the source lasts`). */
export const twoDurations = (option: string, what: string): ValueError => ({
  code: 'DUPLICATE_OPTION',
  message: `"duration" and "${option}" both set how long ${what}.`,
});

/** The error for a crossfade that is longer than ffmpeg supports. */
export const longCrossfade = (seconds: number, field: string): FieldError | undefined =>
  seconds <= MAX_CROSSFADE_SECONDS
    ? undefined
    : {
        field,
        code: 'BAD_CROSSFADE',
        message: `The crossfade is ${seconds} s long; at most ${MAX_CROSSFADE_SECONDS} s are allowed.`,
        nearest: { bound: MAX_CROSSFADE_SECONDS, others: 'less' },
      };
