import type { Job } from '@telecine/client';
import { formatDuration, formatMoment } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './job-timeline.module.css';
import { timelineOf } from './timeline.ts';

/** Multiplies the shares of the bar. If `flex-grow` values add up to less than 1, a part of the bar stays empty. */
const FULL = 1000;

/**
 * The times of a job as a bar and as numbers: in the queue, and in each phase. While the job runs, the bar also contains the estimated time
 * left, so that it shows the progress.
 */
export function JobTimeline({ job }: { readonly job: Job }) {
  const now = useNow(job.completedAt === undefined);
  const spans = timelineOf(job, now);
  const left = job.status === 'PROCESSING' ? job.etaSeconds : undefined;
  // Before the conversion, nothing is to compare with the time in the queue. Without the time left, the bar of a running job would look full.
  const hasBar =
    job.status === 'PROCESSING'
      ? left !== undefined
      : job.status !== 'FAILED' || spans.some(({ kind }) => kind === 'CONVERTING');
  return (
    <div className={styles.timeline} data-ended={job.completedAt !== undefined}>
      {hasBar && (
        <div className={styles.bar} aria-hidden="true">
          {spans.map(({ kind, startedAt, seconds }) => (
            <span key={`${kind} ${startedAt}`} data-kind={kind} style={{ flexGrow: Math.max(seconds, 0.001) * FULL }} />
          ))}
          {left !== undefined && <span data-kind="left" style={{ flexGrow: left * FULL }} />}
        </div>
      )}
      <ol className={styles.spans} data-legend={hasBar} aria-label="Timeline">
        {spans.map(({ name, kind, startedAt, seconds }) => (
          <li key={`${kind} ${startedAt}`} data-kind={kind}>
            <span>{name}</span>
            <time dateTime={startedAt} title={`since ${formatMoment(startedAt)}`}>
              {formatDuration(seconds)}
            </time>
          </li>
        ))}
      </ol>
    </div>
  );
}
