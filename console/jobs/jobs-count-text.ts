import { jobsText } from './jobs-action-text.ts';

/** The number of jobs in a list. Before the end of the list, it says "the newest", because the service does not report the total. */
export function jobsCountText({
  shown,
  hasMore,
  isSearch,
}: {
  readonly shown: number;
  readonly hasMore: boolean;
  readonly isSearch: boolean;
}): string {
  if (!hasMore) return jobsText(shown);
  if (isSearch) return `The newest ${jobsText(shown)} that match.`;
  return `The newest ${jobsText(shown)}.`;
}
