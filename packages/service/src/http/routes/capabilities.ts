import { defined } from '@telecine/contract/domain/defined.ts';
import type { CAPABILITY_OPERATIONS, RECIPE_OPERATIONS } from '@telecine/contract/wire/operations/capabilities.ts';
import { readOffset, writeOffset } from '@telecine/contract/wire/paging.ts';
import { recipeSummaryView } from '@telecine/contract/wire/recipe.ts';
import type { Page } from '../../jobs/capabilities/search-page.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const capabilityHandlers = ({ capabilities }: HttpDeps): Handlers<typeof CAPABILITY_OPERATIONS> => ({
  listFormats: async ({ query }) => {
    const { items, ...page } = await capabilities.formats(searchOf(query));
    return { formats: items, ...pageView(page) };
  },
  listCodecs: async ({ query }) => {
    const { items, ...page } = await capabilities.codecs(searchOf(query));
    return { codecs: items, ...pageView(page) };
  },
  listFilters: async ({ query }) => {
    const { items, ...page } = await capabilities.filters(searchOf(query));
    return { filters: items, ...pageView(page) };
  },
  listOptions: async ({ query }) => {
    const { items, ...page } = await capabilities.options(searchOf(query));
    return { options: items, ...pageView(page) };
  },
  getFormat: ({ params }) => capabilities.format(params.name),
  getCodec: ({ params }) => capabilities.codec(params.name),
  getFilter: ({ params }) => capabilities.filter(params.name),
  getOption: async ({ params: { name } }) => ({ name, meanings: await capabilities.option(name) }),
});

const searchOf = <T extends { readonly cursor?: string }>({ cursor, ...query }: T) => ({
  ...query,
  from: readOffset(cursor),
});

const pageView = ({ next, note }: Omit<Page<unknown>, 'items'>) => ({
  ...(next !== undefined && { nextCursor: writeOffset(next) }),
  ...(note !== undefined && { note }),
});

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
