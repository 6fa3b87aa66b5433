import type { ConversionRequest } from '@telecine/client';
import { convertedPart, SEEK_OPTIONS } from '../../packages/contract/src/domain/converted-part.ts';
import { boundedRange, type Range } from '../trim/trim-range.ts';
import { partsOf } from '../workbench/cut-parts.ts';

/** Options with which the times of the output are not those of the part that is chosen, or the source is read several times. */
const OTHER_TIMES = ['itsoffset', 'itsscale', 'stream_loop', 'loop'];

const FRAME_COUNTS = ['frames:v', 'vframes', 'frames'];

/** A part that has at least one frame, in seconds. */
const ONE_FRAME = 1;

/**
 * The part of its first source that a request without a recipe converts into its first output, from the start of its first part to the end of
 * the last one. undefined: all of it, or it is chosen in a way that is not known here. `duration`: the length of the source in seconds.
 */
export function chosenPart(request: ConversionRequest, duration: number): Range | undefined {
  if (duration <= 0) return undefined;
  const chosen = rangeOf(request, duration);
  const range = chosen && boundedRange(chosen, { duration });
  return range === undefined || (range.start <= 0 && range.end >= duration) || range.end <= range.start
    ? undefined
    : range;
}

function rangeOf(
  { inputs: [first] = [], parameters, outputs, cut, join }: ConversionRequest,
  duration: number,
): Range | undefined {
  const [part, ...others] = partsOf(cut, duration) ?? [];
  if (part !== undefined)
    return {
      start: others.reduce((least, { start }) => Math.min(least, start), part.start),
      end: others.reduce((most, { end }) => Math.max(most, end), part.end),
    };
  const own = typeof first === 'object' ? first : {};
  const input = own.parameters ?? {};
  const output = { ...parameters, ...outputs?.[0]?.parameters };
  if (cut !== undefined || join !== undefined || own.duration !== undefined) return undefined;
  if (OTHER_TIMES.some((name) => name in input || (name !== 'loop' && name in output))) return undefined;
  const { start, end = duration } = convertedPart({ input, output, duration });
  if (!FRAME_COUNTS.some((name) => output[name] === '1')) return { start, end };
  // Only one frame is taken: at the chosen time, or where a filter finds one.
  return SEEK_OPTIONS.some((name) => name in input || name in output) ? { start, end: start + ONE_FRAME } : undefined;
}
