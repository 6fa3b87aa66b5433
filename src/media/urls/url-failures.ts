import { JobFailed, StorageDown } from '../../domain/failure.ts';
import { hint, RETRY_JOB, UPLOAD_FILE } from '../../domain/hint.ts';
import type { PathError } from '../../domain/media-path.ts';
import type { UrlInputs } from '../../domain/media-root.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import { checkUrl, type OutgoingPolicy, type UrlFault } from '../../outgoing/outgoing-policy.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { failed, inputMissing, storageFailure } from '../job-failures.ts';

/**
 * A reply that is not the file. `path`: the part of the URL that may be shown. After redirects, another host may have
 * replied.
 */
export function statusFailure(path: string, { status, url }: Pick<OutgoingReply, 'status' | 'url'>): JobFailed {
  const replied = `${url.host} replied with status ${status}`;
  if (status === 404 || status === 410)
    return inputMissing(
      path,
      `Input "${path}" does not exist: ${replied}.`,
      hint`Check the URL, or put the file there, and ${RETRY_JOB}.`,
    );
  if (status === 401 || status === 403 || status === 407)
    return unavailable(
      `Input "${path}" is not accessible: ${replied}.`,
      'Check the user name, the password and the signature in the URL. A signed URL must be valid until the job has fetched it.',
    );
  if (DOWN_STATUS.has(status))
    return new StorageDown(unavailable(`Input "${path}" cannot be fetched: ${replied}.`, FIX).failure);
  const isTransient = TRANSIENT_STATUS.has(status) || status >= 500;
  return unavailable(`Input "${path}" cannot be fetched: ${replied}.`, FIX, { isTransient });
}

/**
 * Statuses of a server that is overloaded or down. A host that does not answer at all counts as a fault of the URL: it may be
 * misspelt, and its job would wait for hours.
 */
const DOWN_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Statuses besides those from 500 with which the same request may succeed later. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 425]);

const FIX = hint`Check that the server sends the file to a simple GET request, then ${RETRY_JOB}; or upload the file.`;

function unavailable(
  message: string,
  fix: NonNullable<JobFailed['failure']['fix']>,
  { isTransient = false, cause }: { readonly isTransient?: boolean; readonly cause?: unknown } = {},
): JobFailed {
  return new JobFailed({ code: 'INPUT_UNAVAILABLE', message, fix }, cause, !isTransient);
}

/** A server that cut the connection too often, or that sent parts that do not belong together. */
export const incompleteInput = (path: string, cause?: unknown): JobFailed =>
  unavailable(`Input "${path}" cannot be fetched: ${new URL(path).host} never sent all of it.`, FIX, {
    isTransient: true,
    cause,
  });

/** A compressed body is not the file that was meant, and could become very large. */
export const encodedInput = (path: string, encoding: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" was sent with the content encoding ${JSON.stringify(encoding.slice(0, 40))}, although none was asked for.`,
    'Let the server send the file without compression, or upload it.',
  );

/** What the service does not open: a list of other files, or a page. `kind` completes "is …". */
export const notAFile = (path: string, kind: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" is ${kind}. The service fetches one file, and not what it names.`,
    'Send the URLs of the media files themselves as "inputs".',
  );

/** Converts any error of a fetch to a failure. Returns an error that is a bug or an abort unchanged. */
export function fetchFailure(path: string, error: unknown): unknown {
  if (error instanceof OutgoingError) {
    if (error.code === 'ADDRESS_NOT_ALLOWED' || error.code === 'URL_NOT_ALLOWED')
      return unavailable(
        `Input "${path}" cannot be fetched: ${error.message}`,
        'Send a URL that leads to an allowed host without redirects to others, or upload the file.',
        { cause: error },
      );
    return unavailable(`Input "${path}" cannot be fetched: ${error.message}`, FIX, {
      isTransient: error.isTransient,
      cause: error,
    });
  }
  return storageFailure('fetching the inputs', error);
}

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
    message: 'The path begins like a URL, but is not a valid URL.',
    fix: 'Send a URL such as "https://example.org/film.mp4".',
  };
}
