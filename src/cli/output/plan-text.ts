import { shellWord } from '../../domain/shell-word.ts';
import { plainText } from '../../domain/text-validation.ts';
import type { WarningView } from '../../wire/warning.ts';
import { fixWords } from './fix-words.ts';

/** Formats a warning as one line. */
export const warningText = ({ message, fix }: WarningView): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fixWords(fix)}`}`);

/** The commands of ffmpeg in a plan, one line each. */
export const argvLines = ({ argv }: { readonly argv: readonly (readonly string[])[] }): readonly string[] =>
  argv.map((words) => plainText(words.map(shellWord).join(' ')));
