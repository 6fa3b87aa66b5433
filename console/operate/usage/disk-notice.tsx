import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import styles from './disk-notice.module.css';
import { diskQuery } from './disk-query.ts';
import { freeFigure } from './space-figures.ts';

/** The free space of the disk of the media if little of it is left. */
function useLowSpace() {
  const disk = useQuery(diskQuery).data?.disk;
  const free = disk && freeFigure(disk);
  return free?.isLow === true ? free : undefined;
}

/** Leads from every page to the usage while little of the disk of the media is free. */
export function DiskNotice() {
  const free = useLowSpace();
  if (free === undefined) return null;
  return (
    <Link to="/operate/usage" className={styles.notice} title={`Free on the disk of the media: ${free.detail}`}>
      Disk: {free.value} free
    </Link>
  );
}

/** The free space in the link to the usage while little is left. */
export function LowSpace() {
  const free = useLowSpace();
  return free && <span className={styles.low}>{free.value} free</span>;
}
