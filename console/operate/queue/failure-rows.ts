import type { QueueHistory } from '@telecine/client';

type Failure = QueueHistory['failures'][number];

/** The failed jobs of one client with one error code. */
export interface FailureRow extends Partial<Omit<Failure['clients'][number], 'jobs'>> {
  readonly key: string;
  readonly code: string;
  readonly jobs: number;
}

/** A row for each error code and client. Jobs whose client is not known have a row too, so that the numbers add up. */
export const failureRows = (failures: readonly Failure[]): readonly FailureRow[] =>
  failures.flatMap(({ code, jobs, clients }): readonly FailureRow[] => {
    const rest = clients.reduce((left, one) => left - one.jobs, jobs);
    return [
      ...clients.map((one) => ({ ...one, code, key: `${code} ${one.client}` })),
      ...(rest > 0 ? [{ code, key: code, jobs: rest }] : []),
    ];
  });
