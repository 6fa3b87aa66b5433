import { useEffect, useRef } from 'react';

/** A button that is held repeats after this time, in ms. */
const FIRST_MS = 400;
/** The time between repetitions, in ms: as long as a video needs to show the next frame. */
const NEXT_MS = 100;

/** Returns the events of a button that acts once for a press, and again and again while it is held. */
export function useHold(act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasRepeated = useRef(false);
  const stop = (): void => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: () => {
      hasRepeated.current = false;
      const repeat = (): void => {
        hasRepeated.current = true;
        latest.current();
        timer.current = setTimeout(repeat, NEXT_MS);
      };
      stop();
      timer.current = setTimeout(repeat, FIRST_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // A long press of a finger would open the menu of the browser.
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => {
      // The click that ends a hold is not a further press.
      if (!hasRepeated.current) latest.current();
      hasRepeated.current = false;
    },
  };
}
