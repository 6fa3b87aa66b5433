import type { FieldError } from '@telecine/client';

/** An error in a text, with its place if the service knows it. */
export type Mark = Pick<FieldError, 'message' | 'at'>;

/** What an editor underlines. A place behind the end of the text is its end: the text may be newer than the error. */
export function underlinesOf(marks: readonly Mark[], length: number) {
  return marks.flatMap(({ at, message }) => {
    if (at === undefined) return [];
    const from = Math.min(at.offset, length);
    return [{ from, to: Math.min(from + at.length, length), severity: 'error' as const, message }];
  });
}

/** Whether the marks are of the same check. Errors of another check may have the same places, but are other objects. */
export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]): boolean =>
  a.length === b.length && a.every((mark, i) => mark === b[i]);
