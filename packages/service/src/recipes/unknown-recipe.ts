import { hint } from '@telecine/contract/domain/hint.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ListedRecipe } from '@telecine/contract/domain/recipe.ts';

/** The error for a recipe with an unknown name. */
export const unknownRecipe = (name: string, recipes: readonly ListedRecipe[], field = '/preset/name'): FieldError => ({
  field,
  code: 'UNKNOWN_RECIPE',
  message: `There is no recipe ${JSON.stringify(name.slice(0, 100))}.`,
  nearest: { given: name, names: recipes.map((one) => one.name), is: 'value' },
  fix: hint`Find one: ${{ do: 'find-recipe' }}.`,
});
