import type { Recipe } from '@telecine/client';

/** What a recipe uses the input at `index` for, in a word: `film`, `logo`. undefined without a recipe, or if it has one input. */
export function roleOf(recipe: Recipe | undefined, index: number): string | undefined {
  if (recipe === undefined || (recipe.inputs.length < 2 && recipe.inputs[0]?.many === undefined)) return undefined;
  const last = recipe.inputs.at(-1);
  return (recipe.inputs[index] ?? (last?.many ? last : undefined))?.role;
}
