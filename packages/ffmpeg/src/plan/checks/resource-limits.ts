import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { OptionText } from '@telecine/contract/domain/conversion.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { sizeLimitText } from '@telecine/contract/domain/quantity.ts';
import { INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import { parseSize } from '../../values/size.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { defaultThreads, type Machine, requestedThreads, svtLevelOf } from '../encoders/thread-count.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';
import { isMisnamed, type OutputRequest, type ParsedOptions, type ParsedRequest } from '../request/parse-request.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** The arguments that limit what ffmpeg uses. */
export interface LimitArgs {
  readonly head: readonly string[];
  /** Before every `-i`. */
  readonly input: readonly string[];
  /** Arguments before the options of the output. These options override the arguments. */
  readonly output: readonly string[];
}

/** The bytes of the largest kind of pixel. The limit for one block of memory is so many bytes per allowed pixel. */
const BYTES_PER_PIXEL = 8;
/** The lowest limit for one block of memory, in bytes. The index of a long video takes 60 MiB. */
const MIN_ALLOC_LIMIT = 2 ** 27;
const INT_MAX = 2 ** 31 - 1;

/** The highest values that the service gives `-threads`. Most decoders use up to 16 by default; encoders accept 64, except libx265. */
const MAX_THREADS_ARG = { input: 16, output: 64 };

/** The client's thread limit if it must be sent. undefined: ffmpeg stays within the limit by default. */
const effectiveThreadLimit = ({ threads }: ClientLimits, machine: Machine): number | undefined =>
  threads !== undefined && threads < defaultThreads(machine) ? threads : undefined;

/** The arguments for the client's limits. `-max_alloc` limits the size of frames in filters. */
export function limitArgs(policy: ClientLimits, machine: Machine): LimitArgs {
  const { pixels } = policy;
  const limit = effectiveThreadLimit(policy, machine);
  const maxPixels = pixels === undefined ? [] : ['-max_pixels', `${Math.min(pixels, INT_MAX)}`];
  const maxAlloc =
    pixels === undefined
      ? []
      : ['-max_alloc', `${Math.min(Math.max(pixels * BYTES_PER_PIXEL, MIN_ALLOC_LIMIT), INT_MAX)}`];
  const threads = (most: number) => (limit === undefined ? [] : ['-threads', `${Math.min(limit, most)}`]);
  const filterThreads =
    limit === undefined ? [] : ['-filter_threads', `${limit}`, '-filter_complex_threads', `${limit}`];
  return {
    head: [...maxAlloc, ...filterThreads],
    input: [...maxPixels, ...threads(MAX_THREADS_ARG.input)],
    output: [...maxPixels, ...threads(MAX_THREADS_ARG.output)],
  };
}

/**
 * Adds the thread limit to the parameters of libx265 and libsvtav1, which ignore `-threads` and start threads for every core. The client's
 * parameters override the limit; `checkLimits` has checked them.
 */
export function addThreadLimit(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  policy: ClientLimits,
  machine: Machine,
): readonly ArgvOption[] {
  const limit = effectiveThreadLimit(policy, machine);
  if (limit === undefined) return options;
  const names = new Set(encoders.of('v').map(({ encoder }) => encoder));
  const limits = new Map<string, string>();
  if (names.has('libx265')) limits.set('x265-params', `pools=${limit}${x265FrameThreads(options, encoders)}`);
  if (names.has('libsvtav1')) limits.set('svtav1-params', `lp=${machine.svtLevels ? svtLevelOf(limit) : limit}`);
  const missing = [...limits].filter(([key]) => !options.some((option) => option.key === key));
  return [
    ...missing.map(([key, params]) => serviceOption(key, [params])),
    ...options.map((option) => {
      const params = limits.get(option.name.name);
      // The limit comes first, because the client's parameters may end with a colon or in an open quote.
      return params === undefined ? option : { ...option, values: option.values.map((own) => `${params}:${own}`) };
    }),
  ];
}

/**
 * The parameter for the number of frames that libx265 encodes in parallel. By default, libx265 takes the value of `-threads`, but it
 * supports at most 16. Empty if the client sends `threads`.
 */
const x265FrameThreads = (options: readonly ArgvOption[], encoders: StreamEncoders): string =>
  options.some(
    ({ name }) => name.name === 'threads' && encoders.of(name.specifier).some(({ encoder }) => encoder === 'libx265'),
  )
    ? ''
    : ':frame-threads=0';

/** Rejects options that exceed the client's limits. The limits on filters and files apply while ffmpeg runs. */
export function checkLimits(
  options: readonly ArgvOption[],
  policy: ClientLimits,
  machine: Machine,
  errors: FieldError[],
): void {
  const reported = new Set<string>();
  for (const option of options) {
    const error = checkLimit(option, policy, machine);
    if (error === undefined || reported.has(option.field)) continue;
    reported.add(option.field);
    errors.push({ field: option.field, code: 'LIMIT_EXCEEDED', ...error });
  }
}

function checkLimit(
  { name, key, values: [value = ''] }: ArgvOption,
  { threads, pixels }: ClientLimits,
  machine: Machine,
): Pick<FieldError, 'message' | 'allowed' | 'nearest'> | undefined {
  if (threads !== undefined && (requestedThreads(name.name, value, machine) ?? 0) > threads)
    return {
      message: `"${key}" requests more threads than your limit of ${threads} ("threads").`,
      allowed: [`1 to ${threads}`],
      ...(name.name === 'threads' && { nearest: { bound: String(threads), others: 'less' } }),
    };
  const size = name.name === 's' || name.name === 'video_size' ? parseSize(value) : undefined;
  if (size !== undefined && pixels !== undefined && size.width * size.height > pixels)
    return {
      message: `"${key}" requests ${size.width}x${size.height}, more than your limit of ${pixels} pixels for a frame ("pixels"), which the operator can raise.`,
    };
  return undefined;
}

/**
 * The maximum size of one command in bytes, with the arguments of the sandbox. Linux allows a quarter of the stack limit, usually 2 MiB,
 * and 128 KiB for one argument, which no value reaches.
 */
const MAX_COMMAND_BYTES = 365 * 1024;

/** The bytes that each input adds to a command besides its file names: the arguments before `-i`, and its mount in the sandbox. */
const BYTES_PER_INPUT = INPUT_FORMATS.length + 150;

/** Rejects a command that is too long. It may be far longer than its request, whose input options it repeats for each input. */
export function checkCommandSize(
  request: OutputRequest,
  inputs: readonly ArgvInput[],
  output: readonly ArgvOption[],
  errors: FieldError[],
): void {
  const { options, scope } = request;
  const root = scope.pathPrefix;
  // A UTF-16 unit takes at most three bytes in UTF-8. For nearly every request, this quick bound is enough.
  if (fits(inputs, output, root, (text) => 3 * text.length)) return;
  if (fits(inputs, output, root, Buffer.byteLength)) return;
  errors.push(tooLong(options.length === 0 ? '/inputs' : '/parameters'));
}

const tooLong = (field: string): FieldError => ({
  field,
  code: 'TOO_LONG',
  message: `The ffmpeg command of this request is longer than ${sizeLimitText(MAX_COMMAND_BYTES)}. It repeats the input options in "parameters" for each input and, with two passes, "x265-params" once for each video.`,
});

/** Rejects a request whose values alone are longer than a command, before they are checked for each output. */
export function checkSentSize({ outputs }: ParsedRequest): FieldError | undefined {
  const inputs = outputs[0]?.inputs ?? [];
  const sent = [...outputs, ...inputs].flatMap(({ options }) => options);
  const isShort = (options: Iterable<ParsedOptions[number]>): boolean => {
    let length = 0;
    for (const { text } of inputs) length += text.length;
    for (const option of options) if (!isMisnamed(option)) length += lengthOf(option.value);
    return length <= MAX_COMMAND_BYTES;
  };
  // Outputs share options, which count once. For nearly every request, counting them for each output is enough.
  if (isShort(sent) || isShort(new Set(sent))) return undefined;
  return tooLong(outputs[0]?.options.length === 0 ? '/inputs' : '/parameters');
}

const lengthOf = (value: OptionText): number =>
  typeof value === 'string' ? value.length : value.reduce((sum, { length }) => sum + length, 0);

/** Returns true if the command is not too long. Stops counting as soon as it is. */
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
