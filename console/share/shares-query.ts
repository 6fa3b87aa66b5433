import { queryOptions } from '@tanstack/react-query';
import type { NewShare } from '@telecine/client';
import { client } from '../app/client.ts';

/** The key of all queries of shared links. A new link and a revoked one change all of them. */
export const SHARES = ['shares'] as const;

/** What a link leads to: a file, or the outputs of a job. */
export type SharedThing = Pick<NewShare, 'path' | 'jobId'>;

/** The most links that are shown beside a file or a job. The page of all links has the others. */
const MOST = 20;

/** The links to a file or to the outputs of a job, newest first, also those that have ended. Read again while one works, which may be downloaded. */
export const linksQuery = (what: SharedThing) =>
  queryOptions({
    queryKey: [...SHARES, what],
    queryFn: ({ signal }) => client.shares({ ...what, ended: 'true', limit: MOST, signal }),
    refetchInterval: ({ state }) => state.data?.shares.some((share) => share.state === 'ACTIVE') === true && 10_000,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  });
