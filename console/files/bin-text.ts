import type { Bin } from '@telecine/client';
import { entriesText } from './move-targets.ts';

/** What is in a bin of `sizeBytes`: `2 files and 1 folder`. The list has only the newest entries, so there can be more. */
export function binText(
  entries: readonly Pick<Bin['entries'][number], 'path' | 'sizeBytes'>[],
  sizeBytes: number,
): string {
  const listed = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  const text = entriesText(entries.map(({ path }) => path));
  return listed < sizeBytes ? `${text} and more` : text;
}
