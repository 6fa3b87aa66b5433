import type { MediaPath } from './media-path.ts';
import { HIDDEN } from './secret-options.ts';
import { decodedUri } from './text-validation.ts';

/** The parts of a signed link, which replaces a token. Everyone with the link can read them. No part contains `~`. */
export interface SignedLink {
  /** The client that signed it. */
  readonly client: string;
  /** Whole seconds since 1970, as text. */
  readonly issued: string;
  readonly expires: string;
  /** The id of the signing key. */
  readonly key: string;
  readonly signature: string;
}

/** When a link ends. */
export const expiryOf = ({ expires }: SignedLink): Date => new Date(Number(expires) * 1000);

/** No part of a link contains it, and URLs do not escape it. */
const SEPARATOR = '~';

/** A signed link as one segment of a path. */
export const writeLink = ({ client, issued, expires, key, signature }: SignedLink): string =>
  [client, issued, expires, key, signature].join(SEPARATOR);

/** Reads the segment that `writeLink` wrote. Missing parts become '', which no signature fits. */
export function readLink(text: string): SignedLink {
  const [client = '', issued = '', expires = '', key = '', signature = '', ...more] = text.split(SEPARATOR);
  return { client, issued, expires, key, signature: more.length === 0 ? signature : '' };
}

/** Hides signed links in the path of a URL. It finds them by their form, because links of other services can be below any path. */
export const hideLinks = (path: string): string =>
  /~|%7e/i.test(path)
    ? path
        .split('/')
        .map((segment) => (isLink(segment) ? HIDDEN : segment))
        .join('/')
    : path;

function isLink(segment: string): boolean {
  // A server reads `%7E` as `~`.
  const { client, issued, expires, key, signature } = readLink(decodedUri(segment));
  return [client, key, signature].every((part) => part !== '') && [issued, expires].every((part) => /^\d+$/.test(part));
}

/** What a signed link allows everyone with the link to upload: one file, once. */
export interface UploadLink {
  /** Tells links apart that are for the same file. */
  readonly linkId: string;
  /** In the media root of the client that signed the link. */
  readonly path: MediaPath;
  readonly maxBytes: number;
  /** Whether the file may replace another. */
  readonly replace: boolean;
}

/**
 * The path of an output in the URL of a signed link: a path in a media root as it is, `s3://bucket/key` as `bucket/key`,
 * because proxies merge slashes. Unique among the outputs of one job: the planner puts all outputs into the folder of
 * `output`, so all are in one bucket, or all in the media root.
 */
export const outputLinkPath = (path: string): string => path.replace(/^s3:\/\//, '');
