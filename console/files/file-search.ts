export const SORTS = ['name', 'size', 'modified'] as const;
type FileSort = (typeof SORTS)[number];

/** The state of the files page. It is stored in the URL, so that users can send links to a folder. */
export interface FileSearch {
  /** Ends with a slash. Default: the media root. */
  readonly folder?: string;
  /** The path of the file whose details are shown. */
  readonly file?: string;
  /** Shows only entries whose names contain this text. */
  readonly q?: string;
  /** Default: by name. `size`: the largest first. `modified`: the newest first. */
  readonly sort?: FileSort;
  /** Shows the deleted files that can be restored. */
  readonly bin?: true;
  /** Shows the files as thumbnails instead of rows. */
  readonly view?: 'thumbnails';
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads the state from the query of a URL. Ignores invalid values. */
export function readFileSearch(query: Readonly<Record<string, unknown>>): FileSearch {
  const folder = textOf(query['folder'])?.replace(/^\/+|\/+$/g, '');
  const file = textOf(query['file']);
  const q = textOf(query['q']);
  const sort = SORTS.find((one) => one === query['sort']);
  return {
    ...(folder && { folder: `${folder}/` }),
    ...(file && { file }),
    ...(q && { q }),
    ...(sort && sort !== 'name' && { sort }),
    ...(query['bin'] === true && { bin: true }),
    ...(query['view'] === 'thumbnails' && { view: 'thumbnails' }),
  };
}
