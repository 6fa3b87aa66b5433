import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../domain/problem.ts';
import type { EntityTag, Precondition } from '../../files/precondition.ts';

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/;
const TAGS = new RegExp(`^\\s*${TAG.source}(?:\\s*,\\s*${TAG.source})*\\s*$`);
const MAX_LENGTH = 4096;

/** Reads the preconditions of a request. Throws BAD_REQUEST for a malformed list of ETags. */
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

/** Throws BAD_REQUEST for a malformed list: ignoring a precondition could overwrite a file. */
function readTags(name: string, header: string | undefined): Precondition['ifMatch'] {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  if (header.length > MAX_LENGTH || !TAGS.test(header))
    throw new Problem('BAD_REQUEST', `${name} must be * or a list of ETags with their quotes: "abc", "def".`);
  return [...header.matchAll(new RegExp(TAG, 'g'))].map(
    ([, weak, tag = '']): EntityTag => ({ tag, weak: weak !== undefined }),
  );
}

/** Returns undefined for a malformed date, which must be ignored (RFC 9110, 13.1.3 and 13.1.4). */
function readDate(header: string | undefined): Date | undefined {
  const ms = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
