import type { ReactNode } from 'react';
import styles from './draft-note.module.css';

/** Says where the request in the workbench comes from, above the form. `label`: its name for screen readers. */
export function DraftNote({
  label,
  tone,
  actions,
  children,
}: {
  readonly label: string;
  readonly tone?: 'bad' | undefined;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <aside className={styles.note} data-tone={tone} aria-label={label}>
      {children}
      <div className={styles.actions}>{actions}</div>
    </aside>
  );
}
