import type { ReactNode } from 'react';
import ink from './ink.module.css';
import styles from './page-header.module.css';
import { PageHeading } from './page-heading.tsx';

/** The head of a page: its heading, and beside it the buttons of the page. */
export const PageHeader = ({
  title,
  back,
  about,
  children,
}: {
  readonly title: string;
  /** The link to the list to which the page belongs. */
  readonly back?: ReactNode;
  /** What the page is about, below the heading. */
  readonly about?: ReactNode;
  /** The buttons. */
  readonly children?: ReactNode;
}) => (
  <header className={styles.header}>
    <div>
      {back}
      <PageHeading>{title}</PageHeading>
      {about && <p className={ink.soft}>{about}</p>}
    </div>
    {children && <div className={styles.actions}>{children}</div>}
  </header>
);
