import styles from './loading.module.css';

export const Loading = () => <p className={styles.loading}>Loading…</p>;
