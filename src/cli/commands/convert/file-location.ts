import { isUrl } from '../../../domain/url-input.ts';

/** The location of a file on the command line: on the service, or on this machine. */
export type FileLocation =
  | {
      /** In the media root of the client, or at a URL, from which the service fetches it. */
      readonly on: 'server';
      readonly path: string;
      /** Present if there is no file: `path` is a filtergraph that makes the input from nothing. */
      readonly isSource?: true;
    }
  | { readonly on: 'local'; readonly path: string };

const SERVER = 'server:';
const SOURCE = 'source:';

/**
 * Reads `server:path` as a file on the service, and `https://…` as one that the service fetches. A local file with such a
 * name is `./server:path`.
 */
export function fileLocation(text: string): FileLocation {
  if (text.startsWith(SERVER)) return { on: 'server', path: text.slice(SERVER.length) };
  return { on: isUrl(text) ? 'server' : 'local', path: text };
}

/** The same for an input, which can also be `source:color=c=navy`, a filtergraph that makes it from nothing. */
export const inputLocation = (text: string): FileLocation =>
  text.startsWith(SOURCE) ? { on: 'server', path: text.slice(SOURCE.length), isSource: true } : fileLocation(text);

/** The name of a file on the service, as on the command line. */
export const serverPath = (path: string): string => `${SERVER}${path}`;
