import type { Recipe } from '../domain/recipe.ts';

/** What became of a recipe that was stored. */
export type StoreResult =
  | 'created'
  | 'replaced'
  /** The stored recipe is the same already. */
  | 'unchanged'
  /** The client has as many as are allowed. */
  | 'full'
  /** The stored recipe is another one, of this version or a newer one. */
  | { readonly newestVersion: number };

/** The recipes that clients have written themselves. */
export interface OwnRecipes {
  /**
   * Returns a text that changes whenever a recipe of the client does: '' if it has none. Unlike `list`, it reads no definitions,
   * which may have megabytes.
   */
  stampOf(clientId: string): Promise<string>;
  /** Returns the recipes of a client by name. */
  list(clientId: string): Promise<readonly Recipe[]>;
  /** Stores a recipe. It replaces one of its name only if its version is greater, so that nobody overwrites what they have not seen. */
  put(clientId: string, recipe: Recipe, most: number): Promise<StoreResult>;
  /** Resolves to false if there is none. */
  remove(clientId: string, name: string): Promise<boolean>;
}
