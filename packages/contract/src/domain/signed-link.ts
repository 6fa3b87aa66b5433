import { HIDDEN } from './secret-options.ts';
import { decodedUri } from './text-validation.ts';

/** The parts of a signed link, which replaces a token. Everyone with the link can read the parts. No part contains `~`. */
export interface SignedLink {
  readonly client: string;
  /** Whole seconds since 1970, as text. */
  readonly issued: string;
  readonly expires: string;
  /** The id of the signing key. */
  readonly key: string;
  readonly signature: string;
}

export const expiryOf = ({ expires }: SignedLink): Date => new Date(Number(expires) * 1000);

/** Separates the parts of a link. No part contains it, and URLs do not escape it. */
const SEPARATOR = '~';

/** Writes a signed link as one path segment. */
export const writeLink = ({ client, issued, expires, key, signature }: SignedLink): string =>
  [client, issued, expires, key, signature].join(SEPARATOR);

/** Reads the segment that `writeLink` wrote. Missing parts become '', for which no signature is valid. */
export function readLink(text: string): SignedLink {
  const [client = '', issued = '', expires = '', key = '', signature = '', ...more] = text.split(SEPARATOR);
  return { client, issued, expires, key, signature: more.length === 0 ? signature : '' };
}

/**
 * Hides signed links, shared links and secrets of notification URLs in the path of a URL, however they are encoded. It finds a link by its
 * form, because links of other services can be below any path.
 */
export const hideLinks = (path: string): string =>
  /[~%]|tc[ln]_/i.test(path)
    ? path
        .split('/')
        .map((segment) => (decoded(segment).split('/').some(isLink) ? HIDDEN : segment))
        .join('/')
    : path;

/** Decodes a part of a URL, also escapes of escapes, which a log must not have either. A server reads `%7E` as `~`. */
const decoded = (text: string): string => decodeOnce(decodeOnce(decodeOnce(text)));
const decodeOnce = (text: string): string =>
  text.replace(/%(?:25)+(?=[\da-f]{2})/gi, '%').replace(/%[2-7][\da-f]/gi, decodedUri);

/** Matches the secret of a shared link or of a notification URL, with or without text around it. */
const SECRET = /tc[ln]_[\w-]{43}/;

function isLink(text: string): boolean {
  if (SECRET.test(text)) return true;
  const { client, issued, expires, key, signature } = readLink(text);
  return [client, key, signature].every((part) => part !== '') && [issued, expires].every((part) => /^\d+$/.test(part));
}

/**
 * The path of an output in the URL of a signed link. `s3://bucket/key` becomes `bucket/key`, because proxies merge slashes; other paths
 * stay. The result is unique among the outputs of a job: all outputs are in the folder of `output`, so they are all in one bucket or all in
 * the media root.
 */
export const outputLinkPath = (path: string): string => path.replace(/^s3:\/\//, '');

/** The paths of which `outputLinkPath` makes this path of a link. */
export const linkedPaths = (linkPath: string): readonly string[] => [linkPath, `s3://${linkPath}`];
