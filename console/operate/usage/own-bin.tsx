import { useQuery } from '@tanstack/react-query';
import { BinList } from '../../files/bin-list.tsx';
import { binQuery } from '../../files/bin-query.ts';
import styles from '../operate-page.module.css';

/** The bin of the signed-in client beside what else takes space. Nothing if the service keeps no deleted files. */
export function OwnBin(props: Omit<Parameters<typeof BinList>[0], 'mayWrite'>) {
  const { data: bin } = useQuery(binQuery);
  if (bin === undefined || bin.keepSeconds === 0) return null;
  return (
    <section className={styles.section} aria-label="Your bin">
      <h2>Your bin</h2>
      <BinList mayWrite {...props} />
    </section>
  );
}
