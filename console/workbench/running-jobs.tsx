import type { Job } from '@telecine/client';
import { useEffect, useRef } from 'react';
import type { Run } from './run.ts';
import styles from './running-job.module.css';
import { RunningJob } from './running-job.tsx';
import { RunningList } from './running-list.tsx';

/** The jobs that were started in the workbench. Scrolls to them, because on a phone they are below the form. */
export function RunningJobs({
  run: { jobIds, batchId },
  onEnded,
  onNext,
}: {
  readonly run: Run;
  readonly onEnded: (job: Job) => void;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
}) {
  const list = useRef<HTMLElement>(null);
  const [first = '', ...others] = jobIds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other jobs were started.
  useEffect(() => {
    // Ignore the result, because React would take it for a cleanup function.
    void list.current?.scrollIntoView({ block: 'nearest' });
  }, [first]);
  return (
    <section ref={list} className={styles.jobs} aria-label="Started jobs">
      {others.length === 0 ? (
        <RunningJob key={first} jobId={first} onEnded={onEnded} onNext={onNext} />
      ) : (
        <RunningList key={first} jobIds={jobIds} batchId={batchId} onEnded={onEnded} onNext={onNext} />
      )}
    </section>
  );
}
