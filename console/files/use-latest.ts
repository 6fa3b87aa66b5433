import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps the latest value for functions that must stay the same, such as those that all rows of a list get. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
