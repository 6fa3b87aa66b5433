import { entriesText } from './move-targets.ts';

/** What uploads that were allowed to replace files have done. `keptCount`: how many of the earlier files are in the bin. */
export function replacedText(paths: readonly string[], keptCount: number): string {
  const what = entriesText(paths);
  // The service does not say whether there was an earlier file.
  if (keptCount === 0) return `Uploaded ${what}. No earlier file was kept in the bin.`;
  const lost = paths.length - keptCount;
  if (lost === 0) return `Replaced ${what}.`;
  return `Replaced ${what}. ${lost} of the earlier files ${lost === 1 ? 'was' : 'were'} not kept.`;
}
