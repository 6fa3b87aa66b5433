import type { Job } from '@telecine/client';
import { formatTimeLeft } from '../ui/format.ts';
import styles from './progress.module.css';
import { unknownProgressText } from './progress-text.ts';

/** The progress of a running job, its speed and the time left, if they are known. */
export function JobProgress({ job, isWide = false }: { readonly job: Job; readonly isWide?: boolean }) {
  const { progress, speed, etaSeconds } = job;
  if (job.status !== 'PROCESSING') return null;
  return (
    <span className={styles.progress} data-wide={isWide}>
      <progress
        aria-label="Progress"
        max={100}
        value={progress}
        // Hide the bar, because the timeline next to it already shows the progress.
        className={isWide && etaSeconds !== undefined ? 'visually-hidden' : undefined}
      />
      <span>
        <span className={styles.percent} data-known={progress !== undefined}>
          {progress === undefined ? unknownProgressText(job) : percentText(progress)}
        </span>
        {etaSeconds !== undefined && (
          <>
            <span className={styles.comma}>, </span>
            <span className={styles.left}>{formatTimeLeft(etaSeconds)} left</span>
          </>
        )}
        {isWide && speed !== undefined && (
          <>
            <span className={styles.comma}>, </span>
            <span className={styles.speed}>{Number(speed.toPrecision(2))}× playback</span>
          </>
        )}
      </span>
    </span>
  );
}

/** The progress of a long job stays at 0 % for minutes, so below 10 % it has a decimal: `0.4 %`. */
const percentText = (progress: number): string =>
  `${progress < 10 ? Math.floor(progress * 10) / 10 : Math.floor(progress)} %`;
