import type { Job } from '@telecine/client';

export const STATUSES = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const satisfies readonly Job['status'][];

/** Which jobs a list shows. It lives in the address, so that a list can be sent to a colleague. */
export interface JobFilter {
  readonly status?: Job['status'];
}

/** Reads a filter from the query of an address. What it does not know is left out. */
export function readJobFilter(query: Readonly<Record<string, unknown>>): JobFilter {
  const status = STATUSES.find((one) => one === query['status']);
  return status === undefined ? {} : { status };
}

export const matchesFilter = (job: Pick<Job, 'status'>, { status }: JobFilter): boolean =>
  status === undefined || job.status === status;
