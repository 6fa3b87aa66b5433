import { closestMatch } from '../domain/closest-match.ts';
import { sendParts } from '../domain/command-line.ts';
import type { Parameters } from '../domain/conversion.ts';
import { hint } from '../domain/hint.ts';
import type { FieldError } from '../domain/problem.ts';
import type { ListedRecipe, Preset } from '../domain/recipe.ts';
import { isEncoderPreset } from '../domain/synonyms/encoder-presets.ts';

/**
 * The error for a preset whose name no recipe has. `parameters` are those of the request: the fix for a preset of an
 * encoder repeats them, so that they are not lost.
 */
export function unknownRecipe(
  { name }: Preset,
  recipes: readonly ListedRecipe[],
  parameters: Parameters = {},
): FieldError {
  const error = { field: '/preset/name', code: 'UNKNOWN_RECIPE' };
  const shown = JSON.stringify(name.slice(0, 100));
  if (isEncoderPreset(name)) {
    const send = sendParts({ parameters: { ...parameters, preset: name.trim() } }).slice(0, -1);
    return {
      ...error,
      message: `There is no recipe ${shown}. That is a preset of encoders, which is one of the "parameters".`,
      fix: [`${send}, and leave this "preset" out. For a recipe: `, { do: 'find-recipe' }, '.'],
    };
  }
  const near = closestMatch(name, new Set(recipes.map((one) => one.name)));
  return {
    ...error,
    message: `There is no recipe ${shown}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    fix: near === undefined ? hint`Find one: ${{ do: 'find-recipe' }}.` : `Send ${JSON.stringify(near)}.`,
  };
}
