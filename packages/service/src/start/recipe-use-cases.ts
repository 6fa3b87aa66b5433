import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ListedRecipe, RECIPE_LIMITS, RECIPE_NAME } from '@telecine/contract/domain/recipe.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import { describeJsonError } from '@telecine/contract/wire/json-error.ts';
import { recipeBody } from '@telecine/contract/wire/recipe.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { speechUnavailable as reasonWithoutSpeech } from '@telecine/ffmpeg/catalogue/changed-catalogue.ts';
import { ConfigError } from '../config/read-settings.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import { type ApplyPreset, presetApplier } from '../recipes/apply-preset.ts';
import { BUILT_IN } from '../recipes/built-in/all.ts';
import { checkRecipe } from '../recipes/check-recipe.ts';
import { clientRecipes, type RecipeOperations, recipeOperations } from '../recipes/operations.ts';
import type { OwnRecipes } from '../recipes/ports.ts';
import type { FindBuilds } from '../workers/builds.ts';

export interface RecipeUseCases {
  readonly operations: RecipeOperations;
  readonly applyPreset: ApplyPreset;
}

export interface RecipeParts {
  readonly probes: ProbeOperations;
  readonly ownRecipes: OwnRecipes;
  readonly findBuilds: FindBuilds;
}

/** Builds the recipe use cases. Throws `ConfigError` for an invalid recipe file of the operator. */
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

/** Why no ffmpeg build recognises speech, according to the newest build. undefined: a build recognises speech, or no build is known. */
async function explainMissingSpeech(findBuilds: FindBuilds): Promise<string | undefined> {
  let builds: readonly Catalogue[];
  try {
    const { recent, away } = await findBuilds();
    builds = [...recent, ...away];
  } catch {
    return undefined;
  }
  const reasons = builds.map(reasonWithoutSpeech);
  const [first] = reasons;
  return first === undefined || reasons.includes(undefined) ? undefined : `${first.message} ${first.fix}`;
}

/**
 * Reads the recipes of the operator from files named `NAME.json`. A file has the form of `GET /api/recipes/{name}` without `name` and
 * `source`. Throws a `ConfigError` with all errors. `taken`: names that other recipes already use.
 */
export function readRecipeFiles(folder: string, taken: ReadonlySet<string>): readonly ListedRecipe[] {
  const read = fileNames(folder).map((file) => readRecipeFile(folder, file, taken));
  const errors = read.flatMap((one) => ('errors' in one ? one.errors : []));
  if (errors.length > 0) throw new ConfigError(errors.map((error) => `TELECINE_RECIPES_DIR: ${error}`).join('\n'));
  return read.flatMap((one) => ('recipe' in one ? [one.recipe] : []));
}

function fileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted();
  } catch (error) {
    throw new ConfigError(
      `TELECINE_RECIPES_DIR: ${folder} cannot be read (${error instanceof Error ? error.message : String(error)}). Set a folder with recipes, or leave it unset.`,
    );
  }
}

type ReadRecipe = { readonly recipe: ListedRecipe } | { readonly errors: readonly string[] };

function readRecipeFile(folder: string, file: string, taken: ReadonlySet<string>): ReadRecipe {
  const path = join(folder, file);
  const name = file.slice(0, -'.json'.length);
  if (!RECIPE_NAME.test(name) || name.length > RECIPE_LIMITS.nameLength)
    return { errors: [`${path}: the file name must be lower-case words with hyphens, such as house-style.json.`] };
  if (taken.has(name)) return { errors: [`${path}: the service has a recipe "${name}". Give the file another name.`] };
  const json = parseFile(path);
  if ('error' in json) return { errors: [`${path}: ${json.error}.`] };
  const parsed = recipeBody.safeParse(json.value);
  const found = parsed.success
    ? checkRecipe({ name, ...parsed.data })
    : fieldErrors(recipeBody, parsed.error.issues, json.value);
  if (parsed.success && found.length === 0) return { recipe: { name, source: 'operator', ...parsed.data } };
  return { errors: found.map(({ field, message }) => `${path}, at ${field === '' ? 'the top' : field}: ${message}`) };
}

function parseFile(path: string): { readonly value: unknown } | { readonly error: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { error: `it cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: describeJsonError(text) };
  }
}
