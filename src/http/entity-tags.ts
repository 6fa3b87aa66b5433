import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../domain/problem.ts';
import type { AskedTag, Precondition } from '../files/precondition.ts';

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/;
const TAGS = new RegExp(`^\\s*${TAG.source}(?:\\s*,\\s*${TAG.source})*\\s*$`);

/** Throws BAD_REQUEST for what is no list of entity tags: to pass over a condition could cost a file. */
function readTags(name: string, header: string | undefined): Precondition['ifMatch'] {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  if (header.length > MOST_CHARACTERS || !TAGS.test(header))
    throw new Problem('BAD_REQUEST', `${name} must be * or ETags as they were given, with their quotes: "abc", "def".`);
  return [...header.matchAll(new RegExp(TAG, 'g'))].map(
    ([, weak, tag = '']): AskedTag => ({ tag, weak: weak !== undefined }),
  );
}

const MOST_CHARACTERS = 4096;

/** A date that cannot be read is none (RFC 9110, 13.1.3 and 13.1.4). */
function readDate(header: string | undefined): Date | undefined {
  const at = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? undefined : new Date(at);
}

/** The conditions of a request. */
export function readPrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = readTags('If-Match', headers['if-match']);
  const ifNoneMatch = readTags('If-None-Match', headers['if-none-match']);
  const ifModifiedSince = readDate(headers['if-modified-since']);
  const ifUnmodifiedSince = readDate(headers['if-unmodified-since']);
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(ifModifiedSince !== undefined && { ifModifiedSince }),
    ...(ifUnmodifiedSince !== undefined && { ifUnmodifiedSince }),
  };
}
