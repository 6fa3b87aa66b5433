import Inbox from 'lucide-react/icons/inbox';
import type { ComponentType, ReactNode } from 'react';
import styles from './empty.module.css';

/** Replaces an empty list: what is not there, a sentence on how it comes, and the action that brings it. A text alone is the title. */
export function Empty({
  icon: Icon = Inbox,
  title,
  role,
  tone,
  actions,
  children,
}: {
  /** null: the content has signs of its own. */
  readonly icon?: ComponentType | null | undefined;
  readonly title?: string | undefined;
  readonly role?: 'alert';
  /** `bad`: the list is not empty, but could not be read. */
  readonly tone?: 'bad';
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  const isTitle = title === undefined && typeof children === 'string';
  const heading = isTitle ? children : title;
  return (
    <div role={role} className={styles.empty}>
      {Icon !== null && (
        <span className={styles.icon} data-tone={tone}>
          <Icon />
        </span>
      )}
      {heading !== undefined && (
        <p>
          <strong>{heading}</strong>
        </p>
      )}
      {!isTitle && (typeof children === 'string' ? <p>{children}</p> : children)}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
