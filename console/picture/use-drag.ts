import type { PointerEvent } from 'react';
import { useRef } from 'react';

/** How far the pointer has moved since a point was grabbed, and where it is, as shares of the area. */
export interface Movement {
  readonly by: { readonly x: number; readonly y: number };
  readonly at: { readonly x: number; readonly y: number };
}

/**
 * Returns the function that begins to drag what is at the pointer, within an area.
 */
export function useDrag<T>(area: () => Element | null, onMove: (start: T, movement: Movement) => void) {
  // The listeners call the function of the last rendering.
  const latest = useRef(onMove);
  latest.current = onMove;
  return (event: PointerEvent<HTMLElement>, start: T): void => {
    const box = area()?.getBoundingClientRect();
    if (event.button !== 0 || box === undefined) return;
    event.stopPropagation();
    const { currentTarget: element, pointerId, clientX, clientY } = event;
    element.setPointerCapture(pointerId);
    const stop = new AbortController();
    const { signal } = stop;
    const move = (moved: globalThis.PointerEvent): void =>
      latest.current(start, {
        by: { x: (moved.clientX - clientX) / box.width, y: (moved.clientY - clientY) / box.height },
        at: { x: (moved.clientX - box.left) / box.width, y: (moved.clientY - box.top) / box.height },
      });
    element.addEventListener('pointermove', move, { signal });
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => stop.abort(), { signal });
  };
}
