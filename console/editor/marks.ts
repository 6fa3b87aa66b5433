import type { FieldError } from '@telecine/client';
import { withoutCode } from '../ui/code-parts.ts';

/** An error in a text. `at` is absent if the service does not know the place. */
export type Mark = Pick<FieldError, 'message' | 'at'>;

/**
 * The ranges that an editor underlines. A place after the end of the text is moved to the end, because the text may have become shorter
 * since the check.
 */
export function underlinesOf(marks: readonly Mark[], length: number) {
  return marks.flatMap(({ at, message }) => {
    if (at === undefined) return [];
    const from = Math.min(at.offset, length);
    return [
      { from, to: Math.min(from + at.length, length), severity: 'error' as const, message: withoutCode(message) },
    ];
  });
}

/** Whether two lists contain the errors of the same check. Another check returns other objects, even for errors at the same places. */
export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]): boolean =>
  a.length === b.length && a.every((mark, i) => mark === b[i]);
