import styles from './loading.module.css';

/** What stands where something is read. */
export const Loading = () => <p className={styles.loading}>Loading…</p>;
