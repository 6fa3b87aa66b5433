import { type ReactNode, type Ref, useId } from 'react';
import styles from './section.module.css';

/** A part of a page under its heading, with what can be done to it beside that. A panel has a frame. */
export function Section({
  title,
  variant = 'plain',
  actions,
  heading,
  children,
}: {
  readonly title: string;
  readonly variant?: 'plain' | 'panel';
  readonly actions?: ReactNode;
  /** For a section whose content is replaced by a press in it: its heading gets the focus then. */
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} data-variant={variant} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 ref={heading} id={id} tabIndex={heading === undefined ? undefined : -1}>
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
