import { queryOptions } from '@tanstack/react-query';
import type { NewShare, Share } from '@telecine/client';
import { client } from '../app/client.ts';
import { countByPath, isWorking } from './share-text.ts';

/** The key of all queries of shared links. A new link and a revoked one change all of them. */
export const SHARES = ['shares'] as const;

/** What a link leads to: a file, or the outputs of a job. */
export type SharedThing = Pick<NewShare, 'path' | 'jobId'>;

/** The most links that are shown beside a file or a job. The page of all links has the others. */
const MOST = 20;

/**
 * The links to a file or to the outputs of a job, newest first, also those that have ended. If there are many, those that work come first.
 * Read again while one works, which may be downloaded.
 */
export const linksQuery = (what: SharedThing) =>
  queryOptions({
    queryKey: [...SHARES, what],
    queryFn: async ({ signal }) => {
      const query = { ...what, limit: MOST, signal };
      const newest = await client.shares({ ...query, ended: 'true' });
      if (newest.nextCursor === undefined) return newest;
      // One that works may be older than all of these.
      const { shares: working } = await client.shares(query);
      return { ...newest, shares: [...working, ...newest.shares.filter((share) => !isWorking(share))] };
    },
    refetchInterval: ({ state }) => state.data?.shares.some(isWorking) === true && 10_000,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  });

/** The largest page that the service allows, and how many of them are read. Beyond them, files have no count. */
const PAGE = 200;
const MAX_PAGES = 5;

/** How many links to each file work, by its path. `owner`: whose links, for an administrator, who otherwise gets those of all clients. */
export const linkCountsQuery = (owner: string | undefined) =>
  queryOptions({
    queryKey: [...SHARES, 'counts', owner],
    queryFn: async ({ signal }) => {
      const shares: Share[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== undefined); page++) {
        const found = await client.shares({
          ...(owner !== undefined && { client: owner }),
          ...(cursor !== undefined && { cursor }),
          limit: PAGE,
          signal,
        });
        shares.push(...found.shares);
        cursor = found.nextCursor;
      }
      return countByPath(shares);
    },
    refetchOnWindowFocus: true,
  });
