import type { Job } from '@telecine/client';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EarlierResults } from './earlier-results.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { STARTED_JOBS } from './started-jobs.ts';
import type { useRun } from './use-run.ts';

/** The jobs that were started last, and below them the results of earlier ones. */
export const Results = ({
  running: { run, earlier, isRestored, onEnded },
  ...events
}: {
  readonly running: ReturnType<typeof useRun>;
  /** A job has failed, and `jobId` runs in its place. */
  readonly onFixed: (failed: Job, jobId: string) => void;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** The user wants to convert the result at this path. */
  readonly onUse: (path: string) => void;
}) => (
  <>
    {run !== undefined && <RunningJobs {...events} run={run} isRestored={isRestored} onEnded={onEnded} />}
    {earlier.length > 0 && <EarlierResults jobIds={earlier} />}
  </>
);

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
