import { Moment } from './moment.tsx';
import { useMinute } from './use-minute.ts';
import { useNow } from './use-now.ts';

const MINUTE = 60;

/** Seconds are counted from here on, in seconds: before the last minute begins, because `useMinute` is late by some. */
const NEAR = 90;

/** When something happens, in words of the future: `in 40 s`, `in 5 min`, `now`. */
export function Until({ at }: { readonly at: string }) {
  const time = Date.parse(at);
  const minute = useMinute();
  const isNear = time > minute && time - minute < NEAR * 1000;
  const seconds = Math.round((time - Math.max(minute, useNow(isNear))) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < MINUTE ? `in ${seconds} s` : <Moment at={at} />;
}
