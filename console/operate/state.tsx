import type { ReactNode } from 'react';
import styles from './operate-page.module.css';

/** A state as a coloured word. */
export function State({
  tone,
  children,
}: {
  readonly tone: 'good' | 'live' | 'bad' | 'soft';
  readonly children: ReactNode;
}) {
  return (
    <span className={styles.state} data-tone={tone}>
      {children}
    </span>
  );
}
