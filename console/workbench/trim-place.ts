import type { Recipe } from '@telecine/client';
import type { Bounds, Range } from '../trim/trim-range.ts';
import { secondsOf, timeText } from '../trim/trim-time.ts';
import { type Change, SHARED } from './change-draft.ts';
import type { Draft, OptionRow } from './draft.ts';

type Argument = Recipe['arguments'][string];
type TimeArgument = Extract<Argument, { readonly type: 'time' }>;

/** A value of the draft that holds a time: an argument of the recipe, or an option. */
type Slot =
  | { readonly kind: 'argument'; readonly name: string; readonly argument: TimeArgument }
  | { readonly kind: 'option'; readonly list: string; readonly name: string };

/** The values of a draft that choose a part of the first source. */
export interface TrimPlace {
  readonly start: Slot;
  /** undefined: the recipe takes only one time, such as the time of an image. */
  readonly end?: Slot;
  /** Whether the value of `end` is a length. */
  readonly isLength: boolean;
}

const TIMES: ReadonlySet<string> = new Set(['ss', 'to', 't']);
/** Options with which two points do not say which part of the source is converted. */
const OTHER_TIMES: ReadonlySet<string> = new Set(['sseof', 'itsoffset', 'itsscale', 'stream_loop', 'loop']);

/**
 * Finds the values that choose a part of the first source: arguments with which a recipe fills the options `ss`, `to` and `t` of its first
 * input, otherwise these options of the source or of the output, otherwise new options of the source. undefined: the draft chooses a part in
 * another way, or the recipe decides it.
 */
export function trimPlace(draft: Draft, recipe: Recipe | undefined): TrimPlace | undefined {
  const [input] = draft.inputs;
  if (input?.input === undefined || input.duration !== undefined) return undefined;
  if (draft.others.cut !== undefined || draft.others.join !== undefined) return undefined;
  if (recipe !== undefined && (recipe.request.cut ?? recipe.request.join) !== undefined) return undefined;
  const [role] = recipe?.inputs ?? [];
  const ofSource = [...input.rows, ...draft.rows].map(({ name }) => name);
  const ofOutputs = [
    ...draft.outputs.flatMap(({ rows }) => rows.map(({ name }) => name)),
    ...Object.keys(recipe?.request.parameters ?? {}),
  ];
  if (role?.many === true || ofOutputs.some((name) => TIMES.has(name))) return undefined;
  if ([...ofSource, ...Object.keys(role?.parameters ?? {})].some((name) => OTHER_TIMES.has(name))) return undefined;
  const option = (list: string, rows: readonly OptionRow[], ...names: readonly string[]): Slot | undefined => {
    const row = rows.find(({ name }) => names.includes(name));
    return row && { kind: 'option', list, name: row.name };
  };
  const ofRole = (name: string): Slot | 'fixed' | undefined => slotOf(role?.parameters?.[name], recipe);
  const [ownStart, allStart] = [option(input.id, input.rows, 'ss'), option(SHARED, draft.rows, 'ss')];
  const recipeStart = ofRole('ss');
  const [recipeEnd, recipeLength] = [ofRole('to'), ofRole('t')];
  if ([recipeStart, recipeEnd, recipeLength].includes('fixed')) return undefined;
  const first = ownStart ?? (recipeStart as Slot | undefined);
  // With a start at both sides, the times add up.
  if (first !== undefined && allStart !== undefined) return undefined;
  const start: Slot = first ?? allStart ?? { kind: 'option', list: input.id, name: 'ss' };
  if (recipeStart !== undefined && recipeEnd === undefined && recipeLength === undefined && isOneFrame(recipe))
    return { start, isLength: false };
  const ownEnd = option(input.id, input.rows, 'to', 't');
  const ofRecipe = (recipeEnd ?? recipeLength) as Slot | undefined;
  const end = ownEnd ?? ofRecipe ?? option(SHARED, draft.rows, 'to', 't');
  if (end === undefined) return { start, end: { kind: 'option', list: input.id, name: 'to' }, isLength: false };
  const isOfOutput = end.kind === 'option' && end.list === SHARED;
  const isAfterCut = isOfOutput && start !== allStart;
  const isLengthOfSource = end === ownEnd ? end.name === 't' : !isOfOutput && recipeEnd === undefined;
  // `t` of the source counts from its start if only the output has `ss`.
  const isLength = isOfOutput ? isAfterCut || end.name === 't' : isLengthOfSource && start !== allStart;
  return { start, end, isLength };
}

/**
 * Finds the options with which one of several sources is read in part, whatever the others are: `ss` and `to` or `t` of this source. undefined:
 * the draft chooses a part in another way, or the recipe decides it.
 */
export function trimPlaceOfInput(draft: Draft, recipe: Recipe | undefined, index: number): TrimPlace | undefined {
  const input = draft.inputs[index];
  if (input?.input === undefined || input.duration !== undefined || draft.inputs.length < 2) return undefined;
  if (draft.others.cut !== undefined || recipe?.request.cut !== undefined) return undefined;
  const last = recipe?.inputs.at(-1);
  const role = recipe?.inputs[index] ?? (last?.many === true ? last : undefined);
  if (recipe !== undefined && (role === undefined || role.duration !== undefined)) return undefined;
  const ofRole = Object.keys(role?.parameters ?? {});
  if (ofRole.some((name) => TIMES.has(name))) return undefined;
  if ([...input.rows.map(({ name }) => name), ...ofRole].some((name) => OTHER_TIMES.has(name))) return undefined;
  const own = (...names: readonly string[]) => input.rows.find(({ name }) => names.includes(name))?.name;
  const end = own('to', 't') ?? 'to';
  const slot = (name: string): Slot => ({ kind: 'option', list: input.id, name });
  return { start: slot('ss'), end: slot(end), isLength: end === 't' };
}

/** The argument that fills an option of a recipe. `fixed`: the recipe decides the value in another way. */
function slotOf(value: unknown, recipe: Recipe | undefined): Slot | 'fixed' | undefined {
  if (value === undefined) return undefined;
  const [, name] = (typeof value === 'string' && /^\{\{(\w+)\}\}$/.exec(value)) || [];
  const argument = name === undefined ? undefined : recipe?.arguments[name];
  return name === undefined || argument?.type !== 'time' ? 'fixed' : { kind: 'argument', name, argument };
}

const isOneFrame = (recipe: Recipe | undefined): boolean =>
  ['frames:v', 'vframes', 'frames'].some((name) => recipe?.request.parameters[name] === '1');

/** The rows of a list that hold a time. */
const rowsOf = (draft: Draft, list: string): readonly OptionRow[] =>
  list === SHARED ? draft.rows : (draft.inputs.find(({ id }) => id === list)?.rows ?? []);

/** The value that the user has set. */
function setValue(draft: Draft, slot: Slot): string | undefined {
  if (slot.kind === 'option') return rowsOf(draft, slot.list).find(({ name }) => name === slot.name)?.value;
  const value = draft.preset?.arguments?.[slot.name];
  return value === undefined ? undefined : String(value);
}

const shownValue = (draft: Draft, slot: Slot): string => setValue(draft, slot) ?? defaultOf(slot) ?? '';

/** The part that the values of the draft choose. A value that is empty or not a time counts as the start or the end of the source. */
export function readRange(place: TrimPlace, draft: Draft, duration: number): Range {
  const start = secondsOf(shownValue(draft, place.start), duration) ?? 0;
  const end = place.end && secondsOf(shownValue(draft, place.end), duration);
  if (end === undefined) return { start, end: duration };
  return { start, end: place.isLength ? start + end : end };
}

/** Whether the values belong to the source alone. Otherwise, all sources that are converted by themselves have them. */
export const isOfSource = ({ start, end = start }: TrimPlace): boolean =>
  [start, end].every((slot) => slot.kind === 'option' && slot.list !== SHARED);

/** Whether the draft chooses the time of an image. Without one, the recipe takes an image of its choice. */
export const hasStart = (place: TrimPlace, draft: Draft): boolean => shownValue(draft, place.start) !== '';

/** The limits of a part, from the source and the argument for its length. */
export function boundsOf(
  { end, isLength }: TrimPlace,
  { duration, fps }: { readonly duration: number; readonly fps?: number | undefined },
): Bounds {
  const { min, max } = end?.kind === 'argument' && isLength ? end.argument : {};
  return { duration, fps, minLength: min, maxLength: max };
}

/** The changes of the draft that choose a part. The start and the end of the source need no value. */
export function changesForRange(
  place: TrimPlace,
  { start, end }: Range,
  { duration, draft }: { readonly duration: number; readonly draft: Draft },
): readonly Change[] {
  const { end: ofEnd, isLength } = place;
  const startText = start <= 0 && ofEnd !== undefined ? '0' : timeText(start);
  const isToEnd = end >= duration - 0.0005;
  const endText = isLength ? timeText(end - start) : timeText(end);
  return [
    ...changeFor(place.start, startText, startText === '0' && ofEnd !== undefined, draft),
    // An empty value would mean the default length of the recipe, if it has one.
    ...(ofEnd === undefined ? [] : changeFor(ofEnd, endText, isToEnd && defaultOf(ofEnd) === undefined, draft)),
  ];
}

const defaultOf = (slot: Slot): string | undefined => (slot.kind === 'argument' ? slot.argument.default : undefined);

function changeFor(slot: Slot, text: string, isUsual: boolean, draft: Draft): readonly Change[] {
  const value = isUsual || text === defaultOf(slot) ? undefined : text;
  const current = setValue(draft, slot);
  if (value === current || (value !== undefined && isSameTime(current, value))) return [];
  return slot.kind === 'argument'
    ? [{ do: 'set-argument', name: slot.name, value }]
    : [{ do: 'set-option', list: slot.list, name: slot.name, value }];
}

/** Whether the user has typed the same time in another form, which then stays. */
const isSameTime = (typed: string | undefined, text: string): boolean =>
  typed !== undefined && Math.abs((secondsOf(typed, 0) ?? -1) - (secondsOf(text, 0) ?? -2)) < 0.0005;
