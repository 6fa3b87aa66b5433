import { plainText } from '../../domain/text-validation.ts';
import type { DryRunView } from '../../wire/dry-run.ts';

/** What is legal but probably not meant, as a line for people. */
export const warningText = ({ message, fix }: DryRunView['warnings'][number]): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fix}`}`);
