/** The state of the usage page. It is stored in the URL. */
export interface UsageSearch {
  /** The client whose usage is shown. Default: all clients for administrators, the signed-in client for others. */
  readonly client?: string;
  /** The folder whose largest files are shown. Ends with a slash. Default: the media root of the client. */
  readonly folder?: string;
}

// The router reads a text of digits as a number.
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** Reads the state from the query of a URL. Ignores invalid values. */
export function readUsageSearch(query: Readonly<Record<string, unknown>>): UsageSearch {
  const client = textOf(query['client']);
  const folder = textOf(query['folder']);
  return { ...(client !== '' && { client }), ...(folder !== '' && { folder }) };
}
