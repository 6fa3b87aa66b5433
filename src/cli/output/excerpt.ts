import textWidth from 'fast-string-truncated-width';
import type { TextSpan } from '../../domain/problem.ts';
import { plainText } from '../../domain/text-validation.ts';

/** The characters of a value that are shown before and after the wrong part. */
const AROUND = 30;

/** The most characters of the wrong part that are shown. */
const MAX_PART = 40;

/** The part of a value that is wrong, with the text around it, and a line with carets below it. */
export function excerpt(value: string, { offset, length }: TextSpan): readonly [line: string, carets: string] {
  const from = Math.max(0, offset - AROUND);
  const end = offset + Math.min(length, MAX_PART);
  const to = Math.min(value.length, end + AROUND);
  const before = `${from === 0 ? '' : '…'}${shown(value, from, offset)}`;
  const part = shown(value, offset, end);
  const carets = '^'.repeat(Math.max(1, widthOf(part)));
  return [
    `${before}${part}${shown(value, end, to)}${to === value.length ? '' : '…'}`,
    `${' '.repeat(widthOf(before))}${carets}`,
  ];
}

/** A part of the text without half characters. */
const shown = (text: string, from: number, to: number): string => plainText(text.slice(from, to).toWellFormed());

/** Columns of a terminal: those of Chinese and Japanese characters are two. */
const widthOf = (text: string): number => textWidth(text).width;
