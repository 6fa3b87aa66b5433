import { sendMember } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isOnScale } from '../domain/quality.ts';
import { QUALITY_ADVICE } from './explain-options.ts';

/** The second part of a fix, for clients that mean an encoder option: in other services, `quality` is one. */
const MEASURED = 'Or send a measured quality: "quality": {"target": 0.98}.';

/** The fix for a `quality` that is a number or a word: a number on the scale of SSIM is a target. Other values mean an option. */
export const meantQuality = (value: unknown): Hint =>
  typeof value === 'number' && isOnScale('ssim', value)
    ? sendMember('quality', { target: value })
    : `${QUALITY_ADVICE} ${MEASURED}`;
