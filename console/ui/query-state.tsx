import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadFailed } from './load-failed.tsx';
import { Loading } from './loading.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** Shows the result of a query, or that it is loading, or its error. An earlier result stays visible if a later read fails. */
export function QueryState<T>({
  query: { data, error, refetch },
  columns,
  children,
}: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'> & { readonly refetch: () => unknown };
  /** The headings of the table that will show it. */
  readonly columns?: readonly string[];
  readonly children: (data: T) => ReactNode;
}) {
  const retry = (): void => void refetch();
  if (data === undefined)
    return error === null ? <Loading columns={columns} /> : <LoadFailed error={error} onRetry={retry} />;
  return (
    <>
      {error !== null && <ProblemNotice error={error} onRetry={retry} />}
      {children(data)}
    </>
  );
}
