import { sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

/**
 * The fix for a bit rate that is too low. The client probably left out the unit, kilobits or megabits. If the number already has the unit
 * "k", the fix is only an example. `value`: as sent.
 */
export function bitRateFix(key: string, value: string, kind: 'video' | 'audio'): Hint {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*(m?)$/.exec(value) ?? [];
  if (digits === undefined) return `Send more, such as "${key}": "${kind === 'video' ? '2M' : '128k'}".`;
  const isMega = kind === 'video' && (unit === 'm' || Number(digits) <= 50);
  return sendOption(key, `${digits}${isMega ? 'M' : 'k'}`);
}

/** The lowest and highest usual bit rates, in bits per second. */
const LEAST = { video: 50_000, audio: 4_000 } as const;
const USUAL = { video: 200_000_000, audio: 1_000_000 } as const;

/**
 * The fix for a bit rate that is too high: the same number with a smaller unit, if that is a usual rate. Otherwise the fix is only an
 * example. `value`: as sent.
 */
export function highRateFix(key: string, value: string, kind: 'video' | 'audio'): Hint {
  const digits = /^(\d+(?:\.\d+)?)[kKMG]?i?$/.exec(value)?.[1];
  const meant = ['k', ''].find((unit) => {
    const rate = Number(digits) * (unit === 'k' ? 1000 : 1);
    return value !== `${digits}${unit}` && rate >= LEAST[kind] && rate <= USUAL[kind];
  });
  return digits === undefined || meant === undefined
    ? `Send less, such as "${key}": "${kind === 'video' ? '2M' : '128k'}".`
    : sendOption(key, `${digits}${meant}`);
}
