import type { ReactNode } from 'react';
import styles from './fold.module.css';

/** Content, which can be folded. */
export const Fold = ({
  isFolded,
  summary,
  children,
}: {
  readonly isFolded: boolean;
  readonly summary: string;
  readonly children: ReactNode;
}) =>
  isFolded ? (
    <details className={styles.fold}>
      <summary>{summary}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  ) : (
    children
  );
