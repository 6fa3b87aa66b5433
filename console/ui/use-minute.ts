import { useEffect, useState } from 'react';

/** A text such as "5 min ago" is late by at most this. */
const PERIOD_MS = 20_000;

const listeners = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time in milliseconds, for texts that change with the minutes. All users of it share one timer. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    listeners.add(setNow);
    timer ??= setInterval(() => {
      const time = Date.now();
      for (const listener of listeners) listener(time);
    }, PERIOD_MS);
    return () => {
      listeners.delete(setNow);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}
