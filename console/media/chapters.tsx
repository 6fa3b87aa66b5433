import type { MediaInfo } from '@telecine/client';
import { formatDuration } from '../ui/format.ts';
import styles from './media-info.module.css';

/** The chapters that are listed. A file can have thousands. */
const MAX_ROWS = 50;

/** The chapters of a file: their number, and each of them for those who ask. Nothing for a file without chapters. */
export function Chapters({ chapters }: Pick<MediaInfo, 'chapters'>) {
  if (chapters.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>{chapters.length === 1 ? '1 chapter' : `${chapters.length} chapters`}</summary>
      <ol className={styles.rows} aria-label="Chapters">
        {chapters.slice(0, MAX_ROWS).map(({ startSeconds, title }) => (
          <li key={startSeconds}>
            <span className={styles.soft}>{formatDuration(startSeconds)}</span>
            <span>{title ?? 'Untitled'}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
