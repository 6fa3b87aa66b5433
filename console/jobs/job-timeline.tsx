import type { Job } from '@telecine/client';
import { formatDuration, formatMoment } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './job-timeline.module.css';
import { timelineOf } from './timeline.ts';

/** Shares that add up to less than 1 would leave a part of the bar empty. */
const FULL = 1000;

/**
 * How long a job waited and how long each of its phases took, as a bar and in numbers. While it runs, the bar is as long as the
 * job will take, so that it shows the progress too.
 */
export function JobTimeline({ job }: { readonly job: Job }) {
  const now = useNow(job.completedAt === undefined);
  const spans = timelineOf(job, now);
  const left = job.status === 'PROCESSING' ? job.etaSeconds : undefined;
  return (
    <div className={styles.timeline}>
      <div className={styles.bar} aria-hidden="true">
        {spans.map(({ kind, startedAt, seconds }) => (
          <span key={`${kind} ${startedAt}`} data-kind={kind} style={{ flexGrow: Math.max(seconds, 0.001) * FULL }} />
        ))}
        {left !== undefined && <span data-kind="left" style={{ flexGrow: left * FULL }} />}
      </div>
      <ol className={styles.spans} aria-label="Timeline">
        {spans.map(({ name, kind, startedAt, seconds, isOpen }) => (
          <li key={`${kind} ${startedAt}`} data-kind={kind} data-open={isOpen}>
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
