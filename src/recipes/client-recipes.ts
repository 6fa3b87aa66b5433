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
  own: Pick<OwnRecipes, 'stampOf' | 'list'>,
): (clientId: string) => Promise<readonly ListedRecipe[]> {
  const lists = new LRUCache<string, { readonly stamp: string; readonly all: Promise<readonly ListedRecipe[]> }>({
    max: MAX_LISTS,
  });

  async function read(clientId: string): Promise<readonly ListedRecipe[]> {
    const recipes = await own.list(clientId);
    const names = new Set(recipes.map(({ name }) => name));
    return [
      ...shared.filter(({ name }) => !names.has(name)),
      ...recipes.map((recipe) => ({ ...recipe, source: 'own' as const })),
    ];
  }

  return async (clientId) => {
    const stamp = await own.stampOf(clientId);
    if (stamp === '') return shared;
    const kept = lists.get(clientId);
    if (kept?.stamp === stamp) return kept.all;
    // The recipes may be newer than the stamp. Then the next stamp differs, and they are read again.
    const list = { stamp, all: read(clientId) };
    lists.set(clientId, list);
    list.all.catch(() => {
      if (lists.peek(clientId) === list) lists.delete(clientId);
    });
    return list.all;
  };
}
