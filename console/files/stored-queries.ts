/** The first parts of the keys of all queries whose data change when files are added, moved, deleted or restored. */
export const STORED_QUERIES = [
  'files',
  'bin',
  'folder sizes',
  'largest files',
  'usage',
  'usage of all',
  'disk',
] as const;
