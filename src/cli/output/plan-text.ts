import { plainText } from '../../domain/text-validation.ts';
import type { WarningView } from '../../wire/warning.ts';
import { fixWords } from './fix-words.ts';

/** Formats a warning as one line. */
export const warningText = ({ message, fix }: WarningView): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fixWords(fix)}`}`);
