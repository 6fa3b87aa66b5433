import { speechUnavailable as reasonWithoutSpeech } from '../../ffmpeg/catalogue/changed-source.ts';
import type { CatalogueSource } from '../../ffmpeg/catalogue/registered-catalogue.ts';
import type { ProbeOperations } from '../../jobs/probe.ts';
import { type ApplyPreset, presetApplier } from '../../recipes/apply-preset.ts';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import { clientRecipes, type RecipeOperations, recipeOperations } from '../../recipes/operations.ts';
import type { OwnRecipes } from '../../recipes/ports.ts';
import type { FindBuilds } from './builds.ts';
import { readRecipeFiles } from './recipe-files.ts';

export interface RecipeUseCases {
  readonly operations: RecipeOperations;
  readonly applyPreset: ApplyPreset;
}

export interface RecipeParts {
  readonly probes: ProbeOperations;
  readonly ownRecipes: OwnRecipes;
  readonly findBuilds: FindBuilds;
}

/** Builds the use cases of recipes. Throws `ConfigError` if a file of the operator is not a recipe. */
export function recipeUseCases(
  recipesDir: string | undefined,
  { probes, ownRecipes, findBuilds }: RecipeParts,
): RecipeUseCases {
  const taken = new Set(BUILT_IN.map(({ name }) => name));
  const shared = recipesDir === undefined ? BUILT_IN : [...BUILT_IN, ...readRecipeFiles(recipesDir, taken)];
  const recipesOf = clientRecipes(shared, ownRecipes);
  const sharedNames = new Set(shared.map(({ name }) => name));
  const speechUnavailable = () => explainMissingSpeech(findBuilds);
  return {
    operations: recipeOperations({
      recipesOf,
      own: ownRecipes,
      sharedNames,
      speechUnavailable,
    }),
    applyPreset: presetApplier({ recipesOf, probe: probes.probe, speechUnavailable }),
  };
}

/** Says why no build recognises speech, as the newest of them does. undefined if one does, or if none is known. */
async function explainMissingSpeech(findBuilds: FindBuilds): Promise<string | undefined> {
  let builds: readonly CatalogueSource[];
  try {
    const { recent, away } = await findBuilds();
    builds = [...recent, ...away];
  } catch {
    return undefined;
  }
  const reasons = builds.map(({ current }) => reasonWithoutSpeech(current));
  const [first] = reasons;
  return first === undefined || reasons.includes(undefined) ? undefined : `${first.message} ${first.fix}`;
}
