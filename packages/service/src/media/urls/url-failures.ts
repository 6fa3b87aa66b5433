import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { type Hint, hint, RETRY_JOB, UPLOAD_FILE } from '@telecine/contract/domain/hint.ts';
import type { PathError } from '@telecine/contract/domain/media-path.ts';
import type { UrlInputs } from '@telecine/contract/domain/media-root.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import { checkUrl, type OutgoingPolicy } from '../../outgoing/outgoing-policy.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { failed, inputMissing, storageFailure } from '../job-failures.ts';

/**
 * The failure for a reply that does not contain the file. `path`: the shown part of the URL. The message names the host
 * that replied, which may be another one after a redirect.
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
 * HTTP statuses of a server that is overloaded or down. A host that does not answer at all is not treated as down: its
 * name may be wrong.
 */
const DOWN_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** HTTP statuses below 500 after which the same request may succeed later. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 425]);

const FIX = hint`Check that the server sends the file to a simple GET request, then ${RETRY_JOB}; or upload the file.`;

const unavailable = (
  message: string,
  fix: Hint,
  { isTransient = false, cause }: { readonly isTransient?: boolean; readonly cause?: unknown } = {},
): JobFailed => new JobFailed({ code: 'INPUT_UNAVAILABLE', message, fix }, cause, !isTransient);

/** The failure if a server closed the connection too often, or sent parts of different versions of the file. */
export const incompleteInput = (path: string, cause?: unknown): JobFailed =>
  unavailable(
    `Input "${path}" cannot be fetched: ${new URL(path).host} ended its replies before the whole file had arrived.`,
    FIX,
    {
      isTransient: true,
      cause,
    },
  );

/** The failure if a server has another version of a file than the one of which parts were fetched. */
export const otherVersion = (path: string, host: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" was replaced while it was fetched, or ${host} no longer sends parts of it.`,
    hint`Leave the file at the URL unchanged while the job runs, and ${RETRY_JOB}.`,
  );

/** The failure for a reply with a compressed body, which could become very large when it is decompressed. */
export const encodedInput = (path: string, encoding: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" has the content encoding ${JSON.stringify(encoding.slice(0, 40))}. Only a body without an encoding is supported.`,
    'Let the server send the file without compression, or upload it.',
  );

/** The failure for a web page, or for a file that only refers to other files. `kind` completes "is …". */
export const notAFile = (path: string, kind: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" is ${kind}. The service fetches one file, not the files that it names.`,
    'Send the URLs of the media files themselves as "inputs".',
  );

/**
 * Converts an error of a fetch, or of the disk to which it writes, to a failure. Returns a failure, a bug or an abort
 * unchanged.
 */
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

/** Returns the check for URLs in requests. undefined: the policy allows no URLs. */
export const urlInputs = (policy: OutgoingPolicy): UrlInputs | undefined =>
  policy.isPublicAllowed || policy.hosts.length > 0 ? { check: (url) => urlError(policy, url) } : undefined;

function urlError(policy: OutgoingPolicy, text: string): PathError | undefined {
  const fault = checkUrl(policy, text, true);
  if (fault === undefined) return undefined;
  if (fault === 'HOST')
    return {
      code: 'HOST_NOT_ALLOWED',
      message: `This service may not fetch from ${new URL(text).host}.`,
      fix: hint`Upload the file (${UPLOAD_FILE}) and send its path, or send the URL of an allowed host. The operator allows hosts in TELECINE_INPUT_URLS.`,
    };
  return {
    code: 'INVALID_URL',
    message: 'The path begins like a URL, but is not a valid URL.',
    fix: 'Send a URL such as "https://example.org/video.mp4".',
  };
}
