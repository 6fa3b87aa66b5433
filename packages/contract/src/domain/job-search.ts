/** The limits of a search of jobs. */
export const SEARCH_LIMITS = {
  /** Characters of a search. */
  length: 200,
  words: 10,
  /** Characters of a job that are searched. Only jobs with hundreds of long paths have more. */
  textLength: 16_384,
} as const;

/** The parts of a job that a search looks at. */
export interface SearchedJob {
  readonly jobId: string;
  /** The client of the job. */
  readonly client: string;
  /** The name of the job in its batch. */
  readonly name?: string | undefined;
  /** The paths of inputs and outputs, without secrets in URLs. */
  readonly paths: readonly string[];
  readonly recipe?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes texts comparable: `É` as one or two characters, and in upper or lower case, is the same. Removes what
 * PostgreSQL cannot store.
 */
export const comparable = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('\0', '');

/** Splits a search into words. Quotes keep words together: `"take 2"`. The last quote may be missing. */
export const splitSearch = (q: string): readonly string[] =>
  [...q.matchAll(/"([^"]*)"?|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').filter(Boolean);

/** The words of a search, as `searchText` has them. */
export const searchWords = (q: string): readonly string[] => splitSearch(q).map(comparable).filter(Boolean);

/** The text of a job that is searched: each part in its own line. */
export const searchText = ({ jobId, client, name, paths, recipe, error, metadata = {} }: SearchedJob): string =>
  comparable(
    [...[jobId, client, name], ...Object.values(metadata), ...[recipe, error?.code, error?.message], ...paths]
      .filter((part) => part !== undefined)
      .join('\n')
      .slice(0, SEARCH_LIMITS.textLength),
  );
