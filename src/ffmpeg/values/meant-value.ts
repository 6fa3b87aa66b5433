import { leaveOut, sendValue } from '../../domain/edit.ts';
import { meantValues, valueAdvice } from '../../domain/synonyms/value-words.ts';
import type { ValueError } from './value-error.ts';

/**
 * Returns the error with the value that the client probably means, if a table of such values has a valid one.
 *
 * @param options The names under which the table can have the option: `b:a`, `b`, or `scale=flags`.
 * @param check Checks another value of the option.
 */
export function withMeantValue(
  options: readonly string[],
  value: string,
  error: ValueError,
  check: (value: string) => ValueError | undefined,
): ValueError {
  const meant = options
    .flatMap((option) => meantValues(option, value))
    .find((one) => one === null || (one !== value && check(one) === undefined));
  if (meant === undefined) {
    const advice = options.map((option) => valueAdvice(option, value)).find((one) => one !== undefined);
    return advice === undefined ? error : { ...error, fix: advice };
  }
  return { ...error, fix: meant === null ? leaveOut() : sendValue(meant) };
}
