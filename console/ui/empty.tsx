import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** What stands where a list will be: an empty frame of film, with what is missing and how it comes. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>;
}
