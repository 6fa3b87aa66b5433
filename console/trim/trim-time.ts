import { parseDuration } from '../../packages/contract/src/domain/duration.ts';

const SHARE = /^(\d{1,3}(?:\.\d+)?)\s*%$/;

/**
 * Reads a time as options and recipes write it: `12.5`, `1500ms`, `1:30`, `1:02:03.5`, and a share of the duration, `middle` or `25%`.
 * undefined: another text.
 */
export function secondsOf(text: string, duration: number): number | undefined {
  const plain = text.trim();
  const share = plain === 'middle' ? 50 : Number(SHARE.exec(plain)?.[1] ?? Number.NaN);
  if (share <= 100) return (share / 100) * duration;
  const seconds = parseDuration(plain);
  return seconds === undefined || seconds < 0 ? undefined : seconds;
}

/** Writes a time in the form of options and recipes: `12.5`, `1:30.04`, `1:02:03`. */
export function timeText(seconds: number): string {
  const [clock, fraction] = clockText(seconds).split('.');
  const rest = fraction === undefined ? '' : `.${fraction}`.replace(/\.?0+$/, '');
  return seconds < 59.9995 ? String(Number(seconds.toFixed(3))) : `${clock}${rest}`;
}

/** Formats a time with milliseconds, for display: `0:12.480`, `1:02:03.000`. */
export function clockText(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const [hours, minutes] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60];
  const rest = ((all % 60_000) / 1000).toFixed(3).padStart(6, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/** Rounds down to milliseconds, so that a time never is after the frame that it names. */
export const downToMilliseconds = (seconds: number): number => Math.floor(seconds * 1000 + 1e-4) / 1000;

/** Rounds up to milliseconds, so that a time never is before the key frame that it names. */
export const upToMilliseconds = (seconds: number): number => Math.ceil(seconds * 1000 - 1e-4) / 1000;
