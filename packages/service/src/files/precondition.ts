import { createHash } from 'node:crypto';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts } from './ports.ts';

/** One entity tag in a header field, without its quotes. */
export interface EntityTag {
  readonly tag: string;
  readonly weak: boolean;
}

/** The conditions of a client about the file that exists at a path (RFC 9110, 13.1). */
export interface Precondition {
  readonly ifMatch?: '*' | readonly EntityTag[];
  readonly ifNoneMatch?: '*' | readonly EntityTag[];
  /** In whole seconds, like `ifUnmodifiedSince`. */
  readonly ifModifiedSince?: Date;
  readonly ifUnmodifiedSince?: Date;
}

/**
 * Returns the strong entity tag of a file, without quotes. It is a hash of the fingerprint, so that clients do not see
 * the inode number.
 */
export const entityTagOf = ({ fingerprint }: Pick<FileFacts, 'fingerprint'>): string =>
  createHash('sha256').update(fingerprint).digest('base64url').slice(0, 22);

/** Rounds down to whole seconds: HTTP dates have no fractions. */
export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Evaluates conditions in the order of RFC 9110, 13.2.2. `unmodified`: the client already has the current content. */
export function evaluatePrecondition(
  precondition: Precondition,
  current: FileFacts | undefined,
): 'proceed' | 'failed' | 'unmodified' {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = precondition;
  if (ifMatch !== undefined) {
    if (current === undefined) return 'failed';
    if (ifMatch !== '*' && !ifMatch.some(({ tag, weak }) => !weak && tag === entityTagOf(current))) return 'failed';
  } else if (ifUnmodifiedSince !== undefined) {
    if (current !== undefined && toSeconds(current.modifiedAt) > toSeconds(ifUnmodifiedSince)) return 'failed';
  }
  if (current === undefined) return 'proceed';
  if (ifNoneMatch !== undefined)
    return ifNoneMatch === '*' || ifNoneMatch.some(({ tag }) => tag === entityTagOf(current))
      ? 'unmodified'
      : 'proceed';
  if (ifModifiedSince !== undefined && toSeconds(current.modifiedAt) <= toSeconds(ifModifiedSince)) return 'unmodified';
  return 'proceed';
}

/**
 * Converts a precondition to the check of an upload or a deletion. If-Modified-Since is left out, because it only
 * applies to reading.
 */
export const toFileCheck =
  ({ ifModifiedSince: _, ...precondition }: Precondition): FileCheck =>
  (current) => {
    if (evaluatePrecondition(precondition, current) !== 'proceed') throw preconditionFailed(current);
  };

export const preconditionFailed = (current: FileFacts | undefined): Problem =>
  new Problem(
    'PRECONDITION_FAILED',
    current === undefined
      ? 'The file does not exist, but the precondition requires that it does.'
      : `The current file does not meet the precondition; its ETag is "${entityTagOf(current)}".`,
  );
