import type { Recipe } from '@telecine/client';
import { downToMilliseconds } from '../trim/trim-time.ts';
import type { Change } from './change-draft.ts';
import type { Draft, InputDraft, OptionRow } from './draft.ts';
import { changesForRange, isOfSource, readRange, type TrimPlace, trimPlace } from './trim-place.ts';

/** What is known of the first source. */
interface CarriedSource {
  /** Its duration. undefined: it is not read yet. */
  readonly seconds: number | undefined;
  /** Whether each source is converted by itself. */
  readonly isEach: boolean;
}

const TIMES: ReadonlySet<string> = new Set(['ss', 'to', 't']);

/**
 * The changes that keep the part which the arguments of a recipe choose, before the draft loses the recipe: options of the source then choose
 * the part.
 */
export const partToSource = (draft: Draft, recipe: Recipe, { seconds, isEach }: CarriedSource): readonly Change[] =>
  draftsOf(draft, isEach).flatMap((one) => toSource(one, recipe, durationOf(seconds)));

const durationOf = (seconds = Number.POSITIVE_INFINITY): number =>
  Number.isFinite(seconds) ? downToMilliseconds(seconds) : seconds;

function toSource(draft: Draft, recipe: Recipe, duration: number): readonly Change[] {
  const place = trimPlace(draft, recipe);
  const own = trimPlace(draft, undefined);
  if (place === undefined || own === undefined || !(isSet(draft, place.start) || isSet(draft, place.end))) return [];
  const range = readRange(place, draft, duration);
  // A recipe for one image has no end, and leaves that of the source.
  const to = place.end === undefined ? withoutEnd(own) : own;
  return Number.isFinite(range.start) ? changesForRange(to, range, { duration, draft }) : [];
}

/**
 * The changes that give a recipe the part which options of the source choose, if the recipe has arguments for it. Arguments that are set already
 * count instead, because the user has chosen the recipe by words with them.
 */
export function partToRecipe(draft: Draft, recipe: Recipe, { seconds, isEach }: CarriedSource): readonly Change[] {
  const duration = durationOf(seconds);
  const drafts = draftsOf(draft, isEach);
  const [first] = drafts;
  // The arguments are the same for all sources.
  if (first === undefined || new Set(drafts.map(({ inputs }) => timesOf(inputs[0]))).size > 1) return [];
  const own = trimPlace(first, undefined);
  const rows = timeRows(first.inputs[0]);
  if (own === undefined || !isOfSource(own) || rows.length === 0) return [];
  const empty = { ...first, inputs: first.inputs.map((input) => ({ ...input, rows: withoutTimes(input.rows) })) };
  const place = trimPlace(empty, recipe);
  if (place?.start.kind !== 'argument') return [];
  const hasEnd = rows.some(({ name }) => name !== 'ss');
  const isInWords = isSet(draft, place.start) || isSet(draft, place.end);
  const range = readRange(own, first, duration);
  const moved = rows.filter(({ name }) => name === 'ss' || place.end !== undefined).map(({ name }) => name);
  return [
    ...(isInWords ? [] : changesForRange(hasEnd ? place : withoutEnd(place), range, { duration, draft: empty })),
    ...drafts.flatMap(({ inputs }) =>
      moved.map((name) => ({ do: 'set-option', list: inputs[0]?.id ?? '', name, value: undefined }) as const),
    ),
  ];
}

/** The draft for each source of which the part is one: each, if each is converted by itself. */
const draftsOf = (draft: Draft, isEach: boolean): readonly Draft[] =>
  isEach ? draft.inputs.map((input) => ({ ...draft, inputs: [input] })) : [draft];

const isSet = ({ preset }: Draft, slot: TrimPlace['start'] | undefined): boolean =>
  slot?.kind === 'argument' && (preset?.arguments?.[slot.name] ?? '') !== '';

const withoutEnd = ({ start }: TrimPlace): TrimPlace => ({ start, isLength: false });

const timeRows = (input: InputDraft | undefined): readonly OptionRow[] =>
  (input?.rows ?? []).filter(({ name, value }) => TIMES.has(name) && value !== '');

const timesOf = (input: InputDraft | undefined): string =>
  timeRows(input)
    .map(({ name, value }) => `${name} ${value}`)
    .join(' ');

const withoutTimes = (rows: readonly OptionRow[]): readonly OptionRow[] => rows.filter(({ name }) => !TIMES.has(name));
