import type { ComponentType, ReactNode } from 'react';
import styles from './empty.module.css';

/** Replaces an empty list with a text, which says how to start. Its border looks like an empty frame of film. */
export function Empty({ icon: Icon, children }: { readonly icon?: ComponentType; readonly children: ReactNode }) {
  return (
    <div className={styles.empty}>
      {Icon !== undefined && (
        <span className={styles.icon}>
          <Icon />
        </span>
      )}
      {children}
    </div>
  );
}
