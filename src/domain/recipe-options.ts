import type { ConversionRequest } from './conversion.ts';
import type { Warning } from './plan.ts';
import { pointerToken } from './problem.ts';

/**
 * Whether a warning only says that an option of the recipe has no effect: a recipe for films sets options of sound, which a
 * silent film or a request with `an` does not need. The client cannot leave such an option out.
 *
 * @param warning Its field is one of the expanded `request`.
 */
export const isOfRecipe = ({ preset }: ConversionRequest, { code, field }: Warning): boolean =>
  code === 'NO_EFFECT' &&
  (preset?.options ?? []).some((one) => field === (one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`));
