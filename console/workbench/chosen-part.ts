import type { Recipe } from '@telecine/client';
import { boundedRange, type Range } from '../trim/trim-range.ts';
import { partsOf } from './cut-parts.ts';
import type { Draft } from './draft.ts';
import { boundsOf, hasStart, readRange, trimPlace } from './trim-place.ts';

/**
 * The part of the first source that a draft converts, from the start of its first part to the end of the last one. undefined: all of it, or
 * it is chosen in a way that is not known here. `duration`: the length of the source in seconds.
 */
export function chosenPart(draft: Draft, recipe: Recipe | undefined, duration: number): Range | undefined {
  if (duration <= 0) return undefined;
  const range = rangeOf(draft, recipe, duration);
  return range === undefined || (range.start <= 0 && range.end >= duration) || range.end <= range.start
    ? undefined
    : range;
}

function rangeOf(draft: Draft, recipe: Recipe | undefined, duration: number): Range | undefined {
  const [first, ...others] = partsOf(draft, duration) ?? [];
  if (first !== undefined)
    return boundedRange(
      {
        start: others.reduce((least, { start }) => Math.min(least, start), first.start),
        end: others.reduce((most, { end }) => Math.max(most, end), first.end),
      },
      { duration },
    );
  const place = trimPlace(draft, recipe);
  if (place === undefined) return undefined;
  const range = boundedRange(readRange(place, draft, duration), boundsOf(place, { duration }));
  if (place.end !== undefined) return range;
  // Only one frame is taken: at the chosen time, or where the recipe finds one.
  return hasStart(place, draft) ? { start: range.start, end: Math.min(duration, range.start + ONE_FRAME) } : undefined;
}

/** A part that has at least one frame, in seconds. */
const ONE_FRAME = 1;
