import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { LADDER_RUNGS, type LadderTarget } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import type { Scope } from './scope.ts';
import { fillValue } from './template.ts';

const LIMITS = {
  target: { min: 0.5, max: 100 },
  maxRungs: LADDER_RUNGS,
  maxBitrate: { min: 10_000, max: 10 ** 10 },
} as const;

/** Fills in the ladder of a recipe. Returns `wrong` if a value is out of range. */
export function fillLadder({ request: { ladder } }: Recipe, scope: Scope): LadderTarget | 'wrong' | undefined {
  if (ladder === undefined) return undefined;
  const numberOf = (name: keyof typeof LIMITS): number | undefined => {
    const text = fillValue('', ladder[name], scope);
    return text === undefined ? undefined : Number(text);
  };
  const { target, maxRungs, maxBitrate } = {
    target: numberOf('target') ?? Number.NaN,
    maxRungs: numberOf('maxRungs'),
    maxBitrate: numberOf('maxBitrate'),
  };
  const filled = definedMembers<LadderTarget>({ target, maxRungs, maxBitrate });
  const isWrong = Object.entries(LIMITS).some(([name, { min, max }]) => {
    const value = filled[name as keyof typeof LIMITS];
    return value !== undefined && !(value >= min && value <= max && (name === 'target' || Number.isInteger(value)));
  });
  return isWrong ? 'wrong' : filled;
}

export const wrongLadder = ({ name, request }: Recipe, scope: Scope): FieldError => ({
  field: scope.fieldOf(request.ladder?.target),
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" needs a quality target from ${LIMITS.target.min} to ${LIMITS.target.max}, ${LADDER_RUNGS.min} to ${LADDER_RUNGS.max} rungs, and a bit rate of at least ${LIMITS.maxBitrate.min}.`,
});
