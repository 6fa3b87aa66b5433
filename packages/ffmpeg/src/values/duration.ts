import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const EXAMPLES = ['12.5', '00:01:30', '00:01:30.250', '1500ms'];

/** @param signed True if negative times are allowed. */
export function checkDuration(key: string, value: string, signed: boolean): ValueError | undefined {
  const seconds = parseDuration(value);
  const frames = seconds === undefined ? timecode(key, value) : undefined;
  if (frames !== undefined) return frames;
  if (seconds === undefined)
    return {
      ...badValue(`"${key}" must be a time, not ${quoted(value)}.`, value, {
        shapes: EXAMPLES,
        fix: suggestTime(value),
      }),
      code: 'BAD_TIME',
      // For `50%` while the duration of the input is unknown. Once it is known, the service (`withInputTimes`) replaces this fix.
      ...(/^\s*\d+(?:\.\d+)?\s*%\s*$/.test(value) && {
        fix: `Send the time in seconds: that share of the duration which a probe of the input shows.`,
      }),
    };
  if (signed || seconds >= 0) return undefined;
  return {
    code: 'BAD_TIME',
    message: `"${key}" cannot be negative.`,
    // A negative `ss` probably means a time before the end, which is `sseof`.
    fix: key === 'ss' ? sendOption('sseof', value) : sendValue(value.slice(1)),
  };
}

/** Usual frame rates, the most common first. */
const RATES = [24, 25, 30, 50, 60];
const MAX_CHOICES = 3;

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

/**
 * The error for a timecode. Its fix has the time at usual frame rates, because the frame rate of the input is unknown here.
 * The service (`withInputTimes`) replaces the fix once the rate is known.
 */
function timecode(key: string, value: string): ValueError | undefined {
  const clock = value.slice(0, -3);
  const times = RATES.flatMap((rate) => {
    const seconds = timecodeSeconds(`00:00:00${value.slice(-3)}`, rate);
    return seconds === undefined
      ? []
      : [`${JSON.stringify(`${clock}${String(Number(seconds.toFixed(3))).slice(1)}`)} at ${rate}`];
  }).slice(0, MAX_CHOICES);
  if (!TIMECODE.test(value) || times.length === 0) return undefined;
  return {
    code: 'BAD_TIME',
    message: `"${key}" must be a time, not ${quoted(value)}: the last part of a timecode counts frames, and a time has a fraction of a second there.`,
    allowed: EXAMPLES,
    fix: value.endsWith('00') ? sendValue(clock) : `Send ${times.join(', or ')} frames per second.`,
  };
}

const SPELLED =
  /^(?:PT)?(?:(\d+(?:\.\d+)?) ?h(?:rs?|ours?)?)? ?(?:(\d+(?:\.\d+)?) ?(?:m(?:ins?|inutes?)?|'))? ?(?:(\d+(?:\.\d+)?) ?(?:s(?:ecs?|econds?)?|"|''))?$/i;

/** Suggests a valid time for `.5`, `1m30s`, `PT1M30S`, `1.5 minutes`, `1,5` or `90:00` (ffmpeg allows at most 59 minutes). */
function suggestTime(value: string): string | undefined {
  const text = value.trim();
  const attempts = [text, `0${text}`, text.replace(',', '.'), text.replace(/ /g, '')];
  const near = attempts.find((attempt) => attempt !== value && parseDuration(attempt) !== undefined);
  if (near !== undefined) return near;
  const [, hours, minutes, seconds] =
    SPELLED.exec(text) ?? /^(?:(\d+)[:.])?(\d+)[:.](\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return parseDuration(String(total)) === undefined ? undefined : String(total);
}

/** True if a time beyond the end of its input may be in milliseconds: 2000, 12500. */
export const isWholeMilliseconds = (seconds: number): boolean => seconds >= 500 && seconds % 100 === 0;
