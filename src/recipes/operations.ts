import type { Caller } from '../domain/client.ts';
import type { ListedRecipe } from '../domain/recipe.ts';
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
}
