import { type OptionValue, REQUEST_LIMITS } from '../../../domain/conversion.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { badEncoding, controlCharacter } from '../../../domain/text-validation.ts';

/** Titles and filtergraphs may contain tabs and line breaks. No text that people write contains the other controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Checks the text of a value by rules that apply to every option. */
export function checkOptionText(value: OptionValue): Omit<FieldError, 'field'> | undefined {
  if (typeof value === 'string') return checkOneText(value);
  if (value.length === 0) return { code: 'EMPTY_LIST', message: 'The list is empty.', fix: 'Leave the option out.' };
  for (const text of value) {
    const error = checkOneText(text);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkOneText(text: string): Omit<FieldError, 'field'> | undefined {
  if (text.length > REQUEST_LIMITS.optionValueLength)
    return {
      code: 'TOO_LONG',
      message: `The value is longer than ${REQUEST_LIMITS.optionValueLength} characters.`,
      fix: 'Send a shorter text.',
    };
  if (CONTROL.test(text)) return controlCharacter('The value', 'Leave it out. Tabs and line breaks are allowed.');
  if (!text.isWellFormed()) return badEncoding('The value');
  return undefined;
}
