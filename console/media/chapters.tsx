import type { MediaInfo } from '@telecine/client';
import { formatDuration } from '../ui/format.ts';
import styles from './media-info.module.css';

/** The maximum number of listed chapters. A file can have thousands. */
const MAX_ROWS = 50;

/** The number of chapters, which opens to a list. Empty for a file without chapters. */
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
