import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { isMembers } from '../domain/structured-values.ts';
import { describeJsonError } from './json-error.ts';
import { jsonGuardErrors, needsJsonGuard, tooMuchToParse } from './json-guard.ts';
import { repeatedNames } from './repeated-names.ts';

/** The maximum number of repeated names in a reply. */
const MAX_ERRORS = 20;

const invalid = (message: string): Problem =>
  new Problem('INVALID_JSON', message, { errors: [{ field: '', code: 'INVALID_JSON', message }] });

/**
 * Parses a JSON document (UTF-8, with or without a byte order mark). Throws INVALID_JSON with line and column, or
 * INVALID_REQUEST with the errors of `tooMuchToParse`, `jsonGuardErrors` or `repeatedNames`.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes[0] === 0xef ? bytes.toString('utf8').replace(/^\ufeff/, '') : bytes.toString('utf8');
  // Check the bytes only if the text contains U+FFFD. Decoding turns invalid bytes into U+FFFD, but a valid text may contain it too.
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw invalid('The body is not valid UTF-8.');
  const tooMuch = tooMuchToParse(text);
  if (tooMuch !== undefined) throw invalidRequest([tooMuch]);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalid(`The body is not valid JSON: ${describeJsonError(text)}.`);
  }
  if (needsJsonGuard(text)) {
    const errors = jsonGuardErrors(document);
    if (errors.length > 0) throw invalidRequest(errors);
  }
  const repeated = repeatedNames(text, document);
  if (repeated.length > 0) throw invalidRequest(repeated.slice(0, MAX_ERRORS));
  return document;
}

const sortKeys = (_: string, value: unknown): unknown =>
  isMembers(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The SHA-256 of a parsed body, in hex. White space and the order of keys do not change the hash. */
export const bodyHash = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body, sortKeys)).digest('hex');
