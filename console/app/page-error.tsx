import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './page-error.module.css';

/** Replaces a page that throws an error. */
export function PageError({ error }: Pick<ErrorComponentProps, 'error'>) {
  return (
    <div className={styles.page}>
      <PageHeading>The page cannot be shown</PageHeading>
      <ProblemNotice error={error} />
      <div>
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
      </div>
    </div>
  );
}
