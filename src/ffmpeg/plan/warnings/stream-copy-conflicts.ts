import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** Whether every stream that `specifier` means is copied; false where it means none. */
const allCopied = (makers: StreamEncoders, specifier: string | undefined): boolean => {
  const found = makers.of(specifier);
  return found.length > 0 && found.every(({ encoder }) => encoder === undefined);
};

/** Filters of streams that are copied: ffmpeg refuses both together before it does anything. */
export function rejectFilteredCopies(
  options: readonly ArgvOption[],
  makers: StreamEncoders,
  errors: FieldError[],
): void {
  for (const { key, name, field } of options)
    if (name.name === 'filter' && allCopied(makers, name.specifier) && !errors.some((error) => error.field === field))
      errors.push({
        field,
        code: 'NEEDS_ENCODER',
        message: `"${key}" changes the pictures or the sound, so they cannot be copied.`,
        fix: `Send an encoder, such as ${name.specifier?.startsWith('a') ? '"c:a": "aac"' : '"c:v": "libx264"'}, or leave "${key}" out.`,
      });
}

/** What an encoder would do, and a copy leaves as it is. */
const DONE_BY_ENCODERS: Readonly<Record<string, 'v' | 'a'>> = {
  r: 'v',
  s: 'v',
  pix_fmt: 'v',
  ar: 'a',
  ac: 'a',
  sample_fmt: 'a',
  ch_layout: 'a',
};

/** Options that have no effect on streams that are copied. */
export const streamCopyConflicts = (options: readonly ArgvOption[], makers: StreamEncoders): readonly Warning[] =>
  options.flatMap(({ key, name, field }) => {
    const kind = DONE_BY_ENCODERS[name.name];
    if (kind === undefined || !allCopied(makers, name.specifier ?? kind)) return [];
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `"${key}" has no effect on the ${kind === 'v' ? 'pictures' : 'sound'}: a copy leaves it as it is.`,
        fix: `Send an encoder ("c:${kind}"), or leave "${key}" out.`,
      },
    ];
  });
