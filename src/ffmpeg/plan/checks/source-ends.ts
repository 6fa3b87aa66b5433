import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isEndlessSource } from '../request/endless-sources.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Options that end the output. */
const ENDINGS: ReadonlySet<string> = new Set(['t', 'to', 'fs', 'frames', 'shortest']);

/** Rejects sources without an end in an output that nothing ends. */
export function checkSourceEnds(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  errors: FieldError[],
): void {
  if (options.some(({ name }) => ENDINGS.has(name.name))) return;
  for (const input of inputs) {
    const { path, field } = input.source;
    if (isEndlessSource(input))
      errors.push({
        field,
        code: 'NEEDS_DURATION',
        message: `The source ${quoted(path)} never ends, and nothing ends the output.`,
        fix: `Send {"source": ${JSON.stringify(path)}, "duration": "3"} for 3 seconds, or "shortest": "" in "parameters" to end with another input.`,
      });
  }
}
