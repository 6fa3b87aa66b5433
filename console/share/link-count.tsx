import Link2 from 'lucide-react/icons/link-2';
import { countText } from '../ui/format.ts';
import styles from './share.module.css';

/** Says in a list that a file has links which work. `count`: 0 says nothing. */
export const LinkCount = ({ count }: { readonly count: number }) =>
  count > 0 && (
    <span className={styles.count} title={countText(count, 'shared link')}>
      <Link2 />
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{countText(count, 'shared link')}</span>
    </span>
  );
