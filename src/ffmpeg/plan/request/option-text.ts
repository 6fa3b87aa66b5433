import { type OptionValue, REQUEST_LIMITS } from '../../../domain/conversion.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { badEncoding, controlCharacter } from '../../../domain/text-validation.ts';

/** Titles and filtergraphs may hold tabs and line ends; nothing that people write holds the other controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** What is wrong with the text of a value, whatever option it is for. */
export function checkOptionText(value: OptionValue): Omit<FieldError, 'field'> | undefined {
  if (typeof value === 'string') return checkOne(value);
  if (value.length === 0)
    return { code: 'EMPTY_LIST', message: 'The list holds no value.', fix: 'Leave the option out.' };
  for (const one of value) {
    const fault = checkOne(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkOne(value: string): Omit<FieldError, 'field'> | undefined {
  if (value.length > REQUEST_LIMITS.optionValueLength)
    return {
      code: 'TOO_LONG',
      message: `A value is longer than ${REQUEST_LIMITS.optionValueLength} characters.`,
      fix: 'Send a shorter text.',
    };
  if (CONTROL.test(value)) return controlCharacter('The value', 'Leave it out; tabs and line ends may stay.');
  if (!value.isWellFormed()) return badEncoding('The value');
  return undefined;
}
