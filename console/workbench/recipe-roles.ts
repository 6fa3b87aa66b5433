import type { Recipe } from '@telecine/client';

/** The role of the input at `index` in a recipe, such as `film` or `logo`. undefined: there is no recipe, or it has only one input. */
export function roleOf(recipe: Recipe | undefined, index: number): string | undefined {
  if (recipe === undefined || (recipe.inputs.length < 2 && recipe.inputs[0]?.many === undefined)) return undefined;
  const last = recipe.inputs.at(-1);
  return (recipe.inputs[index] ?? (last?.many ? last : undefined))?.role;
}
