import type { RECIPE_OPERATIONS } from '../../wire/operations/recipes.ts';
import { recipeSummaryView, recipeView } from '../../wire/recipe-view.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const recipeHandlers = ({ recipes }: HttpDeps): Handlers<typeof RECIPE_OPERATIONS> => ({
  listRecipes: async (request) => {
    const { q, limit } = request.query;
    const { recipes: found, isClose } = await recipes.find(callerOf(request), {
      ...(q !== undefined && { words: q }),
      ...(limit !== undefined && { limit }),
    });
    return { recipes: found.map(recipeSummaryView), ...(q !== undefined && { close: isClose }) };
  },
  getRecipe: async (request) => recipeView(await recipes.get(callerOf(request), request.params.name)),
});
