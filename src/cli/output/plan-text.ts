import { estimateLines } from '../../domain/estimate.ts';
import { shellWord } from '../../domain/shell-text.ts';
import { plainText } from '../../domain/text-validation.ts';
import type { DryRunView } from '../../wire/dry-run.ts';
import type { WarningView } from '../../wire/warning.ts';
import { fixWords } from './fix-words.ts';

/** Formats a warning as one line. */
export const warningText = ({ message, fix }: WarningView): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fixWords(fix)}`}`);

/** The commands of ffmpeg in a plan, one line each. */
export const argvLines = ({ argv }: { readonly argv: readonly (readonly string[])[] }): readonly string[] =>
  argv.map((words) => plainText(words.map(shellWord).join(' ')));

/** What a plan probably produces, one line for each output and one for the time. Empty if nothing is known. */
export const planEstimateLines = ({ estimate }: Pick<DryRunView, 'estimate'>): readonly string[] =>
  estimate === undefined || estimate.outputs.every(({ sizeBytes }) => sizeBytes === undefined)
    ? []
    : estimateLines(estimate).map((line) => plainText(`estimate: ${line}`));
