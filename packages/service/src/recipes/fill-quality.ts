import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_OPTIONS, type QualityTarget } from '@telecine/contract/domain/quality.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import type { Scope } from './scope.ts';
import { fillValue } from './template.ts';

const LIMITS = { min: 0.5, max: 100 };

/** Fills in the quality target of a recipe. Returns `wrong` if it is out of range. */
export function fillQuality({ request }: Recipe, scope: Scope): QualityTarget | 'wrong' | undefined {
  if (request.quality === undefined) return undefined;
  const target = Number(fillValue('', request.quality.target, scope));
  return target >= LIMITS.min && target <= LIMITS.max ? { target } : 'wrong';
}

export const wrongQuality = ({ name, request }: Recipe, scope: Scope): FieldError => ({
  field: scope.fieldOf(request.quality?.target),
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" needs a quality target from ${LIMITS.min} to ${LIMITS.max}.`,
});

/**
 * The options of a recipe that go with a quality target of the client: the target replaces the usual quality of the recipe. A quality that
 * the client chose by an argument stays, and the planner rejects it.
 */
export const withoutUsualQuality = (filled: Parameters, { request }: Recipe, scope: Scope): Parameters =>
  Object.fromEntries(
    Object.entries(filled).filter(
      ([name]) => !QUALITY_OPTIONS.some((one) => one === name) || scope.isOfClient(request.parameters[name]),
    ),
  );
