import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { loadPart } from '../app/load-part.ts';
import type { FoundFiles } from './search-files.ts';

/** Searches the stored files for a text; see `searchFiles`. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['files', 'search', text],
    queryFn: async ({ client: queries, queryKey, signal }) => {
      const isFirst = queries.getQueryData(queryKey) === undefined;
      const { searchFiles } = await loadPart(() => import('./search-files.ts'));
      let found: FoundFiles = { entries: [], left: undefined };
      // Show what is found while the rest is searched, which can take seconds in an object store.
      for await (found of searchFiles(client.listFiles, text, signal))
        if (isFirst && found.left !== undefined) queries.setQueryData(queryKey, found);
      return found;
    },
    // What a search had found when the user typed on stays in the cache.
    staleTime: 0,
  });
