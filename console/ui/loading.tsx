import styles from './loading.module.css';

/** The widths of the first bar of each row, in percent. Bars of the same width would look like content. */
const WIDTHS = [62, 88, 47, 74, 56] as const;

/** Stands for content that is being read: a panel with rows, as most lists have. It appears after a moment, because most content is faster. */
export function Loading() {
  return (
    <div className={styles.loading}>
      <span className="visually-hidden">Loading…</span>
      <div className={styles.head} />
      {WIDTHS.map((width) => (
        <div key={width} className={styles.row}>
          <span className={styles.bar} style={{ width: `${width}%` }} />
          <span className={styles.bar} />
          <span className={styles.bar} />
        </div>
      ))}
      <p className={styles.slow} aria-hidden="true">
        The service takes long to reply…
      </p>
    </div>
  );
}
