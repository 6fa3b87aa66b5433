import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps the latest value for functions that must not change, such as the actions that all rows of a list get. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
