import { LRUCache } from 'lru-cache';
import type { ListedRecipe } from '../domain/recipe.ts';
import type { OwnRecipes } from './ports.ts';

/** How many lists are kept. An index of the search belongs to each. */
const MAX_LISTS = 100;

/**
 * Returns a function that lists all recipes of a client: its own and those of everybody. Its own recipe counts if both have the
 * name: one that the service gets later must not change what its requests do. The same recipes are the same list.
 */
export function clientRecipes(
  shared: readonly ListedRecipe[],
  own: Pick<OwnRecipes, 'list'>,
): (clientId: string) => Promise<readonly ListedRecipe[]> {
  const lists = new LRUCache<string, { readonly stamp: string; readonly all: readonly ListedRecipe[] }>({
    max: MAX_LISTS,
  });
  return async (clientId) => {
    const { recipes, stamp } = await own.list(clientId);
    if (recipes.length === 0) return shared;
    const kept = lists.get(clientId);
    if (kept?.stamp === stamp) return kept.all;
    const names = new Set(recipes.map(({ name }) => name));
    const all = [
      ...shared.filter(({ name }) => !names.has(name)),
      ...recipes.map((recipe) => ({ ...recipe, source: 'own' as const })),
    ];
    lists.set(clientId, { stamp, all });
    return all;
  };
}
