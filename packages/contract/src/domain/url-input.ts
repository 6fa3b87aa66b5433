import { parseRequestPath } from './bucket-path.ts';
import { hint, UPLOAD_FILE } from './hint.ts';
import { type MediaPath, type PathError, parseMediaPath, pathError } from './media-path.ts';
import type { PathScope } from './media-root.ts';
import { HIDDEN } from './secret-options.ts';
import { hideLinks } from './signed-link.ts';

export const MAX_URL_LENGTH = 4096;

export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** A text that is probably meant as a URL. If it were read as a path, messages would show its password or signature. */
const MEANT_AS_URL = /^\s*(?:[a-z]\w*:)*https?:[\\/]/i;

/** Whether a path is a URL or probably meant as one. It may then contain a password or a signature. */
export const mayHoldUrlSecrets = (path: string): boolean => MEANT_AS_URL.test(path);

interface InputPath {
  /** The path. For a URL, the part that messages and logs may show: scheme, host and path, without signed links. */
  readonly path: MediaPath | PathError;
  /** The whole URL, which may contain secrets. Use it only to fetch the input. */
  readonly url?: string;
}

/** Reads the path of an input: a URL, or any path that `parseRequestPath` reads. */
export function parseInputPath(text: string, scope: PathScope): InputPath {
  // A text without ":" can be neither a URL nor meant as one.
  if (!text.includes(':')) return { path: parseRequestPath(text, scope, 'read') };
  if (!isUrl(text)) return { path: MEANT_AS_URL.test(text) ? NO_URL : parseRequestPath(text, scope, 'read') };
  const error = urlError(text, scope);
  if (error !== undefined) return { path: error };
  const { href, origin, pathname } = new URL(text);
  return { path: `${origin}${hideLinks(pathname)}` as MediaPath, url: href };
}

const NO_URL = pathError(
  'INVALID_URL',
  'The path looks like a URL, but does not begin with "https://" or "http://". A file with such a path needs "./" before it.',
);

function urlError(text: string, { urls }: PathScope): PathError | undefined {
  if (urls === undefined)
    return pathError(
      'STORAGE_NOT_ALLOWED',
      'This service fetches no inputs from URLs.',
      hint`Upload the file (${UPLOAD_FILE}) and send its path in your media root, or ask the operator to allow URLs (TELECINE_INPUT_URLS).`,
    );
  if (text.length > MAX_URL_LENGTH)
    return pathError('TOO_LONG', `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  // Check the characters of the URL by the rules for paths.
  const named = parseMediaPath(text.replace(/^https?:\/*/i, 'a/'), '/');
  if (typeof named !== 'string' && (named.code === 'CONTROL_CHARACTER' || named.code === 'BAD_ENCODING')) return named;
  return urls.check(text);
}

/** A path of a request for a view. In a URL, secrets are removed (`redactUrl`). Other paths stay. */
export const hideUrlSecrets = (text: string): string => (isUrl(text) ? redactUrl(text) : text);

/** A URL without user name, password, query, fragment and signed links. Hides other texts as a whole, because `user:pass@host` is a URL. */
export function redactUrl(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return HIDDEN;
  const { protocol, host, pathname, username, password, search } = new URL(text);
  const user = username === '' && password === '' ? '' : `${HIDDEN}@`;
  return `${protocol}//${user}${host}${hideLinks(pathname)}${search === '' ? '' : `?${HIDDEN}`}`;
}
