/** Where a file is that the command line names. */
export type FileLocation =
  /** In the caller's media root, by its path there. */
  { readonly on: 'server'; readonly path: string } | { readonly on: 'here'; readonly path: string };

const SERVER = 'server:';

/** Reads `server:path` as a file of the service; a local file of such a name is `./server:path`. */
export const fileLocation = (text: string): FileLocation =>
  text.startsWith(SERVER) ? { on: 'server', path: text.slice(SERVER.length) } : { on: 'here', path: text };

/** A file of the service as the command line names it. */
export const serverPath = (path: string): string => `${SERVER}${path}`;
