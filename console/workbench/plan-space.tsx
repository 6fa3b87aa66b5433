import styles from './plan-space.module.css';

/** The space of a plan that is not known yet. Otherwise, what is below it would move when it comes. */
export const PlanSpace = () => (
  <div className={styles.space} aria-hidden="true">
    <div className={styles.figureSpace} />
    <div className={styles.commandSpace} />
  </div>
);
