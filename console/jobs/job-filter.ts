import type { Job } from '@telecine/client';
import { searchText, searchWords, splitSearch } from '../../packages/contract/src/domain/job-search.ts';
import { isPreviewJob } from '../preview/preview-job.ts';
import { pathsOf } from './job-names.ts';

/** In the order of the filter. Failed jobs need a person, so they are in sight on a phone too. */
export const STATUSES = [
  'PENDING',
  'PROCESSING',
  'FAILED',
  'COMPLETED',
  'CANCELLED',
] as const satisfies readonly Job['status'][];

/** The filter of a list of jobs. It is stored in the URL, so that users can send links to a list. */
export interface JobFilter {
  readonly status?: Job['status'];
  /** Words that a job must have, and values of its metadata, such as `order=A-1042`. */
  readonly q?: string;
  /** Also shows the jobs of previews of the workbench, which are hidden by default. */
  readonly previews?: true;
  /** Only jobs of this client. Administrators see the jobs of all clients. */
  readonly client?: string;
  /** Only jobs of this watch. */
  readonly watch?: string;
  /** Only jobs that were submitted together. */
  readonly batch?: string;
  /** Only retries whose ids are in this range: `FIRST..LAST`. */
  readonly retries?: string;
}

const ID = /^[0-9a-f-]{36}$/;
const RETRIES = /^[0-9a-f-]{36}\.\.[0-9a-f-]{36}$/;

/** Reads a filter from the query of a URL. Ignores invalid values. */
export function readJobFilter(query: Readonly<Record<string, unknown>>): JobFilter {
  const status = STATUSES.find((one) => one === query['status']);
  const { q, client, watch, batch, retries } = query;
  const isText = (typeof q === 'string' && q !== '') || typeof q === 'number';
  return {
    ...(status !== undefined && { status }),
    ...(isText && { q: String(q) }),
    ...(query['previews'] === true && { previews: true }),
    ...((typeof client === 'string' || typeof client === 'number') && client !== '' && { client: String(client) }),
    ...(typeof watch === 'string' && ID.test(watch) && { watch }),
    ...(typeof batch === 'string' && ID.test(batch) && { batch }),
    ...(typeof retries === 'string' && RETRIES.test(retries) && { retries }),
  };
}

/** The range of ids that a filter allows. Ids sort by creation time. */
export function idRange({ retries = '' }: JobFilter): { readonly first?: string; readonly last?: string } {
  const [first, last] = retries.split('..');
  return first && last ? { first, last } : {};
}

/** A search, as the service gets it. */
export interface JobSearch {
  /** Selects the jobs whose metadata has these values. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Selects the jobs that have these words. Empty: all jobs. */
  readonly q: string;
}

const PAIR = /^([^=\s]+)=(.+)$/;

/** Splits a search into words and metadata. Quotes keep words together: `"order=A 1042"`. */
export function readSearch(q = ''): JobSearch {
  const parts = splitSearch(q);
  const pairs = parts.flatMap((part) => {
    const [, name, value] = PAIR.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const words = parts.filter((part) => !PAIR.test(part)).map((part) => (/\s/.test(part) ? `"${part}"` : part));
  return { metadata: Object.fromEntries(pairs), q: words.join(' ') };
}

/** Returns a function that tells whether a job matches the filter. */
export function filterMatcher(filter: JobFilter): (job: Job) => boolean {
  const { status, q, previews, client, watch, batch } = filter;
  const { first, last } = idRange(filter);
  const search = readSearch(q);
  const [{ metadata }, words] = [search, searchWords(search.q)];
  const pairs = Object.entries(metadata);
  return (job) => {
    if (status !== undefined && job.status !== status) return false;
    if (client !== undefined && job.client !== client) return false;
    if (watch !== undefined && job.watchId !== watch) return false;
    if (batch !== undefined && job.batchId !== batch) return false;
    if (previews === undefined && isPreviewJob(job)) return false;
    if (first !== undefined && last !== undefined)
      if (job.retryOf === undefined || job.jobId < first || job.jobId > last) return false;
    if (pairs.some(([name, value]) => job.metadata?.[name] !== value)) return false;
    if (words.length === 0) return true;
    const text = searchText({ ...job, client: job.client ?? '', paths: pathsOf(job), recipe: job.preset?.name });
    return words.every((word) => text.includes(word));
  };
}
