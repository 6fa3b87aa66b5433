import type { ConversionRequest } from '../../../domain/conversion.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/**
 * Bytes of one command with what the sandbox adds for each input. Linux takes a quarter of the stack's limit, which
 * is 2 MiB as a rule, and 128 KiB in one word, which no value reaches.
 */
export const MAX_COMMAND_BYTES = 256 * 1024;

/** What stands before every input, and what shows its file to the sandbox, but for names. */
const PER_INPUT = INPUT_FORMATS.length + 150;

/**
 * What is wrong with a request whose command would be too long: input options of the whole request are repeated
 * before each input, so that a request of 1 MiB could make a hundred of it.
 */
export function checkCommandSize(
  request: ConversionRequest,
  inputs: readonly ArgvInput[],
  output: readonly ArgvOption[],
  root: string,
): FieldError | undefined {
  // UTF-8 has three bytes at most for what JavaScript counts as one: nearly every request needs no closer look.
  if (fits(inputs, output, root, (text) => 3 * text.length)) return undefined;
  if (fits(inputs, output, root, Buffer.byteLength)) return undefined;
  return {
    field: request.parameters === undefined ? '/inputs' : '/parameters',
    code: 'TOO_LONG',
    message: `The ffmpeg command of this request is longer than ${MAX_COMMAND_BYTES / 1024} KiB; an option of inputs in "parameters" stands in it once for each input, and in two passes "x265-params" once for each video.`,
    fix: 'Send options of inputs with the one input that needs them, shorter values, or fewer inputs in several conversions.',
  };
}

/** Stops where it does not. */
function fits(
  inputs: readonly ArgvInput[],
  output: readonly ArgvOption[],
  root: string,
  sizeOf: (text: string) => number,
): boolean {
  let left = MAX_COMMAND_BYTES;
  const take = (options: readonly ArgvOption[]): void => {
    for (const { key, values } of options) {
      left -= (key.length + 2) * Math.max(1, values.length);
      for (const value of values) if (left >= 0) left -= sizeOf(value) + 1;
      if (left < 0) return;
    }
  };
  take(output);
  for (const { source, options } of inputs) {
    if (left < 0) return false;
    left -= PER_INPUT + root.length + sizeOf(source.path);
    take(options);
  }
  return left >= 0;
}
