import type { TextSpan } from '../../domain/problem.ts';
import { plainText } from '../../domain/text-validation.ts';

/** The characters of a value that are shown before and after the wrong part. */
const AROUND = 30;

/** The most carets. */
const MAX_CARETS = 40;

/** The part of a value that is wrong, with the text around it, and a line with carets below it. */
export function excerpt(value: string, { offset, length }: TextSpan): readonly [line: string, carets: string] {
  const from = Math.max(0, offset - AROUND);
  const to = Math.min(value.length, offset + length + AROUND);
  const before = from === 0 ? '' : '…';
  const after = to === value.length ? '' : '…';
  const carets = '^'.repeat(Math.min(MAX_CARETS, Math.max(1, length)));
  return [
    `${before}${plainText(value.slice(from, to))}${after}`,
    `${' '.repeat(before.length + offset - from)}${carets}`,
  ];
}
