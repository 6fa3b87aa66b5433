import { useEffect, useRef, useState } from 'react';

/**
 * The newest value, but at most one in `ms` milliseconds, and none while nobody sees the page. undefined until the page is seen.
 */
export function useSeldom<T>(value: T, ms: number): T | undefined {
  const [shown, setShown] = useState<T>();
  const next = useRef(0);
  useEffect(() => {
    if (value === shown) return undefined;
    const show = (): void => {
      if (document.hidden || Date.now() < next.current) return;
      next.current = Date.now() + ms;
      setShown(() => value);
    };
    const timer = setTimeout(show, Math.max(0, next.current - Date.now()));
    document.addEventListener('visibilitychange', show);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', show);
    };
  }, [value, shown, ms]);
  return shown;
}
