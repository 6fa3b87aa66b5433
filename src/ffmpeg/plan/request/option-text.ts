import { type OptionValue, REQUEST_LIMITS } from '../../../domain/conversion.ts';
import { leaveOut, sendValue } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { badEncoding, controlCharacter } from '../../../domain/text-validation.ts';

/** Titles and filtergraphs may contain tabs and line breaks. No text that people write contains the other controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Checks the text of a value by rules that apply to every option. */
export function checkOptionText(value: OptionValue): Omit<FieldError, 'field'> | undefined {
  if (typeof value === 'string') return checkOneText(value);
  if (value.length === 0) return { code: 'EMPTY_LIST', message: 'The list is empty.', fix: leaveOut() };
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

/** Options whose values may contain any text, also in quotes. */
const FREE_TEXT: ReadonlySet<string> = new Set(['metadata', 'program']);

/** Rejects a value in the quotes of a shell: `"scale=320:-2"` with the quotes as part of the value. */
export function checkShellQuotes(name: string, value: OptionValue): Omit<FieldError, 'field'> | undefined {
  if (typeof value !== 'string' || FREE_TEXT.has(name)) return undefined;
  const inner = /^"([^"]+)"$/.exec(value)?.[1] ?? /^'([^']+)'$/.exec(value)?.[1];
  if (inner === undefined) return undefined;
  return {
    code: 'SHELL_QUOTES',
    message: 'The value contains the quotes that a shell removes.',
    fix: sendValue(inner),
  };
}
