import type { ClientLimits } from '../../../domain/client-limits.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { readSize } from '../../values/size.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { svtLevelOf } from '../encoders/svtav1-parallelism.ts';
import { defaultThreads, type Machine, requestedThreads } from '../encoders/thread-count.ts';
import { type ArgvOption, serviceOption } from '../request/resolve-options.ts';

/** What an argv says of limits. */
export interface LimitArgs {
  readonly head: readonly string[];
  /** Before every `-i`. */
  readonly input: readonly string[];
  /** Before the options of the output, which win over it. */
  readonly output: readonly string[];
}

/** Of one block that ffmpeg asks for: the deepest pixels are of 64 bits, packed. */
const BYTES_A_PIXEL = 8;
/** Not less, whatever the pixels: the index of a long film is of 60 MiB. */
const LEAST_ALLOC = 2 ** 27;
const INT_MAX = 2 ** 31 - 1;

/** As many as most decoders take by themselves, and as many as every encoder can be told but libx265. */
const MOST_TOLD = { input: 16, output: 64 };

/** The limit, where ffmpeg would take more by itself: one and a half for each core. */
const fewerThreads = ({ threads }: ClientLimits, machine: Machine): number | undefined =>
  threads !== undefined && threads < defaultThreads(machine) ? threads : undefined;

/** `-max_pixels` binds decoders and encoders, `-max_alloc` what filters make in between. */
export function limitArgs(policy: ClientLimits, machine: Machine): LimitArgs {
  const { pixels } = policy;
  const fewer = fewerThreads(policy, machine);
  const file = pixels === undefined ? [] : ['-max_pixels', `${Math.min(pixels, INT_MAX)}`];
  const threads = (most: number) => (fewer === undefined ? [] : ['-threads', `${Math.min(fewer, most)}`]);
  return {
    head: [
      ...(pixels === undefined
        ? []
        : ['-max_alloc', `${Math.min(Math.max(pixels * BYTES_A_PIXEL, LEAST_ALLOC), INT_MAX)}`]),
      ...(fewer === undefined ? [] : ['-filter_threads', `${fewer}`, '-filter_complex_threads', `${fewer}`]),
    ],
    input: [...file, ...threads(MOST_TOLD.input)],
    output: [...file, ...threads(MOST_TOLD.output)],
  };
}

/**
 * The options of an output, and in them the limit of threads for encoders that make threads for every core whatever
 * `-threads` says: libx265 and libsvtav1 are told in parameters of their own, where the caller's, checked, win.
 */
export function addThreadLimit(
  options: readonly ArgvOption[],
  makers: StreamEncoders,
  policy: ClientLimits,
  machine: Machine,
): readonly ArgvOption[] {
  const fewer = fewerThreads(policy, machine);
  if (fewer === undefined) return options;
  const encoders = new Set(makers.of('v').map(({ encoder }) => encoder));
  const told = new Map<string, string>();
  if (encoders.has('libx265')) told.set('x265-params', `pools=${fewer}${framesTold(options, makers)}`);
  if (encoders.has('libsvtav1')) told.set('svtav1-params', `lp=${machine.svtLevels ? svtLevelOf(fewer) : fewer}`);
  return [
    ...[...told].flatMap(([key, words]) =>
      options.some((option) => option.key === key) ? [] : [serviceOption(key, [words])],
    ),
    ...options.map((option) => {
      const words = told.get(option.name.name);
      // In front: what is said may end on a colon, or in a quote that is never closed.
      return words === undefined ? option : { ...option, values: option.values.map((said) => `${words}:${said}`) };
    }),
  ];
}

/** libx265 takes `-threads` for frames at a time, of which it can do 16, and 3 or so where it may have 8 threads. */
const framesTold = (options: readonly ArgvOption[], makers: StreamEncoders): string =>
  options.some(
    ({ name }) => name.name === 'threads' && makers.of(name.specifier).some(({ encoder }) => encoder === 'libx265'),
  )
    ? ''
    : ':frame-threads=0';

/** Refuses what is asked for in plain words beyond the policy; what comes of filters and files is seen as it runs. */
export function checkLimits(
  options: readonly ArgvOption[],
  policy: ClientLimits,
  machine: Machine,
  errors: FieldError[],
): void {
  const told = new Set<string>();
  for (const option of options) {
    const error = overLimit(option, policy, machine);
    if (error === undefined || told.has(option.field)) continue;
    told.add(option.field);
    errors.push({ field: option.field, code: 'LIMIT_EXCEEDED', ...error });
  }
}

function overLimit(
  { name, key, values: [value = ''] }: ArgvOption,
  { threads, pixels }: ClientLimits,
  machine: Machine,
): Pick<FieldError, 'message' | 'allowed' | 'fix'> | undefined {
  if (threads !== undefined && (requestedThreads(name.name, value, machine) ?? 0) > threads)
    return {
      message: `"${key}" asks for more than the ${threads} threads that you may have (limit "threads").`,
      allowed: [`1 to ${threads}`],
      fix: `Ask for ${threads} or less, or leave it out.`,
    };
  const size = name.name === 's' || name.name === 'video_size' ? readSize(value) : undefined;
  if (size !== undefined && pixels !== undefined && size.width * size.height > pixels)
    return {
      message: `"${key}" asks for ${size.width}x${size.height}; ${pixels} pixels is the most that a picture may have (limit "pixels").`,
      fix: 'Send a smaller size, or ask the operator for a higher limit.',
    };
  return undefined;
}
