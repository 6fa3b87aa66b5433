import { outputLinkPath, type SignedLink, writeLink } from '../domain/signed-link.ts';
import { pathOf } from './endpoints.ts';

/** The subject of the links to the outputs of a job, which the signature covers. */
export const outputsSubject = (jobId: string): string => JSON.stringify(['outputs', jobId]);

/**
 * The signed URL of an output. The link is in the path before the path of the file, so that relative names in a manifest
 * lead to URLs with the same link. `base` is the URL of the service; with '' the result is only a path.
 */
export const linkedOutputUrl = (base: string, jobId: string, path: string, link: SignedLink): string =>
  `${base}${pathOf('downloadLinkedOutput', { jobId, link: writeLink(link), path: outputLinkPath(path) })}`;
