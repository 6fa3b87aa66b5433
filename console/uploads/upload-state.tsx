import { Link } from '@tanstack/react-router';
import styles from './upload-state.module.css';
import { useUploadItems } from './uploads-provider.tsx';

/** The total progress of all uploads, shown on every page. Empty if there are none. */
export function UploadState() {
  const open = useUploadItems().filter(({ state }) => state !== 'done');
  if (open.length === 0) return null;
  const sent = open.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const size = open.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const stopped = open.filter(({ state }) => state === 'failed' || state === 'missing').length;
  return (
    <Link to="/" className={styles.state} data-bad={stopped > 0}>
      {stopped > 0
        ? `${stopped} ${stopped === 1 ? 'upload has' : 'uploads have'} stopped`
        : `Uploading ${open.length}: ${Math.floor((100 * sent) / Math.max(1, size))} %`}
    </Link>
  );
}
