import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { convertedPart } from '@telecine/contract/domain/converted-part.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';

/**
 * The length of the part of an input that its options and those of the output choose, in seconds. A recipe computes bit rates and fades with it.
 * Returns `duration` if the options choose no part.
 */
export function partLength(duration: number, input: Parameters = {}, output: Parameters = {}): number {
  const { start, end = duration } = convertedPart({ input, output, duration });
  return end > start ? rounded(end - start, 6) : duration;
}
