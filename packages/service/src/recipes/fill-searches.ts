import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { RequestedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { LadderTarget } from '@telecine/contract/domain/ladder.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_OPTIONS, type QualityTarget } from '@telecine/contract/domain/quality.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { ladderTarget } from '@telecine/contract/wire/ladder.ts';
import { qualityTarget } from '@telecine/contract/wire/quality.ts';
import { canonicalName } from './option-overrides.ts';
import type { Scope } from './scope.ts';
import { fillValue } from './template.ts';

/** Fills in the numbers of a member of a recipe. undefined: the recipe does not have it. */
function numbersOf(declared: object | undefined, scope: Scope): Record<string, number> | undefined {
  const filled = Object.entries(declared ?? {}).flatMap(([name, value]) => {
    const text = fillValue('', value, scope);
    return text === undefined ? [] : [[name, Number(text)] as const];
  });
  return declared && Object.fromEntries(filled);
}

/** Fills in the quality target of a recipe. Returns `wrong` if it is out of range. */
export function fillQuality({ request }: Recipe, scope: Scope): QualityTarget | 'wrong' | undefined {
  const numbers = numbersOf(request.quality, scope);
  return numbers && (qualityTarget.safeParse(numbers).data ?? 'wrong');
}

/** Fills in the ladder of a recipe. Returns `wrong` if a value is out of range. */
export function fillLadder({ request }: Recipe, scope: Scope): LadderTarget | 'wrong' | undefined {
  const numbers = numbersOf(request.ladder, scope);
  return numbers && (ladderTarget.safeParse(numbers).data ?? 'wrong');
}

const RANGES = {
  quality: 'a quality target from 0.5 to 100',
  ladder: 'a quality target from 0.5 to 100, 2 to 8 rungs, and a bit rate of at least 10000',
} as const;

export const wrongTarget = (member: 'quality' | 'ladder', { name, request }: Recipe, scope: Scope): FieldError => ({
  field: scope.fieldOf(request[member]?.target),
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" needs ${RANGES[member]}.`,
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

/** Arguments of recipes and options of requests that set a frame size. */
const SIZE_ARGUMENTS = ['width', 'height'];
const SIZE_OPTIONS = /^(?:filter(?::[vV].*)?|filter_complex|s(?::[vV].*)?)$/;

/** The frame size of a recipe. undefined: the recipe has none, or the client sets a size or filters itself. */
export const frameSizeOf = (
  { request: { frameSize } }: Recipe,
  sentArguments: Pick<ReadonlyMap<string, unknown>, 'has'>,
  sent: Parameters = {},
): RequestedFrameSize | undefined =>
  SIZE_ARGUMENTS.some((name) => sentArguments.has(name)) ||
  Object.keys(sent).some((name) => SIZE_OPTIONS.test(canonicalName(name)))
    ? undefined
    : frameSize;
