import { jobsText } from './jobs-action-text.ts';

/** How many jobs a list shows. The service does not say how many there are, so it is the number only at the end of the list. */
export function jobsCountText({
  shown,
  read,
  hasMore,
  isSearch,
}: {
  readonly shown: number;
  /** The jobs in which words were looked for. */
  readonly read: number;
  readonly hasMore: boolean;
  readonly isSearch: boolean;
}): string {
  if (!hasMore) return jobsText(shown);
  if (isSearch) return `${jobsText(shown)} found in the newest ${read.toLocaleString()}.`;
  return `The newest ${jobsText(shown)}.`;
}
