import { isUtf8 } from 'node:buffer';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { describeJsonError } from './json-error.ts';
import { jsonGuardErrors, needsJsonGuard } from './json-guard.ts';

const invalid = (message: string, fix: string): Problem =>
  new Problem('INVALID_JSON', message, { errors: [{ field: '', code: 'INVALID_JSON', message, fix }] });

/**
 * Parses a JSON document (UTF-8, with or without a byte order mark). If a key is repeated, the last one counts.
 * Throws INVALID_JSON with line and column, or INVALID_REQUEST with the errors of `jsonGuardErrors`.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.', 'Encode the body as UTF-8.');
  const text = bytes[0] === 0xef ? bytes.toString('utf8').replace(/^\ufeff/, '') : bytes.toString('utf8');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalid(
      `The body is not valid JSON: ${describeJsonError(text)}.`,
      'Send one JSON object, such as {"input": "movies/in.mov", "output": "movies/out.mp4"}.',
    );
  }
  if (needsJsonGuard(text)) {
    const errors = jsonGuardErrors(document);
    if (errors.length > 0) throw invalidRequest(errors);
  }
  return document;
}
