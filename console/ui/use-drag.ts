import type { PointerEvent, RefObject } from 'react';
import { useRef } from 'react';

/** How far the pointer has moved since a point was grabbed, and where it is, as shares of the area. */
export interface Movement {
  readonly by: { readonly x: number; readonly y: number };
  readonly at: { readonly x: number; readonly y: number };
}

type Follow<T> = (grabbed: T, movement: Movement) => void;

/** What happens while something is dragged. */
interface DragEvents<T> {
  /** Called when the pointer is pressed. */
  readonly start?: Follow<T>;
  readonly move: Follow<T>;
  /** Called when the user lets go. `isCancelled`: the browser has taken the movement, to scroll the page. */
  readonly end?: (grabbed: T, movement: Movement, isCancelled: boolean) => void;
}

/** Returns the function that begins to drag what is at the pointer. It follows the pointer within an area until the user lets go. */
export function useDrag<T>(area: RefObject<Element | null>, on: DragEvents<T>) {
  // The listeners call the functions of the last rendering, because a movement changes what is dragged.
  const latest = useRef(on);
  latest.current = on;
  return (event: PointerEvent<HTMLElement>, grabbed: T): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const { pointerId, clientX, clientY } = event;
    const element: HTMLElement = event.currentTarget;
    const movement = (to: { readonly clientX: number; readonly clientY: number }): Movement => {
      // The page may have scrolled since the last movement.
      const { left = 0, top = 0, width = 1, height = 1 } = area.current?.getBoundingClientRect() ?? {};
      return {
        by: { x: (to.clientX - clientX) / width, y: (to.clientY - clientY) / height },
        at: { x: (to.clientX - left) / width, y: (to.clientY - top) / height },
      };
    };
    element.setPointerCapture(pointerId);
    const stop = new AbortController();
    const { signal } = stop;
    const finish = (last: globalThis.PointerEvent): void => {
      stop.abort();
      latest.current.end?.(grabbed, movement(last), last.type === 'pointercancel');
    };
    element.addEventListener('pointermove', (moved) => latest.current.move(grabbed, movement(moved)), { signal });
    element.addEventListener('pointerup', finish, { signal });
    element.addEventListener('pointercancel', finish, { signal });
    latest.current.start?.(grabbed, movement(event));
  };
}
