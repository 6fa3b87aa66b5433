import type { ProbeOperations } from '../../jobs/operations.ts';
import { type ApplyPreset, presetApplier } from '../../recipes/apply-preset.ts';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import type { RecipeOperations } from '../../recipes/operations.ts';
import { recipeOperations } from '../../recipes/recipe-operations.ts';

export interface Recipes {
  readonly operations: RecipeOperations;
  readonly applyPreset: ApplyPreset;
}

/** Builds the use cases of recipes. */
export function openRecipes({ probes }: { readonly probes: ProbeOperations }): Recipes {
  const recipesOf = async () => BUILT_IN;
  return {
    operations: recipeOperations({ recipesOf }),
    applyPreset: presetApplier({ recipesOf, probe: probes.probe }),
  };
}
