import type { Range } from './trim-range.ts';
import { secondsOf } from './trim-time.ts';

/** Two times with a sign between them: a dash or "to" before an end, a plus before a length. */
const PART = /^\s*([\d.:]+(?:m?s)?)\s*(-|–|—|to|\+)\s*([\d.:]+(?:m?s)?)\s*$/i;

/**
 * Reads a part that a user has typed, by its end or by its length: `2-5`, `0:02 – 0:05`, `2 to 5`, `2+3`. undefined: another text, or a part
 * that is empty or not within the source.
 */
export function partOf(text: string, duration: number): Range | undefined {
  const [, first = '', sign = '', second = ''] = PART.exec(text) ?? [];
  const [start, other] = [secondsOf(first, duration), secondsOf(second, duration)];
  if (start === undefined || other === undefined) return undefined;
  const end = Math.min(sign === '+' ? start + other : other, duration);
  return end > start ? { start, end } : undefined;
}
