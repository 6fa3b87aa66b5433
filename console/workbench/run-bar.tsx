import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './run-bar.module.css';

interface Props {
  readonly label: string;
  readonly isReady: boolean;
  /** What the button waits for, or that it waits for nothing. */
  readonly state: string;
  readonly isBad: boolean;
  readonly onRun: () => void;
  /** Other things to do about the state. */
  readonly children?: ReactNode;
}

/** The button that runs the request, and whether it can. It stays in sight: on a phone, at the bottom of the window. */
export function RunBar({ label, isReady, state, isBad, onRun, children }: Props) {
  const id = useId();
  return (
    <div role="group" aria-label="Run" className={styles.bar}>
      {/* A button that is `disabled` loses the focus: it is here while the job starts, and once its output exists. */}
      <Button
        variant="primary"
        className={styles.run}
        aria-disabled={!isReady}
        aria-describedby={id}
        onClick={isReady ? onRun : undefined}
      >
        {label}
      </Button>
      <p id={id} role="status" className={styles.state} data-bad={isBad}>
        {state}
      </p>
      {children}
    </div>
  );
}
