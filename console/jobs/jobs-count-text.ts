import { jobsText } from './jobs-action-text.ts';

/** The number of jobs in a list, and how many of those that failed were run again. Before the end of the list, it says "the newest", because the service does not report the total. */
export function jobsCountText({
  shown,
  runAgain = 0,
  hasMore,
  isSearch,
}: {
  readonly shown: number;
  readonly runAgain?: number;
  readonly hasMore: boolean;
  readonly isSearch: boolean;
}): string {
  const again = runAgain === 0 ? '' : `, ${runAgain} ${runAgain === 1 ? 'was' : 'were'} run again`;
  if (!hasMore) return `${jobsText(shown)}${again}`;
  if (isSearch) return `The newest ${jobsText(shown)} that match${again}.`;
  return `The newest ${jobsText(shown)}${again}.`;
}
