import type { CSSProperties } from 'react';
import styles from './meter.module.css';

interface Props {
  /** The name for screen readers. */
  readonly label: string;
  readonly max: number;
  /** May be more than `max`. */
  readonly value: number;
  /** Whether a limit that is nearly reached has another colour. Default: false. */
  readonly isLimit?: boolean;
  /** Whether `max` is a small number of things, such as slots, each of which is one frame of the bar. Default: false. */
  readonly isCount?: boolean;
}

/** More frames than this are too narrow to be counted. */
const MAX_FRAMES = 24;

/** Draws how much of something is in use. */
export const Meter = ({ label, max, value, isLimit = false, isCount = false }: Props) => (
  <meter
    aria-label={label}
    className={styles.meter}
    data-near={isLimit && value >= max * 0.9}
    data-count={isCount && max <= MAX_FRAMES}
    style={{ '--count': max } as CSSProperties}
    max={max}
    value={Math.min(value, max)}
  />
);
