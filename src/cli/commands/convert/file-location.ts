/** The location of a file on the command line: on the service, or on this machine. */
export type FileLocation =
  /** In the media root of the client. */
  { readonly on: 'server'; readonly path: string } | { readonly on: 'here'; readonly path: string };

const SERVER = 'server:';

/** Reads `server:path` as a file on the service. A local file with such a name is `./server:path`. */
export const fileLocation = (text: string): FileLocation =>
  text.startsWith(SERVER) ? { on: 'server', path: text.slice(SERVER.length) } : { on: 'here', path: text };

/** The name of a file on the service, as on the command line. */
export const serverPath = (path: string): string => `${SERVER}${path}`;
