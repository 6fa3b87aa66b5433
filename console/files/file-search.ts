export const SORTS = ['name', 'size', 'modified'] as const;
export type FileSort = (typeof SORTS)[number];

/** What the page of files shows. It lives in the address, so that a folder can be sent to a colleague. */
export interface FileSearch {
  /** Ends with a slash. Default: the media root. */
  readonly folder?: string;
  /** The path of the file whose details are shown. */
  readonly file?: string;
  /** Part of the names to show. */
  readonly q?: string;
  /** Default: by name. Sizes and times: the largest and newest first. */
  readonly sort?: FileSort;
  /** Shows the files as thumbnails instead of rows. */
  readonly view?: 'thumbnails';
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads the query of an address. What it does not know is left out. */
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
    ...(query['view'] === 'thumbnails' && { view: 'thumbnails' }),
  };
}
