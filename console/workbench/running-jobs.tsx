import { useEffect, useRef } from 'react';
import styles from './running-job.module.css';
import { RunningJob } from './running-job.tsx';

/** The jobs that were started in the workbench. Scrolls to them, because on a phone they are below the form. */
export function RunningJobs({ jobIds }: { readonly jobIds: readonly string[] }) {
  const list = useRef<HTMLElement>(null);
  const [first] = jobIds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other jobs were started.
  useEffect(() => {
    // Ignore the result, because React would take it for a cleanup function.
    void list.current?.scrollIntoView({ block: 'nearest' });
  }, [first]);
  return (
    <section ref={list} className={styles.jobs} aria-label="Started jobs">
      {jobIds.map((jobId) => (
        <RunningJob key={jobId} jobId={jobId} />
      ))}
    </section>
  );
}
