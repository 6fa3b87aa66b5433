import type { Job } from '@telecine/client';
import { samplesText } from '../../packages/contract/src/domain/samples-text.ts';
import styles from './progress.module.css';
import { ESTIMATING, percentText, timeLeftText, unknownProgressText } from './progress-text.ts';

/** The progress of a running job and the time left, if they are known. */
export function JobProgress({ job }: { readonly job: Job }) {
  const { progress } = job;
  if (job.status !== 'PROCESSING') return null;
  if (job.cancelRequestedAt !== undefined) return <span className={styles.progress}>is being cancelled</span>;
  const left = timeLeftText(job);
  const samples = job.samples && samplesText(job.samples);
  return (
    <span className={styles.progress}>
      <progress aria-label="Progress" max={100} value={progress} />
      <span data-left={left !== undefined && left !== ESTIMATING}>
        {/* Samples are a small part of the progress, whose percentage would stand still for minutes. */}
        <span data-known={samples === undefined && progress !== undefined}>
          {samples ?? (progress === undefined ? (unknownProgressText(job) ?? '…') : percentText(progress))}
        </span>
        {left !== undefined && (
          <>
            <span data-comma="">, </span>
            <span data-time="">{left}</span>
          </>
        )}
      </span>
    </span>
  );
}
