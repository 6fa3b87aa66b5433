import { sendMember, withMore } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isOnScale } from '../domain/quality.ts';
import type { Members } from '../domain/structured-values.ts';
import { presetArgumentsFix, QUALITY_ADVICE } from './explain-options.ts';

/** The second part of a fix, for clients that mean an encoder option: in other services, `quality` is one. */
const MEASURED = 'Or send a measured quality: "quality": {"target": 0.98}.';

/**
 * The fix for a `quality` that is a number or a word: a number on the scale of SSIM is a target. Beside a recipe, a word is its argument.
 * Other values mean an option.
 */
export const meantQuality = (value: unknown, request: Members): Hint =>
  typeof value === 'number' && isOnScale('ssim', value)
    ? sendMember('quality', { target: value })
    : ((typeof value === 'string' ? movedQuality(request) : undefined) ?? `${QUALITY_ADVICE} ${MEASURED}`);

const movedQuality = (request: Members): Hint | undefined => {
  const fix = presetArgumentsFix(request, ['quality']);
  return fix && withMore(fix, { do: 'remove', name: 'quality' });
};
