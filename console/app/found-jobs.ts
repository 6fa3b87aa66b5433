import type { Job } from '@telecine/client';
import { filterMatcher, readSearch } from '../jobs/job-filter.ts';
import type { client } from './client.ts';

/** The size of the first page, which usually has enough jobs. */
const FIRST_PAGE = 50;
/** The size of the others, as large as the service allows: previews can be most of the jobs. */
const PAGE = 200;
/** The maximum number of pages. */
const MAX_PAGES = 10;

/**
 * The newest jobs that match a text, without those of previews. Reads pages until there are enough of them.
 *
 * @param list Reads a page of jobs.
 */
export async function foundJobs(
  list: typeof client.list,
  text: string,
  { enough, signal }: { readonly enough: number; readonly signal: AbortSignal },
): Promise<readonly Job[]> {
  const { metadata, q } = readSearch(text);
  const matches = filterMatcher({ q: text });
  const found: Job[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < enough; page++) {
    const { jobs, nextCursor } = await list({
      metadata,
      ...(q !== '' && { q }),
      ...(cursor !== undefined && { cursor }),
      limit: page === 0 ? FIRST_PAGE : PAGE,
      signal,
    });
    found.push(...jobs.filter(matches));
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return found.slice(0, enough);
}
