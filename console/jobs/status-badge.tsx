import type { Job } from '@telecine/client';
import { STATUS_NAMES } from './job-names.ts';
import styles from './status-badge.module.css';

/** The status of a job as a coloured word. */
export function StatusBadge({ status }: { readonly status: Job['status'] }) {
  return (
    <span className={styles.badge} data-status={status}>
      {STATUS_NAMES[status]}
    </span>
  );
}
