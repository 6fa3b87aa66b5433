import { outputLinkPath } from '../domain/output-link-path.ts';
import type { SignedLink } from '../domain/signed-link.ts';
import { pathOf } from './endpoints.ts';

/** No part of a link contains it, and URLs do not escape it. */
const SEPARATOR = '~';

/** A signed link as one segment of a path. */
const writeLink = ({ client, issued, expires, key, signature }: SignedLink): string =>
  [client, issued, expires, key, signature].join(SEPARATOR);

/** Reads the segment that `writeLink` wrote. Missing parts become '', which no signature fits. */
export function readLink(text: string): SignedLink {
  const [client = '', issued = '', expires = '', key = '', signature = '', ...more] = text.split(SEPARATOR);
  return { client, issued, expires, key, signature: more.length === 0 ? signature : '' };
}

/** Hides the link in the path of a request, for logs. */
export const hideLink = (path: string): string => path.replace(/(\/links\/)[^/]+/, '$1(hidden)');

/** The subject of the links to the outputs of a job, which the signature covers. */
export const outputsSubject = (jobId: string): string => JSON.stringify(['outputs', jobId]);

/**
 * The signed URL of an output. The link is in the path before the path of the file, so that relative names in a manifest
 * lead to URLs with the same link. `base` is the URL of the service; with '' the result is only a path.
 */
export const linkedOutputUrl = (base: string, jobId: string, path: string, link: SignedLink): string =>
  `${base}${pathOf('downloadLinkedOutput', { jobId, link: writeLink(link), path: outputLinkPath(path) })}`;
