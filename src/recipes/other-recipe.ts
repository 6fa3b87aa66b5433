import { extension, type MediaPath } from '../domain/media-path.ts';
import type { FieldError } from '../domain/problem.ts';
import type { ListedRecipe, Preset, Recipe } from '../domain/recipe.ts';
import { readValue } from './arguments.ts';
import { correctArguments } from './unknown-arguments.ts';

/*
 * Recipes whose names say more than that of the recipe of a request: `crop-to-aspect` for `crop`, `video-loudness` for
 * `loudness`. If one of them does what the request says, it is meant.
 */

const wordsOf = (name: string): readonly string[] => name.split('-');

/** Whether a recipe takes these arguments, and has all that it needs. */
function takes(recipe: Recipe, sent: NonNullable<Preset['arguments']>): boolean {
  const { errors } = correctArguments(recipe, sent);
  if (errors.length > 0) return false;
  return Object.entries(recipe.arguments).every(([name, argument]) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    return value === undefined ? argument.required !== true : !('wrong' in readValue(argument, value));
  });
}

/**
 * Replaces errors about arguments that a recipe does not have, or about an output that it does not write, by one with the
 * recipe that is meant. Returns other errors as they are.
 */
export function withOtherRecipe(
  errors: readonly FieldError[],
  { preset, output = '' }: { readonly preset: Preset; readonly output?: string | undefined },
  recipes: readonly ListedRecipe[],
): readonly FieldError[] {
  const about = errors.find(({ code }) => code === 'OTHER_EXTENSION' || code === 'UNKNOWN_ARGUMENT');
  if (about === undefined) return errors;
  const { arguments: sent = {} } = preset;
  const written = extension(output as MediaPath);
  const other = recipes.find(
    ({ name, outputs, ...rest }) =>
      name !== preset.name &&
      wordsOf(preset.name).every((word) => wordsOf(name).includes(word)) &&
      outputs.includes(written) &&
      takes({ name, outputs, ...rest }, sent),
  );
  if (other === undefined) return errors.map((one) => withRecipeOfOutput(one, preset, written, recipes));
  const meant = { name: other.name, ...(Object.keys(sent).length > 0 && { arguments: sent }) };
  return [{ ...about, fix: `Send "preset": ${JSON.stringify(meant)}.` }];
}

/**
 * Adds to the error about an output a recipe that writes it: the one of this name, or one for the same purpose. Of several, the
 * one whose usual output it is, and that writes the fewest others.
 */
function withRecipeOfOutput(
  error: FieldError,
  { name, arguments: sent = {} }: Preset,
  written: string,
  recipes: readonly ListedRecipe[],
): FieldError {
  if (error.code !== 'OTHER_EXTENSION' || typeof error.fix !== 'string') return error;
  const [purpose] = wordsOf(name);
  const writing = recipes
    .filter((one) => one.outputs.includes(written))
    .toSorted((a, b) => a.outputs.indexOf(written) - b.outputs.indexOf(written) || a.outputs.length - b.outputs.length);
  const found =
    writing.find((one) => one.name === written) ??
    writing.find((one) => wordsOf(one.name)[0] === purpose && takes(one, sent));
  if (found === undefined) return error;
  const meant = { name: found.name, ...(takes(found, sent) && Object.keys(sent).length > 0 && { arguments: sent }) };
  return {
    ...error,
    fix: `${error.fix.replace(/\.$/, '')}, or "preset": ${JSON.stringify(meant)} for a .${written}.`,
  };
}
