import type { ConversionRequest, Recipe } from '@telecine/client';
import { convertedPart } from '../../packages/contract/src/domain/converted-part.ts';
import { nextPath } from '../uploads/upload-item.ts';
import { changeDraft } from './change-draft.ts';
import { type Combination, type Draft, type InputDraft, otherClientOf } from './draft.ts';
import { NO_WORDS, type OutputWords, partWords } from './output-words.ts';
import { parametersFromRows, requestFromDraft } from './request-from-draft.ts';
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

/** The inputs that a recipe reads and that the draft lacks, in their order. Empty for a recipe that reads one file. */
export const missingInputs = (recipe: Recipe | undefined, count: number): Recipe['inputs'] =>
  recipe !== undefined && readsSeveral(recipe) ? recipe.inputs.slice(count) : [];

/** How the sources are converted. Default: each in its own job. A recipe that reads several inputs converts them together. */
export function combinationOf(draft: Draft, recipe: Recipe | undefined): Combination {
  if (draft.inputs.length < 2 || readsSeveral(recipe)) return 'together';
  if (draft.others.join !== undefined) return 'join';
  // Only one job can run in place of that of another client.
  return otherClientOf(draft) === undefined ? (draft.combination ?? 'each') : 'together';
}

/** The part of the draft that belongs to the request at `index`. If each source has a request, this is only one source. */
export const draftOfRequest = (draft: Draft, combination: Combination, index: number): Draft =>
  combination === 'each' ? { ...draft, inputs: draft.inputs.slice(index, index + 1) } : draft;

/** What determines the names of outputs that the user has not named. */
export interface OutputNames {
  readonly extension: string;
  readonly words?: OutputWords;
  /** Whether the recipe takes times. */
  readonly hasTimes?: boolean;
  /** The paths that these names must not have, because earlier jobs of this page have written them. */
  readonly taken?: ReadonlySet<string>;
}

/** The requests of the draft: one, or one for each source. Each output is next to its source and has a unique name. */
export function requestsFromDraft(
  draft: Draft,
  combination: Combination,
  names: OutputNames,
): readonly ConversionRequest[] {
  if (draft.inputs.length === 0) return [];
  if (combination !== 'each') return [requestFromDraft(draft, freeOutput(draft, names))];
  // Only one request can run in place of a job. Several are new jobs.
  const own = draft.retries === undefined ? draft : changeDraft(draft, { do: 'forget-retry' });
  const taken = new Set(names.taken);
  const outputs = own.outputs.map((output, i) => (i === 0 ? { ...output, output: '' } : output));
  return draft.inputs.map((input) => {
    const one = { ...own, inputs: [input], outputs };
    const path = freeOutput(one, { ...names, taken });
    taken.add(path);
    return requestFromDraft(one, path);
  });
}

/**
 * The suggested path of the first output, with a number if it is taken. It says which part of a single source is converted, unless the recipe
 * takes times or the part counts from the end.
 */
export function freeOutput(
  draft: Draft,
  { extension, words = NO_WORDS, hasTimes = false, taken }: OutputNames,
): string {
  const [first, ...others] = draft.inputs;
  const part = first === undefined || others.length > 0 || hasTimes ? [] : wordsOfPart(draft, first);
  const values = [words.values, ...part].filter((word) => word !== '').join('-');
  let path = suggestOutput(first?.input, extension, { ...words, values });
  while (taken?.has(path) === true) path = nextPath(path);
  return path;
}

function wordsOfPart({ rows, outputs }: Draft, source: InputDraft): readonly string[] {
  const output = { ...parametersFromRows(rows), ...parametersFromRows(outputs[0]?.rows ?? []) };
  const { start, end } = convertedPart({ input: parametersFromRows(source.rows), output });
  return partWords(start, end);
}
