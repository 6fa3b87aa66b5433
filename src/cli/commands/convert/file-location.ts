import { isUrl } from '../../../domain/url-input.ts';

/** The location of a file on the command line: on the service, or on this machine. */
export type FileLocation =
  /** In the media root of the client, or at a URL, from which the service fetches it. */
  { readonly on: 'server'; readonly path: string } | { readonly on: 'local'; readonly path: string };

const SERVER = 'server:';

/**
 * Reads `server:path` as a file on the service, and `https://…` as one that the service fetches. A local file with such a
 * name is `./server:path`.
 */
export function fileLocation(text: string): FileLocation {
  if (text.startsWith(SERVER)) return { on: 'server', path: text.slice(SERVER.length) };
  return { on: isUrl(text) ? 'server' : 'local', path: text };
}

/** The name of a file on the service, as on the command line. */
export const serverPath = (path: string): string => `${SERVER}${path}`;
