import { jobsText } from './jobs-action-text.ts';

/** The number of jobs in a list. Before the end of the list, it says "the newest", because the service does not report the total. */
export function jobsCountText({
  shown,
  read,
  hasMore,
  isSearch,
}: {
  readonly shown: number;
  /** The number of jobs that were searched. */
  readonly read: number;
  readonly hasMore: boolean;
  readonly isSearch: boolean;
}): string {
  if (!hasMore) return jobsText(shown);
  if (isSearch) return `${jobsText(shown)} found in the newest ${read.toLocaleString()}.`;
  return `The newest ${jobsText(shown)}.`;
}
