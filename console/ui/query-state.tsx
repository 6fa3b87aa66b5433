import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNotice } from './problem-notice.tsx';
import styles from './query-state.module.css';

/** What was read, while it is read, and why it could not be read. What was read before stays while a later read fails. */
export function QueryState<T>({
  query: { data, error },
  children,
}: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  readonly children: (data: T) => ReactNode;
}) {
  return (
    <>
      {error !== null && <ProblemNotice error={error} />}
      {data !== undefined ? children(data) : error === null && <p className={styles.loading}>Loading…</p>}
    </>
  );
}
