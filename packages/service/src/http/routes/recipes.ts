import { defined } from '@telecine/contract/domain/defined.ts';
import type { RECIPE_OPERATIONS } from '@telecine/contract/wire/operations/recipes.ts';
import { recipeSummaryView } from '@telecine/contract/wire/recipe.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const recipeHandlers = ({ recipes, jobs, files }: HttpDeps): Handlers<typeof RECIPE_OPERATIONS> => ({
  listRecipes: async (request) => {
    const { q, limit } = request.query;
    const { recipes: found, isClose } = await recipes.find(callerOf(request), defined({ words: q, limit }));
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
  // Only editors of recipes need it, so it is loaded at its first use.
  dryRunRecipe: async (request, reply) =>
    (await import('./recipe-dry-run.ts')).dryRunRecipe({ recipes, jobs, files }, request, reply),
});
