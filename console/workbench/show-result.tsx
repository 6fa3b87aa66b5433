import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { STARTED_JOBS } from './started-jobs.ts';

/** Leads to the started jobs, which are above the form in a narrow window. Nothing while they fill most of it. */
export function ShowResult() {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = document.getElementById(STARTED_JOBS);
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        const { intersectionRatio, intersectionRect, rootBounds } = last;
        setSeen(
          intersectionRatio > MOST || intersectionRect.height > (rootBounds?.height ?? window.innerHeight) * MOST,
        );
      },
      { threshold: STEPS },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isSeen ? null : <Button onClick={showResult}>Show the result</Button>;
}

/** The share of the result, or of the window, from which the result counts as shown. */
const MOST = 0.5;

/** When to look again: at each twentieth of the result. */
const STEPS = Array.from({ length: 21 }, (_, step) => step / 20);

/** Scrolls to the started jobs. */
function showResult(): void {
  const found = document.getElementById(STARTED_JOBS);
  found?.scrollIntoView({ block: 'start' });
  found?.focus({ preventScroll: true });
}
