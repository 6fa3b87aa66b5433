import type { OptionValue, Parameters } from '../domain/conversion.ts';
import type { RecipeValue } from '../domain/recipe.ts';
import { canonicalName } from './override.ts';
import type { Scope } from './scope.ts';
import { fillValue } from './template.ts';

/** Fills in the options of a recipe. Those without a value are left out. */
export const fillParameters = (
  options: Readonly<Record<string, RecipeValue>>,
  { lookUp, isSet }: Pick<Scope, 'lookUp' | 'isSet'>,
): Parameters =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, OptionValue][] => {
      const filled = fillValue(canonicalName(name), value, lookUp, isSet);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );
