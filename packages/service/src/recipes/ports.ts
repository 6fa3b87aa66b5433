import type { Recipe } from '@telecine/contract/domain/recipe.ts';

export type StoreResult =
  | 'created'
  | 'replaced'
  /** The stored recipe has the same content. */
  | 'unchanged'
  /** The client has reached the maximum number of recipes. */
  | 'full'
  /** The stored recipe differs, and its version is the same or newer. */
  | { readonly newestVersion: number };

/** The recipes that clients have stored. */
export interface OwnRecipes {
  /**
   * Returns a text that changes whenever a recipe of the client changes. Returns '' if the client has no recipes. Faster than `list`,
   * because it reads no definitions.
   */
  stampOf(clientId: string): Promise<string>;
  /** Returns the recipes of a client, ordered by name. */
  list(clientId: string): Promise<readonly Recipe[]>;
  /**
   * Stores a recipe. Replaces a recipe of the same name only if the new version is greater, so that no client overwrites a change that it
   * has not seen. `most`: the maximum number of recipes of the client.
   */
  put(clientId: string, recipe: Recipe, most: number): Promise<StoreResult>;
  /** Resolves to false if the client has no such recipe. */
  remove(clientId: string, name: string): Promise<boolean>;
}
