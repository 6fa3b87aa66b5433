import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { RequestedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { canonicalName } from './option-overrides.ts';

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
