import { hint } from '../domain/hint.ts';
import { Problem } from '../domain/problem.ts';
import type { ListedRecipe } from '../domain/recipe.ts';
import type { RecipeOperations } from './operations.ts';
import { recipeSearch } from './search.ts';
import { nearRecipes } from './unknown-recipe.ts';

/** The most recipes that a search returns by default. */
const FOUND = 10;

/** Composes the use cases of recipes. `recipesOf`: all recipes of a client. */
export function recipeOperations({
  recipesOf,
}: {
  readonly recipesOf: (clientId: string) => Promise<readonly ListedRecipe[]>;
}): RecipeOperations {
  const search = recipeSearch();
  return {
    find: async ({ clientId }, { words, limit }) => {
      const all = await recipesOf(clientId);
      if (words === undefined) return { recipes: all.slice(0, limit), isClose: true };
      const { recipes, isClose } = search(all, words);
      return { recipes: recipes.slice(0, limit ?? FOUND), isClose };
    },
    get: async ({ clientId }, name) => {
      const all = await recipesOf(clientId);
      const recipe = all.find((one) => one.name === name);
      if (recipe !== undefined) return recipe;
      const near = nearRecipes({ name }, all).map((one) => `"${one.name}"`);
      throw new Problem('NOT_FOUND', `There is no recipe ${JSON.stringify(name.slice(0, 100))}.`, {
        fix: near.length === 0 ? hint`Find one: ${{ do: 'find-recipe' }}.` : `Did you mean ${near.join(' or ')}?`,
      });
    },
  };
}
