import type { QueryClient } from '@tanstack/react-query';
import type { WatchList } from '@telecine/client';
import { watchesQuery } from '../watches/watches-query.ts';

type Watch = WatchList['watches'][number];

/** The watches of a client that convert with its recipe. */
export const watchesOf = (watches: readonly Watch[], recipe: string, clientId: string): readonly Watch[] =>
  watches.filter(({ client, request }) => client === clientId && request.preset?.name === recipe);

/** What a deletion or another name of a recipe means for watches. `until`: after what they convert again. '': there are none. */
export const watchesText = (watches: readonly string[], recipe: string, until: string): string =>
  watches.length === 0
    ? ''
    : ` ${watches.join(', ')}: ${watches.length === 1 ? 'this watch converts' : 'these watches convert'} with ${recipe}, and cannot until ${until}.`;

/** The names or folders of the watches of a client that convert with its recipe. None if they cannot be read. */
export async function watchesWith(queries: QueryClient, recipe: string, clientId: string): Promise<readonly string[]> {
  try {
    const { watches } = await queries.fetchQuery(watchesQuery);
    return watchesOf(watches, recipe, clientId).map(({ name, folder }) => name ?? folder);
  } catch {
    return [];
  }
}
