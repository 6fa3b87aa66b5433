/** Where the folder of a client is for an administrator: '' or a path with a slash at its end. */
interface ClientPlace {
  readonly client: string;
  readonly place: string;
}

/** The most clients whose files are read one by one for one folder. */
const MOST_READ = 8;

/**
 * What is known of the sizes of folders in `folder` by the clients whose folders are below it or above it. `sizes`: those of folders that have
 * whole folders of clients. `inside`: the clients in whose folders `folder` is. What they have in it has to be read.
 */
export function clientSizes(
  folder: string,
  places: readonly ClientPlace[],
  usage: readonly { readonly client: string; readonly storedBytes: number }[],
): {
  readonly sizes: readonly { readonly path: string; readonly bytes: number }[];
  readonly inside: readonly ClientPlace[];
} {
  const bytesOf = new Map(usage.map(({ client, storedBytes }) => [client, storedBytes]));
  return {
    sizes: places.flatMap(({ client, place }) => {
      const bytes = bytesOf.get(client) ?? 0;
      if (bytes === 0 || place.length <= folder.length || !place.startsWith(folder)) return [];
      return { path: place.slice(0, place.indexOf('/', folder.length) + 1), bytes };
    }),
    inside: places.filter(({ place }) => folder.startsWith(place)).slice(0, MOST_READ),
  };
}
