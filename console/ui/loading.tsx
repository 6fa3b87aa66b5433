import { type CSSProperties, useEffect, useState } from 'react';
import styles from './loading.module.css';

/** The widths of the first bar of each row, in percent. Bars of the same width would look like content. */
const WIDTHS = [62, 88, 47, 74, 56] as const;

/** When the user is told that it takes long, in ms. */
const SLOW_MS = 3000;

/**
 * Stands for content that is being read: a panel with rows, as most lists have. It appears after a moment, because most content is faster.
 * `columns`: the headings of a table, which are known before its rows.
 */
export function Loading({ columns }: { readonly columns?: readonly string[] | undefined }) {
  const isSlow = useIsLater(SLOW_MS);
  const template = columns && ({ '--columns': `repeat(${columns.length}, minmax(0, 1fr))` } as CSSProperties);
  return (
    <div className={styles.loading} data-table={columns !== undefined} style={template}>
      <span className="visually-hidden">Loading…</span>
      <div className={styles.head} aria-hidden="true">
        {columns?.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      {/* In the place of the last row, so that nothing moves when it appears. */}
      {WIDTHS.slice(0, isSlow ? -1 : undefined).map((width) => (
        <div key={width} className={styles.row}>
          {(columns ?? ['name', 'state', 'time']).map((name, index) => (
            <span key={name} className={styles.bar} style={{ width: index === 0 ? `${width}%` : undefined }} />
          ))}
        </div>
      ))}
      {isSlow && (
        <p className={`${styles.row} ${styles.slow}`} aria-hidden="true">
          The service takes long to reply…
        </p>
      )}
    </div>
  );
}

/** Whether it was rendered this long ago. */
function useIsLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}
