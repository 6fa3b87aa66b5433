/** The selected entries of a folder. `anchor`: where a range begins. */
export interface FileSelection {
  /** In the order of the selection. A range is in the order of the list. */
  readonly paths: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

/** How an entry is selected. `only`: alone. `toggle`: besides the others. `range`: with all entries from the anchor on. */
export type SelectHow = 'only' | 'toggle' | 'range';

export const NOTHING_SELECTED: FileSelection = { paths: new Set(), anchor: undefined };

/** Selects an entry. `listed`: the paths of all entries, in the order in which they are shown. */
export function selectEntry(
  { paths, anchor }: FileSelection,
  listed: readonly string[],
  path: string,
  how: SelectHow,
): FileSelection {
  const start = anchor === undefined ? -1 : listed.indexOf(anchor);
  if (how === 'only' || (how === 'range' && start < 0)) return { paths: new Set([path]), anchor: path };
  if (how === 'range') {
    const [first, last] = [start, listed.indexOf(path)].sort((a, b) => a - b) as [number, number];
    return { paths: new Set(listed.slice(first, last + 1)), anchor };
  }
  const next = new Set(paths);
  if (!next.delete(path)) next.add(path);
  return { paths: next, anchor: path };
}

export const selectAll = (listed: readonly string[]): FileSelection => ({ paths: new Set(listed), anchor: listed[0] });

/** The selected entries that are still listed, in the order in which they were selected. */
export function selectedOf<E extends { readonly path: string }>(
  { paths }: FileSelection,
  entries: readonly E[],
): readonly E[] {
  if (paths.size === 0) return [];
  const listed = new Map(entries.map((entry) => [entry.path, entry]));
  return [...paths].flatMap((path) => listed.get(path) ?? []);
}
