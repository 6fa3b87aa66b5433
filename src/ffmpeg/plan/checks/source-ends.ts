import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, allFilters } from '../request/argv-option.ts';
import { ENDING_OPTIONS, isEndlessInput, isEndlessSource } from '../request/endless-sources.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Rejects sources without an end in an output that nothing ends. */
export function checkSourceEnds(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  errors: FieldError[],
): void {
  if (options.some(({ name }) => ENDING_OPTIONS.has(name.name))) return;
  const isShortest = options.some(({ key }) => key === 'shortest');
  // Filters may end a stream.
  if (isShortest && (allFilters(options).length > 0 || !inputs.every(isEndlessInput))) return;
  for (const input of inputs) {
    const { path, field } = input.source;
    if (isEndlessSource(input))
      errors.push({
        field,
        code: 'NEEDS_DURATION',
        message: isShortest
          ? `The source ${quoted(path)} never ends, and "shortest" finds no input that ends.`
          : `The source ${quoted(path)} never ends, and nothing ends the output.`,
        fix: `Send {"source": ${JSON.stringify(path)}, "duration": "3"} for 3 seconds${isShortest ? '.' : ', or "shortest": "" in "parameters" to end with another input.'}`,
      });
  }
}
