import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './floating.module.css';

/** Notices and actions that stay in sight over the end of a list. */
export const Floating = ({
  isAboveBar = false,
  children,
}: {
  /** Whether the page has a bar at the bottom of a small window, such as that of the workbench. */
  readonly isAboveBar?: boolean;
  readonly children: ReactNode;
}) => (
  <div className={styles.floating} data-above-bar={isAboveBar}>
    {children}
  </div>
);

/** What can be done with the selected rows of a list. */
export function SelectionBar({
  label,
  count,
  onClear,
  children,
}: {
  /** The name for screen readers. */
  readonly label: string;
  readonly count: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.bar} role="group" aria-label={label}>
      <span className={styles.count}>{count.toLocaleString()} selected</span>
      {children}
      <Button variant="quiet" onClick={onClear}>
        Deselect
      </Button>
    </div>
  );
}
