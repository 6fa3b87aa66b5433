import { createHash } from 'node:crypto';
import { Problem } from '../domain/problem.ts';
import type { FileCheck, FileFacts } from './ports.ts';

/** One entity tag of a request, without its quotes. */
export interface AskedTag {
  readonly tag: string;
  readonly weak: boolean;
}

/** What a request says must hold of the file that stands there (RFC 9110, 13.1). */
export interface Precondition {
  readonly ifMatch?: '*' | readonly AskedTag[];
  readonly ifNoneMatch?: '*' | readonly AskedTag[];
  /** Whole seconds. */
  readonly ifModifiedSince?: Date;
  readonly ifUnmodifiedSince?: Date;
}

/** The strong entity tag of a file, without quotes: hashed, since a fingerprint tells of the disk. */
export const tagOf = ({ fingerprint }: Pick<FileFacts, 'fingerprint'>): string =>
  createHash('sha256').update(fingerprint).digest('base64url').slice(0, 22);

/** HTTP's times have whole seconds. */
export const inSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** `same`: the caller has this very content already. In the order of RFC 9110, 13.2.2. */
export function judge(asked: Precondition, current: FileFacts | undefined): 'go' | 'failed' | 'same' {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = asked;
  if (ifMatch !== undefined) {
    if (current === undefined) return 'failed';
    if (ifMatch !== '*' && !ifMatch.some(({ tag, weak }) => !weak && tag === tagOf(current))) return 'failed';
  } else if (ifUnmodifiedSince !== undefined) {
    if (current !== undefined && inSeconds(current.modifiedAt) > inSeconds(ifUnmodifiedSince)) return 'failed';
  }
  if (current === undefined) return 'go';
  if (ifNoneMatch !== undefined)
    return ifNoneMatch === '*' || ifNoneMatch.some(({ tag }) => tag === tagOf(current)) ? 'same' : 'go';
  if (ifModifiedSince !== undefined && inSeconds(current.modifiedAt) <= inSeconds(ifModifiedSince)) return 'same';
  return 'go';
}

/** What a change asks before it is made. If-Modified-Since is no matter of changes. */
export const checkOf =
  ({ ifModifiedSince: _, ...asked }: Precondition): FileCheck =>
  (current) => {
    if (judge(asked, current) !== 'go') throw preconditionFailed(current);
  };

export const preconditionFailed = (current: FileFacts | undefined): Problem =>
  new Problem(
    'PRECONDITION_FAILED',
    current === undefined
      ? 'There is no file of this name, and the request asks for one that stands there.'
      : `The file that stands there is another than the request asks for; its ETag is "${tagOf(current)}".`,
  );
