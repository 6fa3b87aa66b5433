import styles from './meter.module.css';

interface Props {
  /** The name for screen readers. */
  readonly label: string;
  readonly max: number;
  /** May be more than `max`. */
  readonly value: number;
  /** Whether a limit that is nearly reached has another colour. Default: false. */
  readonly isLimit?: boolean;
}

/** Draws how much of something is in use. */
export const Meter = ({ label, max, value, isLimit = false }: Props) => (
  <meter
    aria-label={label}
    className={styles.meter}
    data-near={isLimit && value >= max * 0.9}
    max={max}
    value={Math.min(value, max)}
  />
);
