import Inbox from 'lucide-react/icons/inbox';
import type { ComponentType, ReactNode } from 'react';
import styles from './empty.module.css';

/** Replaces an empty list with a text, which says how to start. Its border looks like an empty frame of film. */
export function Empty({
  icon: Icon = Inbox,
  role,
  children,
}: {
  readonly icon?: ComponentType | undefined;
  readonly role?: 'alert';
  readonly children: ReactNode;
}) {
  return (
    <div role={role} className={styles.empty}>
      <span className={styles.icon}>
        <Icon />
      </span>
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}
