import type { RECIPE_OPERATIONS } from '../../wire/operations/recipes.ts';
import { recipeSummaryView } from '../../wire/recipe.ts';
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
  putRecipe: async (request, reply) => {
    request.auditFacts = { target: request.params.name };
    const { recipe, isNew } = await recipes.put(callerOf(request), { name: request.params.name, ...request.body });
    reply.code(isNew ? 201 : 200);
    return recipe;
  },
  deleteRecipe: async (request, reply) => {
    request.auditFacts = { target: request.params.name };
    await recipes.remove(callerOf(request), request.params.name);
    return reply.code(204).send();
  },
  getRecipe: async (request) => recipes.get(callerOf(request), request.params.name),
});
