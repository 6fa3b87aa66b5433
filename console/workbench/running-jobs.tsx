import { useEffect, useRef } from 'react';
import styles from './running-job.module.css';
import { RunningJob } from './running-job.tsx';

/** The jobs that were started here. On a phone, they are below what they were started from, so they scroll into sight. */
export function RunningJobs({ jobIds }: { readonly jobIds: readonly string[] }) {
  const list = useRef<HTMLElement>(null);
  const [first] = jobIds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other jobs were started.
  useEffect(() => {
    // What it returns is not a function that ends the effect.
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
