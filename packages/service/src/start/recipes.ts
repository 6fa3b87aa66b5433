import { lazily } from '@telecine/contract/domain/remember.ts';
import type { Config } from '../config/config.ts';
import type { RecipeParts, RecipeUseCases } from './recipe-use-cases.ts';

/** Loads the recipe use cases at their first use. If `recipesDir` is set, loads them now, and throws `ConfigError` for an invalid file. */
export async function openRecipes(
  { recipesDir }: Pick<Config, 'recipesDir'>,
  parts: RecipeParts,
): Promise<RecipeUseCases> {
  const load = lazily(async () => {
    const { recipeUseCases } = await import('./recipe-use-cases.ts');
    const useCases = recipeUseCases(recipesDir, parts);
    return async () => useCases;
  });
  if (recipesDir !== undefined) return load();
  return {
    operations: {
      find: lazily(async () => (await load()).operations.find),
      get: lazily(async () => (await load()).operations.get),
      check: lazily(async () => (await load()).operations.check),
      put: lazily(async () => (await load()).operations.put),
      remove: lazily(async () => (await load()).operations.remove),
    },
    applyPreset: lazily(async () => (await load()).applyPreset),
  };
}
