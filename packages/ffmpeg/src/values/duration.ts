import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const EXAMPLES = ['12.5', '00:01:30', '00:01:30.250', '1500ms'];

/** @param signed True if negative times are allowed. */
export function checkDuration(key: string, value: string, signed: boolean): ValueError | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined)
    return {
      ...badValue(`"${key}" must be a time, not ${quoted(value)}.`, value, { shapes: EXAMPLES }),
      code: 'BAD_TIME',
    };
  if (signed || seconds >= 0) return undefined;
  const fromEnd = key === 'ss' ? ' "sseof" takes a time before the end.' : '';
  return { code: 'BAD_TIME', message: `"${key}" cannot be negative.${fromEnd}` };
}

/** Matches a timecode: hours, minutes, seconds and frames, such as `00:00:05:12`. */
const TIMECODE = /^(\d{1,2}):([0-5]\d):([0-5]\d)([:;])(\d{2})$/;

/**
 * Converts a timecode such as `00:00:05:12` to seconds. undefined: another text, or the frame number is not below the frame rate. With `:`,
 * a timecode counts 24 frames per second at 23.976, so its seconds are longer than real ones. With `;`, it drops frame numbers to stay in
 * step.
 */
export function timecodeSeconds(text: string, rate: number): number | undefined {
  const [, hours, minutes, seconds, mark, frames] = TIMECODE.exec(text.trim()) ?? [];
  const whole = Math.round(rate);
  if (mark === undefined || Number(frames) >= whole) return undefined;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return clock * (mark === ':' ? whole / rate : 1) + Number(frames) / rate;
}

/** True if a time beyond the end of its input may be in milliseconds: 2000, 12500. */
export const isWholeMilliseconds = (seconds: number): boolean => seconds >= 500 && seconds % 100 === 0;
