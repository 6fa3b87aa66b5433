import type { RecipeDefinition } from '@telecine/client';
import { isAtControl } from '../ui/field-place.ts';

/** Where a value is in a recipe: names and indices, as in a JSON Pointer. */
export type RecipePath = readonly (string | number)[];

/** A value that a recipe sets: an option of ffmpeg, or a member of the request such as the target of a quality. */
export interface RecipeOption {
  readonly path: RecipePath;
  readonly name: string;
  /** The text, or those of a list. undefined: the value is a choice between two texts, which this page only shows. */
  readonly texts?: readonly string[];
  /** The value as JSON, if it has no texts of its own. */
  readonly json?: string;
}

/** Whether it is an option of ffmpeg, and not a member of the request or a time of an input. */
export const isOption = ({ path }: Pick<RecipeOption, 'path'>): boolean => path.at(-2) === 'parameters';

/** The options of one part of a recipe. */
export interface OptionGroup {
  readonly title: string;
  readonly side: 'input' | 'output';
  readonly options: readonly RecipeOption[];
}

type Value = RecipeDefinition['request']['parameters'][string];

/** All that a recipe sets, by what it is for: each input, the outputs, and the settings of the request. */
export function optionGroups({ inputs, request }: RecipeDefinition): readonly OptionGroup[] {
  const { parameters, outputs = [], quality, ladder, transcribe, thumbnailTrack, cut } = request;
  const groups: readonly OptionGroup[] = [
    ...inputs.map(
      ({ role, parameters: own = {}, duration, crossfade }, index): OptionGroup => ({
        title: `Of the input ${role}`,
        side: 'input',
        options: [
          ...optionsOf(own, ['inputs', index, 'parameters']),
          ...optionsOf({ duration, crossfade }, ['inputs', index]),
        ],
      }),
    ),
    {
      title: outputs.length > 0 ? 'Of all outputs' : 'Of the output',
      side: 'output',
      options: optionsOf(parameters, ['request', 'parameters']),
    },
    ...outputs.map(
      ({ role, parameters: own }, index): OptionGroup => ({
        title: `Of the output ${role}`,
        side: 'output',
        options: optionsOf(own, ['request', 'outputs', index, 'parameters']),
      }),
    ),
    {
      title: 'Of the whole conversion',
      side: 'output',
      options: Object.entries({ quality, ladder, transcribe, thumbnailTrack, cut }).flatMap(([name, settings = {}]) =>
        settingsIn(settings, ['request', name]),
      ),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

const optionsOf = (options: Readonly<Record<string, Value | undefined>>, path: RecipePath): readonly RecipeOption[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [optionOf(name, value, [...path, name])],
  );

function optionOf(name: string, value: Value, path: RecipePath): RecipeOption {
  return typeof value === 'object' && !Array.isArray(value)
    ? { path, name, json: JSON.stringify(value) }
    : { path, name, texts: [value].flat().map(String) };
}

/** The texts in an object of the request, such as `remove.silence.minSeconds` of `cut`. */
const settingsIn = (settings: object, path: RecipePath): readonly RecipeOption[] =>
  Object.entries(settings).flatMap(([name, value]: readonly [string, unknown]) => {
    const own = [...path, name];
    if (typeof value === 'string') return [{ path: own, name: own.slice(1).join('.'), texts: [value] }];
    return typeof value === 'object' && value !== null ? settingsIn(value, own) : [];
  });

/** The recipe with another text of an option. `index`: which of a list. */
export function withText(
  definition: RecipeDefinition,
  { path, texts = [] }: RecipeOption,
  index: number,
  text: string,
): RecipeDefinition {
  const value = texts.length === 1 && !isListAt(definition, path) ? text : texts.with(index, text);
  return replaceAt(definition, path, value) as RecipeDefinition;
}

/** The recipe without an option. */
export const withoutOption = (definition: RecipeDefinition, { path }: RecipeOption): RecipeDefinition =>
  replaceAt(definition, path, undefined) as RecipeDefinition;

function isListAt(definition: RecipeDefinition, path: RecipePath): boolean {
  let value: unknown = definition;
  for (const key of path) value = (value as Readonly<Record<string | number, unknown>>)[key];
  return Array.isArray(value);
}

/** A copy of a value with another one at a path. undefined: the member is left out. */
function replaceAt(whole: unknown, [key, ...rest]: RecipePath, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(whole)) return whole.with(Number(key), replaceAt(whole[Number(key)], rest, value));
  const { [key]: before, ...others } = whole as Readonly<Record<string | number, unknown>>;
  const after = replaceAt(before, rest, value);
  if (after === undefined) return others;
  // The order of options counts: of two that set the same, the last one.
  return Object.fromEntries(
    Object.entries(whole as object).map(([name, one]) => [name, name === String(key) ? after : one]),
  );
}

/** The name of the control of a value, by which its errors find it: `recipe.request.parameters.crf`. */
export const controlOf = (path: RecipePath): string => ['recipe', ...path].join('.');

/** Whether a message is about an option, which shows it. */
export const isAtOption = (
  { field = '' }: { readonly field?: string | undefined },
  groups: readonly OptionGroup[],
): boolean => groups.some(({ options }) => options.some(({ path }) => isAtControl(field, controlOf(path))));
