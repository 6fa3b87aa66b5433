import type { FieldError } from '../../../domain/problem.ts';

const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/;

/** Whether a text is a positive number of seconds, less than twelve days. */
export const isDuration = (text: string): boolean => SECONDS.test(text) && Number(text) > 0;

/** The error for a text that is none. `what`: what it is the duration of, such as `crossfade`. */
export const badDuration = (what: string, example: string): Omit<FieldError, 'field'> => ({
  code: 'BAD_DURATION',
  message: `The ${what} must be a number of seconds above 0 and below 1000000, with at most 6 decimals.`,
  fix: `Send it as a string, such as "${example}".`,
});
