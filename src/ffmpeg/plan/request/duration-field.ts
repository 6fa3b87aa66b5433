import type { FieldError } from '../../../domain/problem.ts';

const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/;

/** Whether a text is a positive number of seconds. */
export const isDuration = (text: string): boolean => SECONDS.test(text) && Number(text) > 0;

export const BAD_DURATION: Omit<FieldError, 'field'> = {
  code: 'BAD_DURATION',
  message: 'The duration must be a positive number of seconds.',
  fix: 'Send it as a string, such as "2.5".',
};
