import type { OptionValue, Parameters } from '../domain/conversion.ts';
import type { RecipeValue } from '../domain/recipe.ts';
import { canonicalName } from './override.ts';
import { fillValue, type TemplateScope } from './template.ts';

/** Fills in the options of a recipe. Those without a value are left out. */
export const fillParameters = (options: Readonly<Record<string, RecipeValue>>, scope: TemplateScope): Parameters =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, OptionValue][] => {
      const filled = fillValue(canonicalName(name), value, scope);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );
