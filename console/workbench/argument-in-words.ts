import type { Recipe } from '@telecine/client';

/** A number in words, with the point or the comma of a decimal: `8`, `1.5`. Not the `4` of `mp4`. */
const NUMBER = /(?<![\p{L}\d.,:])\d+(?:[.,]\d+)?(?![\d:])/gu;

/**
 * The value of the argument that a person has already said when looking for the recipe: `fit in 8 MB` is a size of 8. Only if the recipe
 * needs exactly one argument, a number, and the words have exactly one that it can be.
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
