import type { Caller } from '@telecine/contract/domain/client.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { type ListedRecipe, RECIPE_LIMITS, RECIPE_NAME, type Recipe } from '@telecine/contract/domain/recipe.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { notOffered } from '@telecine/contract/domain/unsupported-tasks.ts';
import { LRUCache } from 'lru-cache';
import { checkRecipe } from './check-recipe.ts';
import type { OwnRecipes } from './ports.ts';
import { type FoundRecipes, recipeSearch } from './search.ts';
import { unknownRecipe } from './unknown-recipe.ts';

interface RecipeQuery {
  /** What the client wants to do, in its own words. Default: list all recipes. */
  readonly words?: string;
  /** The maximum number of recipes. Default: 10 with `words`, otherwise all. */
  readonly limit?: number;
}

/** The operations on recipes, used by HTTP and MCP. */
export interface RecipeOperations {
  /** Searches the recipes of the caller and returns the matches, best first. Without `words`, returns all recipes. */
  find(caller: Caller, query: RecipeQuery): Promise<FoundRecipes>;
  /** Throws NOT_FOUND. */
  get(caller: Caller, name: string): Promise<ListedRecipe>;
  /** Checks a recipe as `put` does before it stores it. Throws INVALID_REQUEST, and RECIPE_CONFLICT if a shared recipe has the name. */
  check(recipe: Recipe): Promise<void>;
  /**
   * Stores a recipe of the caller. Throws what `check` throws, and TOO_MANY_RECIPES. Throws RECIPE_CONFLICT also if the stored recipe has
   * the same or a newer version.
   */
  put(caller: Caller, recipe: Recipe): Promise<{ readonly recipe: ListedRecipe; readonly isNew: boolean }>;
  /** Deletes a recipe of the caller. Jobs and queued requests with this recipe are not changed. Throws NOT_FOUND. */
  remove(caller: Caller, name: string): Promise<void>;
}

/** The default limit of a search. */
const FOUND = 10;

export interface RecipeOperationsDeps {
  readonly recipesOf: (clientId: string) => Promise<readonly ListedRecipe[]>;
  readonly own: Pick<OwnRecipes, 'put' | 'remove'>;
  /** The names of the recipes that all clients share. */
  readonly sharedNames: ReadonlySet<string>;
  /** Returns why no worker recognises speech. undefined: a worker does. Default: recipes with speech can run. */
  readonly speechUnavailable?: () => Promise<string | undefined>;
}

export function recipeOperations({
  recipesOf,
  own,
  sharedNames,
  speechUnavailable,
}: RecipeOperationsDeps): RecipeOperations {
  const search = recipeSearch();
  const check = async (recipe: Recipe): Promise<void> => {
    checkOwn(recipe);
    if (sharedNames.has(recipe.name))
      throw new Problem('RECIPE_CONFLICT', `All clients have a recipe "${recipe.name}". Choose another name.`);
  };
  /** Adds a reason to each recipe that no worker can run now. */
  const withReasons = async (recipes: readonly ListedRecipe[]): Promise<readonly ListedRecipe[]> => {
    if (!recipes.some(({ request }) => request.transcribe !== undefined)) return recipes;
    const unavailable = await speechUnavailable?.();
    return unavailable === undefined
      ? recipes
      : recipes.map((one) => (one.request.transcribe === undefined ? one : { ...one, unavailable }));
  };
  return {
    find: async ({ clientId }, { words, limit }) => {
      const all = await recipesOf(clientId);
      const { length } = all;
      if (words === undefined)
        return { recipes: await withReasons(all.slice(0, limit)), isClose: true, near: length, related: length };
      const found = await search(all, words);
      const recipes = await withReasons(found.recipes.slice(0, limit ?? FOUND));
      return { ...found, recipes, isClose: found.isClose && notOffered(words) === undefined };
    },
    get: async ({ clientId }, name) => {
      const all = await recipesOf(clientId);
      const recipe = all.find((one) => one.name === name);
      if (recipe !== undefined) return (await withReasons([recipe]))[0] ?? recipe;
      const { message, fix } = suggest(unknownRecipe(name, all));
      throw new Problem('NOT_FOUND', message, { ...(fix !== undefined && { fix }) });
    },
    check,
    put: async ({ clientId }, recipe) => {
      await check(recipe);
      const result = await own.put(clientId, recipe, RECIPE_LIMITS.own);
      if (result === 'full')
        throw new Problem(
          'TOO_MANY_RECIPES',
          `You have ${RECIPE_LIMITS.own} recipes, the most that are allowed. Delete one first.`,
        );
      if (typeof result === 'object')
        throw new Problem(
          'RECIPE_CONFLICT',
          `Your recipe "${recipe.name}" has version ${result.newestVersion} with other content. Look at it, then send "version": ${result.newestVersion + 1}.`,
        );
      return { recipe: { ...recipe, source: 'own' }, isNew: result === 'created' };
    },
    remove: async ({ clientId }, name) => {
      if (await own.remove(clientId, name)) return;
      const message = sharedNames.has(name)
        ? `The recipe ${JSON.stringify(name)} is not one of yours: all clients have it.`
        : `You have no recipe ${JSON.stringify(name.slice(0, 100))}.`;
      throw new Problem('NOT_FOUND', message);
    },
  };
}

/** Checks a recipe of a client. Throws INVALID_REQUEST if it is invalid or too large. */
function checkOwn(recipe: Recipe): void {
  const { name } = recipe;
  if (!RECIPE_NAME.test(name) || name.length > RECIPE_LIMITS.nameLength)
    throw invalidRequest([
      {
        field: '/name',
        code: 'BAD_NAME',
        message: `The name in the path must be lower-case words with hyphens, at most ${RECIPE_LIMITS.nameLength} characters.`,
      },
    ]);
  // Check the size first, because the time of the other checks grows with the length of the texts.
  const bytes = Buffer.byteLength(JSON.stringify(recipe));
  if (bytes > RECIPE_LIMITS.ownBytes)
    throw invalidRequest([
      {
        field: '',
        code: 'TOO_LONG',
        message: `The recipe has ${bytes} bytes as JSON. At most ${RECIPE_LIMITS.ownBytes} are allowed.`,
      },
    ]);
  const errors = checkRecipe(recipe);
  if (errors.length > 0) throw invalidRequest(errors);
}

/** The number of cached lists. Each list has its own search index. */
const MAX_LISTS = 100;

/**
 * Returns a function that lists a client's own recipes and the shared ones. An own recipe hides a shared recipe of the same name, which a
 * later version of the service may have added. Returns the same array until a recipe changes.
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
    const cached = lists.get(clientId);
    if (cached?.stamp === stamp) return cached.all;
    // A recipe may change after the stamp is read. The next stamp is then different, and the list is read again.
    const list = { stamp, all: read(clientId) };
    lists.set(clientId, list);
    list.all.catch(() => {
      if (lists.peek(clientId) === list) lists.delete(clientId);
    });
    return list.all;
  };
}
