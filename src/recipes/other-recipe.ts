import { sendMember } from '../domain/edit.ts';
import { extension, type MediaPath } from '../domain/media-path.ts';
import type { FieldError } from '../domain/problem.ts';
import type { ArgumentValue, ListedRecipe, Preset, Recipe } from '../domain/recipe.ts';
import { meantValue } from './argument-words.ts';
import { readValue } from './arguments.ts';
import { correctArguments } from './unknown-arguments.ts';

/*
 * Recipes whose names say more than that of the recipe of a request: `crop-to-aspect` for `crop`, `video-loudness` for
 * `loudness`. If one of them does what the request says, it is meant.
 */

const wordsOf = (name: string): readonly string[] => name.split('-');

type Arguments = NonNullable<Preset['arguments']>;

/**
 * The arguments as a recipe takes them, with what wrong values mean: `-16` for `-16 LUFS`. undefined if it lacks one of them, if it
 * needs more, or if a value means nothing.
 */
function argumentsFor(recipe: Recipe, sent: Arguments): Arguments | undefined {
  if (correctArguments(recipe, sent).errors.length > 0) return undefined;
  const known = Object.entries(recipe.arguments);
  const meant = known.flatMap(([name, argument]): readonly (readonly [string, ArgumentValue | undefined])[] => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined) return argument.required === true ? [[name, undefined]] : [];
    if (!('wrong' in readValue(argument, value))) return [[name, value]];
    const other = meantValue(argument, name, value);
    return [[name, other === undefined || 'wrong' in readValue(argument, other) ? undefined : other]];
  });
  if (meant.some(([, value]) => value === undefined)) return undefined;
  return { ...sent, ...(Object.fromEntries(meant) as Arguments) };
}

const presetOf = (name: string, own: Arguments = {}): Preset => ({
  name,
  ...(Object.keys(own).length > 0 && { arguments: own }),
});

/** The fix for an output that a recipe does not write. `or`: what else would help, as the end of the sentence. */
export const otherOutput = (extension: string, or = ''): string => `Send an output that ends with "${extension}"${or}.`;

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
    (one) =>
      one.name !== preset.name &&
      wordsOf(preset.name).every((word) => wordsOf(one.name).includes(word)) &&
      one.outputs.includes(written) &&
      argumentsFor(one, sent) !== undefined,
  );
  if (other === undefined) return errors.map((one) => withRecipeOfOutput(one, preset, written, recipes));
  return [{ ...about, fix: sendMember('preset', presetOf(other.name, argumentsFor(other, sent))) }];
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
  const [allowed] = error.allowed ?? [];
  if (error.code !== 'OTHER_EXTENSION' || allowed === undefined) return error;
  const [purpose] = wordsOf(name);
  const writing = recipes
    .filter((one) => one.outputs.includes(written))
    .toSorted((a, b) => a.outputs.indexOf(written) - b.outputs.indexOf(written) || a.outputs.length - b.outputs.length);
  const found =
    writing.find((one) => one.name === written) ??
    writing.find((one) => wordsOf(one.name)[0] === purpose && argumentsFor(one, sent) !== undefined);
  if (found === undefined) return error;
  const preset = JSON.stringify(presetOf(found.name, argumentsFor(found, sent)));
  return { ...error, fix: otherOutput(allowed, `, or "preset": ${preset} for a .${written}`) };
}
