import type { FieldError } from '../../../domain/problem.ts';
import { INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isMisnamed, type OutputRequest, type ParsedOptions, type ParsedRequest } from '../request/parse-request.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/**
 * The maximum size of one command in bytes, including the arguments that the sandbox adds for each input. Linux allows
 * a quarter of the stack limit, usually 2 MiB in total, and 128 KiB for a single argument, which no value reaches.
 */
export const MAX_COMMAND_BYTES = 256 * 1024;

/**
 * Bytes that each input adds: the arguments before `-i`, and those that mount its file in the sandbox, without file
 * names.
 */
const BYTES_PER_INPUT = INPUT_FORMATS.length + 150;

/**
 * Rejects a request whose command would be too long. Input options of the whole request are repeated before each
 * input, so a request of 1 MiB could become a command of 100 MiB.
 */
export function checkCommandSize(
  request: OutputRequest,
  inputs: readonly ArgvInput[],
  output: readonly ArgvOption[],
  errors: FieldError[],
): void {
  const { options, scope } = request;
  const root = scope.pathPrefix;
  // One UTF-16 unit takes at most three bytes in UTF-8. For nearly every request this bound is enough.
  if (fits(inputs, output, root, (text) => 3 * text.length)) return;
  if (fits(inputs, output, root, Buffer.byteLength)) return;
  errors.push(tooLong(options.length === 0 ? '/inputs' : '/parameters'));
}

const tooLong = (field: string): FieldError => ({
  field,
  code: 'TOO_LONG',
  message: `The ffmpeg command of this request is longer than ${MAX_COMMAND_BYTES / 1024} KiB. It repeats the input options in "parameters" for each input and, with two passes, "x265-params" once for each video.`,
  fix: 'Send input options only with the one input that needs them, shorter values, or fewer inputs in each conversion.',
});

/**
 * The error for a request whose values alone are longer than a command, before they are checked: each of 20 outputs would check
 * a megabyte.
 */
export function checkSentSize({ outputs }: ParsedRequest): FieldError | undefined {
  const counted = new Set<ParsedOptions[number]>();
  let length = 0;
  const count = (options: ParsedOptions): void => {
    for (const option of options) {
      if (isMisnamed(option) || counted.has(option)) continue;
      counted.add(option);
      for (const text of [option.value].flat()) length += text.length;
    }
  };
  for (const { options } of outputs) count(options);
  for (const { text, options } of outputs[0]?.inputs ?? []) {
    length += text.length;
    count(options);
  }
  if (length <= MAX_COMMAND_BYTES) return undefined;
  return tooLong(outputs[0]?.options.length === 0 ? '/inputs' : '/parameters');
}

/** Whether the command is short enough. Stops counting as soon as it is too long. */
function fits(
  inputs: readonly ArgvInput[],
  output: readonly ArgvOption[],
  root: string,
  sizeOf: (text: string) => number,
): boolean {
  let remaining = MAX_COMMAND_BYTES;
  const subtract = (options: readonly ArgvOption[]): void => {
    for (const { key, values } of options) {
      remaining -= (key.length + 2) * Math.max(1, values.length);
      for (const value of values) if (remaining >= 0) remaining -= sizeOf(value) + 1;
      if (remaining < 0) return;
    }
  };
  subtract(output);
  for (const { source, options } of inputs) {
    if (remaining < 0) return false;
    remaining -= BYTES_PER_INPUT + root.length + sizeOf(source.path);
    subtract(options);
  }
  return remaining >= 0;
}
