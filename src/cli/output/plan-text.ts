import { plainText } from '../../domain/text-validation.ts';
import type { DryRunView } from '../../wire/dry-run.ts';

/** What is legal but probably not meant, as a line for people. */
export const warningText = ({ message, fix }: DryRunView['warnings'][number]): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fix}`}`);

/** A word that any POSIX shell reads as this very text: for people to copy. Nothing here passes a shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
