import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './selection-bar.module.css';

/** What can be done with the selected entries. `children`: more actions. */
export function SelectionBar({
  count,
  mayWrite,
  onRename,
  onMove,
  onClear,
  children,
}: {
  readonly count: number;
  readonly mayWrite: boolean;
  /** undefined: several entries are selected. */
  readonly onRename: (() => void) | undefined;
  readonly onMove: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.bar} role="group" aria-label="Selected files">
      <span className={styles.count}>{count.toLocaleString()} selected</span>
      {mayWrite && onRename !== undefined && <Button onClick={onRename}>Rename</Button>}
      {mayWrite && <Button onClick={onMove}>Move…</Button>}
      {children}
      <Button variant="quiet" onClick={onClear}>
        Deselect
      </Button>
    </div>
  );
}
