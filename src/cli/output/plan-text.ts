import { plainText } from '../../domain/text-validation.ts';
import type { WarningView } from '../../wire/warning.ts';

/** Formats a warning as one line. */
export const warningText = ({ message, fix }: WarningView): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fix}`}`);

/** Quotes a text for a POSIX shell, so that people can copy a command. This program itself does not run a shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
