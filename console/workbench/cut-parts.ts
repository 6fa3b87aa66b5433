import type { Recipe } from '@telecine/client';
import type { Range } from '../trim/trim-range.ts';
import { downToMilliseconds, secondsOf } from '../trim/trim-time.ts';
import type { Change } from './change-draft.ts';
import type { Draft } from './draft.ts';
import { changesForRange, type TrimPlace } from './trim-place.ts';

type Cut = NonNullable<Draft['others']['cut']>;

/** The most parts that a person cuts by hand. A cut of copied streams allows no more. */
const MAX_PARTS = 100;

/** The parts of the source that a cut keeps, in their order. undefined: it keeps one part, or the job finds the parts. */
export function partsOf(cut: Cut | undefined, duration: number): readonly Range[] | undefined {
  const { keep } = cut ?? {};
  if (!Array.isArray(keep)) return undefined;
  const seconds = (time: string | number | undefined): number | undefined =>
    time === undefined ? undefined : secondsOf(String(time), duration);
  return keep.map(({ start, end }) => ({ start: seconds(start) ?? 0, end: seconds(end) ?? duration }));
}

/** The change that keeps these parts. Without parts, the draft keeps the whole source. */
export const keepParts = ({ others: { cut } }: Draft, parts: readonly Range[]): Change => ({
  do: 'set-others',
  others: {
    cut: parts.length === 0 ? undefined : ({ ...cut, keep: parts.map(({ start, end }) => ({ start, end })) } as Cut),
  },
});

/** Whether the draft can keep several parts: it reads one file, and the values that choose a single part can be empty. */
export function canKeepParts({ inputs }: Draft, recipe: Recipe | undefined, { start, end }: TrimPlace): boolean {
  const mayBeEmpty = (slot: TrimPlace['start']): boolean =>
    slot.kind === 'option' || (slot.argument.default === undefined && slot.argument.required !== true);
  return (
    inputs.length === 1 &&
    (recipe?.inputs.length ?? 1) === 1 &&
    recipe?.request.outputs === undefined &&
    end !== undefined &&
    mayBeEmpty(start) &&
    mayBeEmpty(end)
  );
}

/** The changes after which the draft keeps a further part besides the one that its values choose. */
export const addFirstPart = (
  place: TrimPlace,
  range: Range,
  { draft, duration }: { readonly draft: Draft; readonly duration: number },
): readonly Change[] => [
  ...changesForRange(place, { start: 0, end: duration }, { draft, duration }),
  keepParts(draft, withFreePart([range], duration)),
];

/** The parts with a further one, in the middle of the largest piece that is not kept. Unchanged if there is no room. */
export function withFreePart(parts: readonly Range[], duration: number): readonly Range[] {
  if (parts.length >= MAX_PARTS) return parts;
  const sorted = parts.toSorted((a, b) => a.start - b.start);
  const gaps = [...sorted, { start: duration, end: duration }].map(({ start }, at) => {
    const from = Math.max(0, ...sorted.slice(0, at).map(({ end }) => end));
    return { start: from, end: start };
  });
  const [largest] = gaps.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  if (largest === undefined || largest.end - largest.start < SHORTEST) return parts;
  const quarter = (largest.end - largest.start) / 4;
  const free = {
    start: downToMilliseconds(largest.start + quarter),
    end: downToMilliseconds(largest.end - quarter),
  };
  return [...parts, free].sort((a, b) => a.start - b.start);
}

/** A further part needs a free piece of the source of at least this length, in seconds. */
const SHORTEST = 0.5;
