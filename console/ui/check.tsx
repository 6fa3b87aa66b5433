import type { ReactNode } from 'react';
import styles from './form-page.module.css';

/** A labelled checkbox in a form. */
export function Check({
  label,
  isOn,
  isDisabled = false,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
