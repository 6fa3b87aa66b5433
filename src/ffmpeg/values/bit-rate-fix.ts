import { sendOption } from './value-error.ts';

/**
 * The fix for a bit rate that is too low to be meant: kilobits or megabits without their unit. A number that already has its
 * "k" does not tell which rate is meant. `value`: as it was sent.
 */
export function bitRateFix(key: string, value: string, kind: 'video' | 'audio'): string {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*(m?)$/.exec(value) ?? [];
  if (digits === undefined) return `Send more, such as "${key}": "${kind === 'video' ? '2M' : '128k'}".`;
  const isMega = kind === 'video' && (unit === 'm' || Number(digits) <= 50);
  return sendOption(key, `${digits}${isMega ? 'M' : 'k'}`);
}
