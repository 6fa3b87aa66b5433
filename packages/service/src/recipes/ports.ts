import type { Recipe } from '@telecine/contract/domain/recipe.ts';

/** The result of storing a recipe. */
export type StoreResult =
  | 'created'
  | 'replaced'
  /** The stored recipe is the same. */
  | 'unchanged'
  /** The client has the allowed number of recipes. */
  | 'full'
  /** The stored recipe differs, and has this version or a newer one. */
  | { readonly newestVersion: number };

/** The recipes that clients have written themselves. */
export interface OwnRecipes {
  /** Returns a text that changes whenever a recipe of the client changes: '' if there is none. Unlike `list`, reads no definitions. */
  stampOf(clientId: string): Promise<string>;
  /** Returns the recipes of a client by name. */
  list(clientId: string): Promise<readonly Recipe[]>;
  /** Stores a recipe. Replaces a recipe of the same name only if the version is greater, so that no client overwrites an unseen change. */
  put(clientId: string, recipe: Recipe, most: number): Promise<StoreResult>;
  /** Resolves to false if the client has no such recipe. */
  remove(clientId: string, name: string): Promise<boolean>;
}
