import { sendValue } from '../../domain/edit.ts';
import { invalidRequest } from '../../domain/problem.ts';

/** The lifetime of a link, in seconds. Throws INVALID_REQUEST if the client asks for more than the operator has set. */
export function linkLifetime(seconds: number | undefined, longest: number): number {
  if (seconds === undefined || seconds <= longest) return seconds ?? longest;
  throw invalidRequest([
    {
      field: '/seconds',
      code: 'OUT_OF_RANGE',
      message: `"seconds" must be from 1 to ${longest}; it is ${seconds}.`,
      fix: { ...sendValue(longest), or: 'less, or leave it out', isNearest: true },
    },
  ]);
}
