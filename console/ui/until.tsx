import { Moment } from './moment.tsx';
import { useNow } from './use-now.ts';

const MINUTE = 60;

/** When something happens, in words of the future: `in 40 s`, `in 5 min`, `now`. */
export function Until({ at }: { readonly at: string }) {
  const seconds = Math.round((Date.parse(at) - useNow(true)) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < MINUTE ? `in ${seconds} s` : <Moment at={at} />;
}
