import { plainText } from '../../domain/text-validation.ts';
import type { DryRunView } from '../../wire/dry-run.ts';

/** A warning of a dry run, as one line. */
export const warningText = ({ message, fix }: DryRunView['warnings'][number]): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fix}`}`);

/** The text quoted for a POSIX shell, so that people can copy it. This program itself runs no shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
