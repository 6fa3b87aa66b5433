import type { Job } from '@telecine/client';
import styles from './progress.module.css';
import { percentText, timeLeftText, unknownProgressText } from './progress-text.ts';

/** The progress of a running job and the time left, if they are known. */
export function JobProgress({ job }: { readonly job: Job }) {
  const { progress } = job;
  if (job.status !== 'PROCESSING') return null;
  const left = timeLeftText(job);
  return (
    <span className={styles.progress}>
      <progress aria-label="Progress" max={100} value={progress} />
      <span>
        <span className={styles.percent} data-known={progress !== undefined}>
          {progress === undefined ? unknownProgressText(job) : percentText(progress)}
        </span>
        {left !== undefined && (
          <>
            <span className={styles.comma}>, </span>
            <span className={styles.left}>{left}</span>
          </>
        )}
      </span>
    </span>
  );
}
