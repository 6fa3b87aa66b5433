import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import {
  type ExpandedOrErrors,
  type ExpandedRequest,
  expandPreset,
} from '../../packages/service/src/recipes/expand.ts';
import type { InputFacts } from '../../packages/service/src/recipes/facts.ts';

/** The built-in recipe of this name. Throws if there is none. */
export function builtIn(name: string): Recipe {
  const recipe = BUILT_IN.find((one) => one.name === name);
  if (recipe === undefined) throw new Error(`There is no recipe ${name}.`);
  return recipe;
}

/** The request with its recipe applied, or the errors in it. Without a recipe, the request itself. */
export function expandRequest(request: ConversionRequest, facts: InputFacts = {}, recipe?: Recipe): ExpandedOrErrors {
  const { preset } = request;
  if (preset === undefined) return { ok: true, request, warnings: [] };
  return expandPreset(request, preset, recipe ?? builtIn(preset.name), facts);
}

/** The request with its recipe applied. Throws if it has errors. */
export function applyRecipe(request: ConversionRequest, facts?: InputFacts, recipe?: Recipe): ExpandedRequest {
  const expanded = expandRequest(request, facts, recipe);
  if (!expanded.ok) throw new Error(JSON.stringify(expanded.errors));
  return expanded;
}
