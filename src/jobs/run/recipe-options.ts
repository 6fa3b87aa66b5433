import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Warning } from '../../domain/plan.ts';
import { pointerToken } from '../../domain/problem.ts';

/**
 * Whether a warning only says that an option of the recipe has no effect on this input: a recipe for films sets options of
 * sound, which a silent film does not need.
 */
export const isOfRecipe = ({ preset }: ConversionRequest, { code, field }: Warning): boolean =>
  code === 'NO_EFFECT' && (preset?.options ?? []).some((name) => field === `/parameters/${pointerToken(name)}`);
