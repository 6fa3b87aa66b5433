import styles from './loading.module.css';

/** The lengths of the lines, in percent. Lines of the same length would look like content. */
const LENGTHS = [42, 88, 71, 94, 63, 80] as const;

/** Stands for content that is being read: the outline of some lines. It appears after a moment, because most content is faster. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className={styles.loading}>
      <span className="visually-hidden">Loading…</span>
      {LENGTHS.slice(0, lines).map((length) => (
        <span key={length} className={styles.line} style={{ width: `${length}%` }} />
      ))}
    </div>
  );
}
