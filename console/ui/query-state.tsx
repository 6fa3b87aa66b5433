import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** What was read, while it is read, and why it could not be read. What was read before stays while a later read fails. */
export function QueryState<T>({
  query: { data, error, refetch },
  children,
}: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'> & { readonly refetch: () => unknown };
  readonly children: (data: T) => ReactNode;
}) {
  return (
    <>
      {error !== null && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : error === null && <Loading />}
    </>
  );
}
