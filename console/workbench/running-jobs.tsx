import type { Job } from '@telecine/client';
import { useEffect, useRef } from 'react';
import { isTyping } from '../ui/is-typing.ts';
import { focusedSource } from './keep-source-in-place.ts';
import type { Run } from './run.ts';
import styles from './running-job.module.css';
import { RunningJob } from './running-job.tsx';
import { RunningList } from './running-list.tsx';
import { NARROW, STARTED_JOBS } from './started-jobs.ts';

/** Whether a part of an element can be seen. */
function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** A smooth scroll, because the user has not scrolled and would not see where the page went. */
const calmScroll = (): ScrollBehavior =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';

/** Whether the start of an element is above where it is when the page has scrolled to it, such as below the bar with the button. */
const isCovered = (element: Element): boolean =>
  element.getBoundingClientRect().top < Number.parseFloat(getComputedStyle(element).scrollMarginTop) - 1;

/** The jobs that were started in the workbench. Scrolls to them: on a phone they are above the form, and the button that starts a job is at the end of the form. */
export function RunningJobs({
  run,
  isRestored,
  onEnded,
  onFixed,
  onNext,
  onUse,
}: {
  readonly run: Run;
  /** Whether the user has come back to the jobs from another page, which then does not scroll. */
  readonly isRestored: boolean;
  readonly onEnded: (job: Job) => void;
  /** A job has failed, and `jobId` runs in its place. */
  readonly onFixed: (failed: Job, jobId: string) => void;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** The user wants to convert the result at this path. */
  readonly onUse: (path: string) => void;
}) {
  const list = useRef<HTMLElement>(null);
  const [first = '', ...others] = run.jobIds;
  const key = run.batchId ?? first;
  const isDone = run.ended.size >= run.jobIds.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other jobs were started.
  useEffect(() => {
    // In a window of another width, the element is a new one. Its jobs may have ended long ago.
    if (!isDone && !isRestored) void list.current?.scrollIntoView({ block: 'nearest', behavior: calmScroll() });
  }, [key]);
  const wasDone = useRef(isDone);
  useEffect(() => {
    const { current: element } = list;
    const hasEnded = isDone && !wasDone.current;
    // The result is larger than the running job. Show all of it, unless the user looks at something else meanwhile, or types beside it.
    if (
      hasEnded &&
      element !== null &&
      isInWindow(element) &&
      (window.matchMedia(NARROW).matches ? focusedSource() === undefined : isCovered(element) && !isTyping())
    )
      element.scrollIntoView({ block: 'start' });
    wasDone.current = isDone;
  }, [isDone]);
  const replace = (failed: Job, jobId: string): void => {
    onFixed(failed, jobId);
    // The button goes with the failed job.
    list.current?.focus();
  };
  return (
    <section ref={list} id={STARTED_JOBS} tabIndex={-1} className={styles.jobs} aria-label="Started jobs">
      {others.length === 0 ? (
        <RunningJob key={key} jobId={first} onEnded={onEnded} onFixed={replace} onNext={onNext} onUse={onUse} />
      ) : (
        <RunningList key={key} run={run} onEnded={onEnded} onFixed={replace} onNext={onNext} />
      )}
    </section>
  );
}
