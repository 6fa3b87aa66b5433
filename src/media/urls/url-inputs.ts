import { hint, UPLOAD_FILE } from '../../domain/hint.ts';
import type { PathError } from '../../domain/media-path.ts';
import type { UrlInputs } from '../../domain/media-root.ts';
import { checkUrl, type OutgoingPolicy, type UrlFault } from '../../outgoing/outgoing-policy.ts';

/** The URLs that requests may name under a policy. Undefined if it allows none. */
export const urlInputs = (policy: OutgoingPolicy): UrlInputs | undefined =>
  policy.isPublicAllowed || policy.hosts.length > 0 ? { check: (url) => urlError(policy, url) } : undefined;

function urlError(policy: OutgoingPolicy, text: string): PathError | undefined {
  const fault = checkUrl(policy, text, true);
  return fault === undefined ? undefined : errorOf(fault, text);
}

function errorOf(fault: UrlFault, text: string): PathError {
  if (fault === 'HOST')
    return {
      code: 'HOST_NOT_ALLOWED',
      message: `This service may not fetch from ${new URL(text).host}.`,
      fix: hint`Upload the file (${UPLOAD_FILE}) and send its path, or send the URL of an allowed host. The operator allows hosts in TELECINE_INPUT_URLS.`,
    };
  return {
    code: 'INVALID_URL',
    message: 'The path begins like a URL, and is not a valid one.',
    fix: 'Send a URL such as "https://example.org/film.mp4".',
  };
}
