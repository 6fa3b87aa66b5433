import type { Recipe, RecipeDefinition } from '@telecine/client';

const keyOf = (clientId: string): string => `telecine.new-recipe.${clientId}`;

/** Keeps a recipe that is not stored yet for its page, also for a reload of this tab. */
export function keepNewRecipe(clientId: string, name: string, definition: RecipeDefinition): void {
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify({ name, definition }));
}

export function forgetNewRecipe(clientId: string): void {
  window.sessionStorage.removeItem(keyOf(clientId));
}

/** The recipe of this name that is not stored yet. Its version is 0. undefined: this tab has none. */
export function newRecipe(clientId: string, name: string): Recipe | undefined {
  const text = window.sessionStorage.getItem(keyOf(clientId));
  if (text === null) return undefined;
  const kept = JSON.parse(text) as { readonly name: string; readonly definition: RecipeDefinition };
  return kept.name === name ? { ...kept.definition, name, source: 'own', version: 0 } : undefined;
}
