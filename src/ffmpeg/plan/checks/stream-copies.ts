import type { FieldError } from '../../../domain/problem.ts';
import { areAllCopied, type StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Rejects filters on copied streams. ffmpeg does not start if a stream is both copied and filtered. */
export function rejectFilteredCopies(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  errors: FieldError[],
): void {
  for (const { key, name, field } of options) {
    if (name.name !== 'filter' || !areAllCopied(encoders, name.specifier)) continue;
    if (errors.some((error) => error.field === field)) continue;
    const encoder = name.specifier?.startsWith('a') ? '"c:a": "aac"' : '"c:v": "libx264"';
    errors.push({
      field,
      code: 'NEEDS_ENCODER',
      message: `"${key}" filters a stream that is copied. Only a re-encoded stream can be filtered.`,
      fix: `Send an encoder, such as ${encoder}, or leave "${key}" out.`,
    });
  }
}
