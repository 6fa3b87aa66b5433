import type { Policy } from '../../domain/policy.ts';
import type { FieldError } from '../../domain/problem.ts';
import { readSize } from '../values/size.ts';
import type { ReadOption } from './read-options.ts';
import { threadsAsked } from './threads-asked.ts';

/** What an argv says of limits. */
export interface LimitWords {
  readonly head: readonly string[];
  /** Before every `-i`, and before the options of the output, which win over it. */
  readonly file: readonly string[];
}

/** Of one block that ffmpeg asks for: the deepest pixels are of 64 bits, packed. */
const BYTES_A_PIXEL = 8;
/** Not less, whatever the pixels: the index of a long film is of 60 MiB. */
const LEAST_ALLOC = 2 ** 27;
const INT_MAX = 2 ** 31 - 1;

/** Threads that ffmpeg takes by itself. */
const ownThreads = (cores: number): number => cores * 1.5;

/**
 * `-max_pixels` binds decoders and encoders, `-max_alloc` what filters make in between. Threads are only spoken of where
 * ffmpeg would take more by itself: one and a half for each of `cores`.
 */
export function limitWords({ pixels, threads }: Policy, cores: number): LimitWords {
  const fewer = threads !== undefined && threads < ownThreads(cores) ? `${threads}` : undefined;
  return {
    head: [
      ...(pixels === undefined
        ? []
        : ['-max_alloc', `${Math.min(Math.max(pixels * BYTES_A_PIXEL, LEAST_ALLOC), INT_MAX)}`]),
      ...(fewer === undefined ? [] : ['-filter_threads', fewer, '-filter_complex_threads', fewer]),
    ],
    file: [
      ...(pixels === undefined ? [] : ['-max_pixels', `${Math.min(pixels, INT_MAX)}`]),
      ...(fewer === undefined ? [] : ['-threads', fewer]),
    ],
  };
}

/** Refuses what is asked for in plain words beyond the policy; what comes of filters and files is seen as it runs. */
export function checkLimits(options: readonly ReadOption[], policy: Policy, cores: number, errors: FieldError[]): void {
  const told = new Set<string>();
  for (const option of options) {
    const error = overLimit(option, policy, cores);
    if (error === undefined || told.has(option.field)) continue;
    told.add(option.field);
    errors.push({ field: option.field, code: 'LIMIT_EXCEEDED', ...error });
  }
}

function overLimit(
  { name, key, values: [value = ''] }: ReadOption,
  { threads, pixels }: Policy,
  cores: number,
): Pick<FieldError, 'message' | 'allowed' | 'fix'> | undefined {
  if (threads !== undefined && (threadsAsked(name.name, value, ownThreads(cores)) ?? 0) > threads)
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
