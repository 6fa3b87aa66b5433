import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A part of a page under its heading, with what can be done to it beside that. A panel has a frame. */
export function Section({
  title,
  variant = 'plain',
  actions,
  children,
}: {
  readonly title: string;
  readonly variant?: 'plain' | 'panel';
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} data-variant={variant} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
