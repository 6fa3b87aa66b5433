import type { ConversionRequest, Recipe } from '@telecine/client';
import { nextPath } from '../uploads/upload-item.ts';
import type { Combination, Draft } from './draft.ts';
import { requestFromDraft } from './request-from-draft.ts';
import { suggestOutput } from './suggest-output.ts';

/** Whether a recipe reads several files in one conversion, such as a video and its subtitles. */
export const readsSeveral = (recipe: Recipe | undefined): boolean =>
  recipe !== undefined && (recipe.inputs.length > 1 || recipe.inputs.some(({ many }) => many === true));

/** The role of the input at `index` in a recipe, such as `film` or `logo`. undefined: there is no recipe, or it has only one input. */
export function roleOf(recipe: Recipe | undefined, index: number): string | undefined {
  if (recipe === undefined || (recipe.inputs.length < 2 && recipe.inputs[0]?.many === undefined)) return undefined;
  const last = recipe.inputs.at(-1);
  return (recipe.inputs[index] ?? (last?.many ? last : undefined))?.role;
}

/** How the sources are converted. Default: each in its own job. A recipe that reads several inputs converts them together. */
export function combinationOf(draft: Draft, recipe: Recipe | undefined): Combination {
  if (draft.inputs.length < 2 || readsSeveral(recipe)) return 'together';
  return draft.others.join === undefined ? (draft.combination ?? 'each') : 'join';
}

/** The part of the draft that belongs to the request at `index`. If each source has a request, this is only one source. */
export const draftOfRequest = (draft: Draft, combination: Combination, index: number): Draft =>
  combination === 'each' ? { ...draft, inputs: draft.inputs.slice(index, index + 1) } : draft;

/** The requests of the draft: one, or one for each source. Each output is next to its source and has a unique name. */
export function requestsFromDraft(
  draft: Draft,
  combination: Combination,
  extension: string,
): readonly ConversionRequest[] {
  if (draft.inputs.length === 0) return [];
  if (combination !== 'each') return [requestFromDraft(draft, suggestOutput(draft.inputs[0]?.input, extension))];
  const taken = new Set<string>();
  const outputs = draft.outputs.map((output, i) => (i === 0 ? { ...output, output: '' } : output));
  return draft.inputs.map((input) => {
    let path = suggestOutput(input.input, extension);
    while (taken.has(path)) path = nextPath(path);
    taken.add(path);
    return requestFromDraft({ ...draft, inputs: [input], outputs }, path);
  });
}
