import { type ReactNode, type Ref, useId } from 'react';
import styles from './section.module.css';

/** A part of a page with a heading, and buttons beside the heading. `panel` has a border, `quiet` has one too and less weight. */
export function Section({
  title,
  variant = 'plain',
  actions,
  heading,
  id: anchor,
  children,
}: {
  readonly title: string;
  readonly variant?: 'plain' | 'panel' | 'quiet';
  readonly actions?: ReactNode;
  /** A ref to the heading, which can then get the focus after a click has replaced the content of the section. */
  readonly heading?: Ref<HTMLHeadingElement>;
  /** The fragment of the URL that leads to the section. */
  readonly id?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={anchor} className={styles.section} data-variant={variant} aria-labelledby={id}>
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
