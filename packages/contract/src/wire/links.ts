import { invalidRequest } from '../domain/problem.ts';
import { outputLinkPath, type SignedLink, writeLink } from '../domain/signed-link.ts';
import { pathOf } from './endpoints.ts';

/**
 * Returns the lifetime of a link, in seconds. Throws INVALID_REQUEST if `seconds` is above the limit `longest` of the
 * operator.
 */
export function linkLifetime(seconds: number | undefined, longest: number): number {
  if (seconds === undefined || seconds <= longest) return seconds ?? longest;
  throw invalidRequest([
    {
      field: '/seconds',
      code: 'OUT_OF_RANGE',
      message: `"seconds" must be from 1 to ${longest}; it is ${seconds}.`,
      nearest: { bound: longest, others: 'less' },
    },
  ]);
}

/** The text of links to the outputs of a job that the signature covers. */
export const outputsSubject = (jobId: string): string => JSON.stringify(['outputs', jobId]);

/**
 * The signed URL of an output. The link is in front of the path, so that relative names in a manifest keep the link. `base` '': the result
 * is only a path.
 */
export const linkedOutputUrl = (base: string, jobId: string, path: string, link: SignedLink): string =>
  `${base}${pathOf('downloadLinkedOutput', { jobId, link: writeLink(link), path: outputLinkPath(path) })}`;
