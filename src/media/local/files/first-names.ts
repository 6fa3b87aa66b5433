import { opendir } from 'node:fs/promises';

/** The names that are read and compared in one turn of the event loop. */
const NAMES_AT_A_TIME = 1024;

/**
 * The first names in a folder that begin with `nameStart` and come after `after`, sorted. A folder can have any number of names, so
 * they are read some at a time, and only about twice `count` are in memory.
 */
export async function firstNames(
  folder: string,
  {
    nameStart,
    after,
    count,
  }: { readonly nameStart: string; readonly after: string | undefined; readonly count: number },
): Promise<readonly string[]> {
  let names: string[] = [];
  /** Later names are not among the first. */
  let last: string | undefined;
  const keepFirst = (): void => {
    names = names.sort((a, b) => (a < b ? -1 : 1)).slice(0, count);
  };
  for await (const { name } of await opendir(folder, { bufferSize: NAMES_AT_A_TIME })) {
    if (!name.startsWith(nameStart) || (after !== undefined && name <= after) || (last !== undefined && name > last))
      continue;
    names.push(name);
    if (names.length < 2 * count) continue;
    keepFirst();
    last = names.at(-1);
  }
  keepFirst();
  return names;
}
