import type { Caller } from '../domain/client.ts';
import type { ListedRecipe, Recipe } from '../domain/recipe.ts';
import type { FoundRecipes } from './search.ts';

/** What a search for recipes looks for. */
export interface RecipeQuery {
  /** What to do, in the words of the client. Default: all recipes. */
  readonly words?: string;
  /** The most recipes. Default: 10 with `words`, else all. */
  readonly limit?: number;
}

/** The operations on recipes, for HTTP and MCP. */
export interface RecipeOperations {
  /** Returns the recipes of the caller: with `words` those that match, the best first; else all, which are close. */
  find(caller: Caller, query: RecipeQuery): Promise<FoundRecipes>;
  /** Throws NOT_FOUND. */
  get(caller: Caller, name: string): Promise<ListedRecipe>;
  /**
   * Stores a recipe of the caller. Throws INVALID_REQUEST for one that cannot work, RECIPE_CONFLICT if a recipe of everybody has
   * the name or the stored one is as new, TOO_MANY_RECIPES.
   */
  put(caller: Caller, recipe: Recipe): Promise<{ readonly recipe: ListedRecipe; readonly isNew: boolean }>;
  /** Deletes a recipe of the caller. Jobs and queued requests that used it stay as they are. Throws NOT_FOUND. */
  remove(caller: Caller, name: string): Promise<void>;
}
