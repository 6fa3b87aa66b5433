import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** Replaces an empty list with a text. Its border looks like an empty frame of film. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>;
}
