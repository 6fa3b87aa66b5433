import type { Recipe } from '@telecine/client';

/** Matches a number in a text, with a decimal point or comma: `8`, `1.5`. Does not match the `4` of `mp4`. */
const NUMBER = /(?<![\p{L}\d.,:])\d+(?:[.,]\d+)?(?![\d:])/gu;

/**
 * Finds the value of an argument in the words of the search for a recipe: `fit in 8 MB` contains a size of 8. undefined, unless the recipe
 * requires exactly one argument, this is a number, and the words contain exactly one number in its range.
 */
export function argumentInWords(
  recipe: Pick<Recipe, 'arguments'>,
  words: string,
): { readonly name: string; readonly value: string } | undefined {
  const [needed, ...others] = Object.entries(recipe.arguments).filter(([, { required }]) => required);
  const [said, ...more] = words.match(NUMBER) ?? [];
  if (needed === undefined || others.length > 0 || said === undefined || more.length > 0) return undefined;
  const [name, argument] = needed;
  const value = said.replace(',', '.');
  if (argument.type !== 'number' || Number(value) < argument.min || Number(value) > argument.max) return undefined;
  return { name, value };
}
