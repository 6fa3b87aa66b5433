import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../app/client.ts';
import styles from './disk-notice.module.css';
import { spaceFigures } from './space-figures.ts';

/** How often the free space is read, in ms: each read adds up what all clients use. */
const POLL_MS = 300_000;

/** Leads from every page to the usage while the disk of the media is nearly full. */
export function DiskNotice() {
  const { data } = useQuery({
    queryKey: ['disk'],
    queryFn: ({ signal }) => client.usageOfAll({ limit: 1, signal }),
    refetchInterval: POLL_MS,
  });
  const free = data && spaceFigures(data).at(-1);
  if (free?.isLow !== true) return null;
  return (
    <Link
      to="/operate/usage"
      className={styles.notice}
      title={`The disk of the media is nearly full: ${free.detail} are free`}
    >
      Disk: {free.value} free
    </Link>
  );
}
