import type { Parameters } from '../domain/conversion.ts';
import { sendIn, withMore } from '../domain/edit.ts';
import { type FieldError, pointerToken } from '../domain/problem.ts';
import type { Preset, Recipe } from '../domain/recipe.ts';
import { areSynonyms } from './argument-words.ts';
import { accepts, correctArguments, withMeantValues } from './unknown-arguments.ts';

/**
 * Errors for names in "parameters" that are arguments of the recipe: `{"height": "720"}`. All errors have the same fix, which moves all
 * arguments. Other names have no error here.
 */
export function misplacedArguments(
  recipe: Recipe,
  { name: preset, arguments: sent = {} }: Preset,
  options: Parameters,
  names: readonly string[],
): readonly FieldError[] {
  let own = sent;
  const misplaced: string[] = [];
  // The start comes first, because the length of a part is its end without its start.
  const sorted = names.toSorted((a, b) => Number(areSynonyms(b, 'start')) - Number(areSynonyms(a, 'start')));
  for (const name of sorted) {
    const value = options[name];
    if (typeof value !== 'string' || Object.hasOwn(own, name)) continue;
    const { arguments: all, isWhole } = correctArguments(recipe, { ...own, [name]: value });
    const meant = withMeantValues(recipe, all);
    // A number for an argument that takes one of a few words is an option of ffmpeg.
    const isExact = Number.isNaN(Number(value)) || accepts(recipe, all);
    if (!isWhole || !isExact || !accepts(recipe, meant)) continue;
    own = meant;
    misplaced.push(name);
  }
  const send = sendIn({ beside: 'parameters' }, 'preset', { name: preset, arguments: own });
  return misplaced.map((name) => ({
    field: `/parameters/${pointerToken(name)}`,
    code: 'MISPLACED',
    message: `${JSON.stringify(name)} is an argument of the recipe "${preset}", and not an option of ffmpeg.`,
    fix: withMore(send, { do: 'remove', name }),
  }));
}
